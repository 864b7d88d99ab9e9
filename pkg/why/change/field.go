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
	return f.change(v, to, to, because)
}

// setNumber is that of a field, or a setting, that is a number.
func setNumber(v *mechanism.View, f field, to int, because Reason) Change {
	if f.isNumber() {
		return f.change(v, strconv.Itoa(to), to, because)
	}
	return set(v, f, strconv.Itoa(to), because)
}

// change sets a setting to a text, and a field to a value.
func (f field) change(v *mechanism.View, to string, value any, because Reason) Change {
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
	c.To = value
	if now := f.of(v.Spec.Role(role)); now != "" {
		c.From = now
	}
	if now := f.numberOf(v.Spec.Role(role)); now != 0 {
		c.From = now
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

// numberOf is the value of a field that is a number, in a role; 0: it is not set, or is none.
func (f field) numberOf(r *app.Role) int {
	switch f.name {
	case "cores":
		return r.Cores
	case "instances":
		return r.Instances
	default:
		return 0
	}
}

// of is the value of any other field in a role; empty: it is not set.
func (f field) of(r *app.Role) string {
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
		if n := f.numberOf(v.Spec.Role(role)); n != 0 {
			return strconv.Itoa(n)
		}
	}
	if value := v.Spec.Conf[f.setting]; value != "" {
		return value
	}
	return f.holds
}
