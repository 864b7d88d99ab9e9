package mechanism

import (
	"path"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

// isVariable matches a name that is set for a process. A key of data may have small letters.
var isVariable = lazyregexp.New(`^[A-Z][A-Z0-9_]*$`)

// NeverArrived is what the spec gives a role and its pod lacks, where a program misses just that file or variable: only the operator's
// webhook brings it there (internal/webhook/sparkpod_defaulter.go@v2.5.2, pkg/webhook/patch.go@spark-operator-chart-1.4.6). A pod that was
// not seen may have had it, without what the program looks for.
type NeverArrived struct {
	Role  cause.Role
	What  Given
	Name  string // of the volume, ConfigMap or variable, or of the ConfigMap or Secret whose variables they are
	Kind  string // of GivenVariables: ConfigMap or Secret
	Path  string // where a volume or ConfigMap is mounted
	Field string // of the spec
	Seen  bool   // its pod was
	Why   NotCalled
	// WentOn is what the program said of it before it failed at something else; zero: it failed at just that.
	WentOn cause.Proof
}

// Given is what a spec can give a pod through the webhook.
type Given int

// What is given.
const (
	GivenVolume Given = iota
	GivenConfigMap
	GivenVariable
	GivenVariables // of a ConfigMap or Secret as a whole: whether the variable is among them was not read
)

// Mechanism names it.
func (NeverArrived) Mechanism() cause.ID { return "never-arrived" }

// String is what was given, as its proof shows it.
func (n NeverArrived) String() string {
	switch n.What {
	case GivenVolume:
		return "volume " + n.Name + " at " + n.Path
	case GivenConfigMap:
		return "ConfigMap " + n.Name + " at " + n.Path
	case GivenVariable:
		return "variable " + n.Name
	default:
		return "the variables of " + n.Kind + " " + n.Name
	}
}

// WebhookDidNotMutate explains a file or a variable that a program misses by what the spec asks for and the pod does not have.
func WebhookDidNotMutate(v *View, about *cause.Cause) (cause.Cause, bool) {
	failed, is := about.Detail.(logs.Failure)
	pod := SubjectPod(v, about)
	ofAnother := pod != nil && pod.Name != about.Subject.Name
	if !is || v.Application == nil || v.IsConnect() || ofAnother {
		return cause.Cause{}, false
	}
	role := cause.DriverRole
	if about.Trust == cause.ByExecutorLog {
		role = cause.ExecutorRole
	}
	found, is := neverArrived(v, pod, role, &failed)
	if other := found.WentOn != (cause.Proof{}) && !ofDefaults(about.Class); other || !is {
		return cause.Cause{}, false
	}
	if c, is := undeclared(v, about, &found); is {
		return c, true
	}
	out := cause.Cause{Class: cause.Configuration, Certainty: check.Likely, Role: role, Subject: about.Subject, At: about.At,
		Trust: about.Trust, Detail: found, Evidence: []cause.Proof{{Object: v.AppRef(), Field: found.Field, Value: found.String()}}}
	if pod == nil {
		return out, true
	}
	if found.What != GivenVariables && found.WentOn == (cause.Proof{}) {
		out.Certainty = check.Proven
	}
	var because []cause.Proof
	found.Why, because = v.notCalled(pod)
	out.Detail = found
	out.Topics = cause.Unmutated
	out.Evidence = append(out.Evidence, cause.Proof{Object: Ref(pod), Field: "spec.containers[" + app.MainName(pod) + "]",
		Value: "without " + found.String()})
	if found.WentOn != (cause.Proof{}) {
		out.Evidence = append(out.Evidence, found.WentOn)
	}
	out.Evidence = append(out.Evidence, because...)
	return out, true
}

// neverArrived finds what the words of an error miss among what the spec gives to a role, and the pod lacks: a mount that holds the path,
// or a variable. Of a pod that was not seen, nil, it lacks all.
func neverArrived(v *View, pod *corev1.Pod, role cause.Role, failed *logs.Failure) (NeverArrived, bool) {
	container := &corev1.Container{}
	if pod != nil {
		at := slices.IndexFunc(pod.Spec.Containers, func(c corev1.Container) bool { return c.Name == app.MainName(pod) })
		if at < 0 {
			return NeverArrived{}, false
		}
		container = &pod.Spec.Containers[at]
	}
	found := NeverArrived{Role: role, Seen: pod != nil}
	if mount, is := missingMount(v, found, container, failed.Absent.Paths); is {
		return mount, true
	}
	if variable, is := missingVariable(v, found, container, failed.Absent.Name); is {
		return variable, true
	}
	return missedEarlier(v, found, container, failed.Absent.Earlier)
}

// missedEarlier is a mount that never arrived and that a program missed before it failed at something else: it then ran on what it has by
// default.
func missedEarlier(v *View, found NeverArrived, container *corev1.Container, earlier []logs.Missed) (NeverArrived, bool) {
	for i := range earlier {
		if mount, is := missingMount(v, found, container, []string{earlier[i].Path}); is {
			mount.WentOn = earlier[i].Said
			return mount, true
		}
	}
	return NeverArrived{}, false
}

// ofDefaults reports whether a failure of a class may come of what a program has by default in place of a file that it misses: names,
// hosts, accounts. Memory, nodes and images it does not choose.
func ofDefaults(c cause.Class) bool {
	return slices.Contains([]cause.Class{cause.CodeFailed, cause.Configuration, cause.Network, cause.Credentials}, c)
}

// missingMount is a volume or ConfigMap of the spec that holds an absent path, and that a container does not mount.
func missingMount(v *View, found NeverArrived, container *corev1.Container, absent []string) (NeverArrived, bool) {
	mounted := func(name, dir string) bool {
		return slices.ContainsFunc(container.VolumeMounts, func(m corev1.VolumeMount) bool {
			byName := name != "" && m.Name == name
			return byName || path.Clean(m.MountPath) == path.Clean(dir)
		})
	}
	role := v.Spec.Role(string(found.Role))
	for _, m := range role.VolumeMounts {
		if m.MountPath != "" && within(absent, m.MountPath) && !mounted(m.Name, m.MountPath) {
			found.What, found.Field = GivenVolume, "spec."+string(found.Role)+".volumeMounts"
			found.Name, found.Path = m.Name, m.MountPath
			return found, true
		}
	}
	for _, m := range role.ConfigMaps {
		if m.Path != "" && within(absent, m.Path) && !mounted("", m.Path) {
			found.What, found.Field = GivenConfigMap, "spec."+string(found.Role)+".configMaps"
			found.Name, found.Path = m.Name, m.Path
			return found, true
		}
	}
	return NeverArrived{}, false
}

// missingVariable is an absent variable of the spec that a container does not have. Of one that may be among those of a ConfigMap or
// Secret, the pod must tell that it has none of these.
func missingVariable(v *View, found NeverArrived, container *corev1.Container, absent string) (NeverArrived, bool) {
	of := string(found.Role)
	set := slices.ContainsFunc(container.Env, func(e corev1.EnvVar) bool { return e.Name == absent }) || len(container.EnvFrom) > 0
	if absent == "" || set {
		return NeverArrived{}, false
	}
	role := v.Spec.Role(of)
	if slices.Contains(role.Env, absent) {
		found.What, found.Field = GivenVariable, "spec."+of+".env"
		found.Name = absent
		return found, true
	}
	if len(role.EnvFrom) > 0 && found.Seen && isVariable.MatchString(absent) {
		from := role.EnvFrom[0]
		found.What, found.Field = GivenVariables, "spec."+of+".envFrom"
		found.Kind, found.Name = from.Kind, from.Name
		return found, true
	}
	return NeverArrived{}, false
}

// within reports whether one of some paths is a directory or below it.
func within(paths []string, dir string) bool {
	return slices.ContainsFunc(paths, func(p string) bool {
		return path.Clean(p) == path.Clean(dir) || strings.HasPrefix(p, path.Clean(dir)+"/")
	})
}
