package rank

import "github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"

// specField is a field of the spec that a reader looks up beside a verdict.
type specField struct {
	role cause.Role // whose it is; empty: of the application
	name string
}

// path is where the field stands below spec: a SparkConnect calls the driver its server.
func (f specField) path(connect bool) string {
	switch {
	case f.role == "":
		return f.name
	case f.role == cause.DriverRole && connect:
		return "server." + f.name
	default:
		return string(f.role) + "." + f.name
	}
}

func of(role cause.Role, names ...string) []specField {
	out := make([]specField, 0, len(names))
	for _, name := range names {
		out = append(out, specField{role, name})
	}
	return out
}

// fieldsFor are the fields of the spec that causes of a class are about.
func fieldsFor(c *Answer, role cause.Role) []specField {
	const application, driver, executor = cause.Role(""), cause.DriverRole, cause.ExecutorRole
	switch c.Class {
	case cause.ClusterKilled:
		return of(role, "memory", "memoryOverhead", "priorityClassName")
	case cause.Configuration:
		if c.Topics.Has(cause.Memory) {
			return of(role, "memory", "memoryOverhead", "javaOptions", "cores")
		}
		return of(application, "mainClass", "mainApplicationFile")
	case cause.Credentials:
		return append(of(driver, "serviceAccount"), of(executor, "serviceAccount")...)
	case cause.Dependency:
		return of(application, "image", "sparkVersion", "mainApplicationFile", "deps.packages", "deps.jars", "deps.pyFiles")
	case cause.CodeFailed:
		return of(application, "mainApplicationFile", "mainClass")
	case cause.Image:
		return append(of(application, "image", "sparkVersion", "imagePullPolicy", "imagePullSecrets"), of(role, "image")...)
	case cause.Scheduling, cause.Quota, cause.SlowButProgressing:
		return append(of(role, "cores", "coreRequest", "coreLimit", "memory", "memoryOverhead", "nodeSelector"),
			specField{executor, "instances"}, specField{application, "batchScheduler"})
	case cause.Submission:
		return of(driver, "memory", "cores", "coreLimit", "serviceAccount", "priorityClassName", "labels")
	default:
		return nil
	}
}

// commonFields are those that a reader of any fault looks up.
func commonFields(c *cause.Cause, role cause.Role) []specField {
	if !c.Class.Fault() {
		return nil
	}
	return append(of(role, "memory", "cores"), of("", "image", "sparkVersion", "mainApplicationFile", "mainClass", "restartPolicy.type")...)
}
