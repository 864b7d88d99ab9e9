package change

import (
	"slices"
	"strconv"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// field is what a change sets: a field of a role, which is a setting of Spark where the object has no such field.
type field struct {
	role    cause.Role // empty: it is a setting of the application
	name    string     // of the role's field in a SparkApplication; empty: there is none
	setting string     // of Spark
	holds   string     // while nothing is set; empty: not known
}

// The fields of a role (buildSparkSubmitArgs and its options in internal/controller/sparkapplication/submission.go@v2.5.2 pass them as
// these settings, behind those of sparkConf, so that the field counts; spark.kubernetes.*: docs/running-on-kubernetes.md@v3.5.5).
func heap(role cause.Role) field {
	return field{role, "memory", "spark." + string(role) + ".memory", "1g"}
}

func overhead(role cause.Role) field {
	return field{role, "memoryOverhead", "spark." + string(role) + ".memoryOverhead", ""}
}

func cores(role cause.Role) field {
	return field{role, "cores", "spark." + string(role) + ".cores", "1"}
}

func coreRequest(role cause.Role) field {
	return field{role, "coreRequest", "spark.kubernetes." + string(role) + ".request.cores", ""}
}

func coreLimit(role cause.Role) field {
	return field{role, "coreLimit", "spark.kubernetes." + string(role) + ".limit.cores", ""}
}

func instances() field {
	return field{cause.ExecutorRole, "instances", "spark.executor.instances", ""}
}

// isNumber reports whether the API takes a field as a number.
func (f field) isNumber() bool { return f.name == "cores" || f.name == "instances" }

// owner is the object whose spec the user wrote, and where the spec of the application begins in it: a run of a schedule is made from the
// schedule's template. Without name: no custom resource owns the pods.
func owner(v *mechanism.View) (snapshot.Ref, []string) {
	switch {
	case v.Application == nil:
		return snapshot.Ref{}, nil
	case v.Schedule != nil:
		return v.Schedule.Ref(), []string{"spec", "template"}
	}
	for _, o := range v.Application.OwnerReferences {
		if mechanism.IsSchedule(&o) {
			return snapshot.Ref{APIVersion: o.APIVersion, Kind: o.Kind, Namespace: v.Application.Namespace, Name: o.Name, UID: string(o.UID)},
				[]string{"spec", "template"}
		}
	}
	return v.AppRef(), []string{"spec"}
}

func below(prefix []string, path ...string) []string { return slices.Concat(prefix, path) }

// set is the change of a field to a value.
func set(v *mechanism.View, f field, to string, because Reason) Change {
	object, prefix := owner(v)
	setting := v.Spec.Conf[f.setting]
	if object.Name == "" {
		return Change{Path: []string{f.setting}, Implied: f.holds, To: to, Because: because}
	}
	c := Change{Object: object, To: to, Because: because, Implied: f.holds}
	role, has := f.roleIn(v)
	if !has {
		c.Path = below(prefix, "sparkConf", f.setting)
		if setting != "" {
			c.From = setting
		}
		return c
	}
	c.Path = below(prefix, role, f.name)
	if setting != "" {
		c.Implied = setting
	}
	value := f.of(v.Spec.Role(role))
	switch n, err := strconv.Atoi(to); {
	case f.isNumber() && err == nil:
		c.To = n
		if value != "" {
			c.From, _ = strconv.Atoi(value) // it was made of one
		}
	case value != "":
		c.From = value
	}
	return c
}

// roleIn is what the role is called in the object, where it has the field: a SparkConnect has few (api/v1alpha1/sparkconnect_types.go
// @v2.5.2, SparkPodSpec).
func (f field) roleIn(v *mechanism.View) (string, bool) {
	switch {
	case f.name == "" || f.role == "":
		return "", false
	case !v.IsConnect():
		return string(f.role), true
	case f.isNumber() || f.name == "memory":
		if f.role == cause.DriverRole {
			return "server", true
		}
		return string(f.role), true
	default:
		return "", false
	}
}

// of is the value of the field in a role; empty: it is not set.
func (f field) of(r *app.Role) string {
	number := func(n int) string {
		if n == 0 {
			return ""
		}
		return strconv.Itoa(n)
	}
	switch f.name {
	case "memory":
		return r.Memory
	case "memoryOverhead":
		return r.MemoryOverhead
	case "memoryLimit":
		return r.MemoryLimit
	case "coreRequest":
		return r.CoreRequest
	case "coreLimit":
		return r.CoreLimit
	case "cores":
		return number(r.Cores)
	case "instances":
		return number(r.Instances)
	default:
		return ""
	}
}

// now is the value that counts: that of the field, else of the setting, else what holds without either.
func (f field) now(v *mechanism.View) string {
	if role, has := f.roleIn(v); has {
		if value := f.of(v.Spec.Role(role)); value != "" {
			return value
		}
	}
	if value := v.Spec.Conf[f.setting]; value != "" {
		return value
	}
	return f.holds
}
