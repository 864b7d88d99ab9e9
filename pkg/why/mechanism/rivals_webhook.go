package mechanism

import (
	"cmp"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

// clockSkew is how far the clocks of a node and of the operator may be apart.
const clockSkew = 2 * time.Second

// volumeUndeclared: the webhook mounts what spec.volumes declares, and leaves out a mount of another name (internal/webhook/
// sparkpod_defaulter.go@v2.5.2, addVolumes). What begins with spark-local-dir- Spark mounts itself (the same).
func volumeUndeclared() Rival {
	return Rival{Rival: cause.Rival{ID: "volume-undeclared", Is: "spec.volumes lacks the volume, which the webhook then leaves out"},
		Stands: func(v *View, c *cause.Cause) cause.Standing {
			d, _ := c.Detail.(NeverArrived)
			if d.What != GivenVolume {
				return cause.RuledOut
			}
			if !v.Spec.HasVolume(d.Name) {
				return cause.Present
			}
			return ifSeen(app.LocalDirVolume(d.Name))
		}}
}

// specChangedSince: a pod keeps the spec that it was made of. The API server counts the changes of a spec (metadata.generation).
func specChangedSince() Rival {
	return Rival{Rival: cause.Rival{ID: "spec-changed", Is: "the spec was changed after the pod was made"},
		Stands: func(v *View, c *cause.Cause) cause.Standing {
			p := SubjectPod(v, c)
			if v.Application == nil || p == nil {
				return cause.NotSeen
			}
			for _, w := range v.writers() {
				if w.At.After(p.CreationTimestamp.Time) {
					return cause.Present
				}
			}
			if v.Application.GetGeneration() > 1 && len(v.writers()) == 0 {
				return cause.NotSeen
			}
			return cause.RuledOut
		}}
}

// takenBack: the operator's webhook adds several things to a pod. Where another of them arrived, another webhook removed this one.
func takenBack() Rival {
	return Rival{Rival: cause.Rival{ID: "taken-back", Is: "another webhook took it away again"},
		Stands: func(v *View, c *cause.Cause) cause.Standing {
			p := SubjectPod(v, c)
			if p == nil {
				return cause.NotSeen
			}
			d, _ := c.Detail.(NeverArrived)
			for i := range p.Spec.Containers {
				if p.Spec.Containers[i].Name == app.MainName(p) {
					return ifSeen(v.arrived(string(d.Role), p.Spec.Containers[i].Env, p.Spec.Containers[i].VolumeMounts))
				}
			}
			return cause.NotSeen
		}}
}

// arrived reports whether a container has a variable or a mount that the spec gives to its role.
func (v *View) arrived(role string, env []corev1.EnvVar, mounts []corev1.VolumeMount) bool {
	given := v.Spec.Role(role)
	for _, name := range given.Env {
		if slices.ContainsFunc(env, func(e corev1.EnvVar) bool { return e.Name == name }) {
			return true
		}
	}
	for _, one := range given.VolumeMounts {
		is := func(m corev1.VolumeMount) bool { return m.Name == one.Name && m.MountPath == one.MountPath }
		if !app.LocalDirVolume(one.Name) && slices.ContainsFunc(mounts, is) {
			return true
		}
	}
	return false
}

// notMutated: a program that lacks what the spec gives it may fail at something else, on what it has by default: its own code, or at
// something that is not there. Of a pod that was not seen, only what the program missed before speaks for it.
func notMutated() Rival {
	return Rival{Rival: cause.Rival{ID: "not-mutated", Is: "its pod lacks what the spec gives it and only the webhook brings"},
		Stands: func(v *View, c *cause.Cause) cause.Standing {
			p := SubjectPod(v, c)
			own := p == nil || p.Name == c.Subject.Name
			ofRole := c.Role == cause.DriverRole || c.Role == cause.ExecutorRole || p == nil
			switch {
			case v.Application == nil || v.IsConnect() || !own || !ofRole || !ofDefaults(c.Class) || !chosen(c):
				return cause.RuledOut
			case p == nil && v.missedGiven(c):
				return cause.NotSeen
			case p == nil:
				return cause.RuledOut
			}
			at := slices.IndexFunc(p.Spec.Containers, func(one corev1.Container) bool { return one.Name == app.MainName(p) })
			if at < 0 {
				return cause.RuledOut
			}
			for _, path := range v.givenPaths(c.Role) {
				if _, lacks := missingMount(v, NeverArrived{Role: c.Role}, &p.Spec.Containers[at], []string{path}); lacks {
					return cause.Present
				}
			}
			return cause.RuledOut
		}}
}

// chosen reports whether what a program failed at may be chosen by what it read before: code of its own, and names that do not exist.
func chosen(c *cause.Cause) bool {
	failed, _ := c.Detail.(logs.Failure)
	_, known := failed.Meaning.(logs.Known)
	return !known || len(failed.Absent.Paths) > 0 || failed.Absent.Name != ""
}

// missedGiven reports whether a program missed, before it failed, a path at which the spec mounts something.
func (v *View) missedGiven(c *cause.Cause) bool {
	failed, _ := c.Detail.(logs.Failure)
	given := v.givenPaths(cmp.Or(c.Role, cause.DriverRole)) // whose pod is gone is not known by its labels
	return slices.ContainsFunc(failed.Absent.Earlier, func(m logs.Missed) bool {
		return slices.ContainsFunc(given, func(dir string) bool { return dir != "" && within([]string{m.Path}, dir) })
	})
}

// givenPaths are where the spec mounts ConfigMaps, and volumes that it declares, for a role.
func (v *View) givenPaths(of cause.Role) (out []string) {
	role := v.Spec.Role(string(of))
	for _, m := range role.VolumeMounts {
		if v.Spec.HasVolume(m.Name) && !app.LocalDirVolume(m.Name) {
			out = append(out, m.MountPath)
		}
	}
	for _, m := range role.ConfigMaps {
		out = append(out, m.Path)
	}
	return out
}

func neverArrivedNeeds() Needs {
	return Needs{Rivals: []Rival{volumeUndeclared(), specChangedSince(), ofEarlierRun(), takenBack()},
		Because: "the pod was seen without what the spec gives it, the log misses just that, and only the operator's webhook brings it there"}
}
