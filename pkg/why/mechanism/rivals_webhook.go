package mechanism

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
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

func neverArrivedNeeds() Needs {
	return Needs{Rivals: []Rival{volumeUndeclared(), specChangedSince(), ofEarlierRun(), takenBack()},
		Because: "the pod was seen without what the spec gives it, the log misses just that, and only the operator's webhook brings it there"}
}
