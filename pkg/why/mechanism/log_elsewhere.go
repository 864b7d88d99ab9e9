package mechanism

import (
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

// LogElsewhere is a driver that ended for a reason that it wrote to a file of its own, where only what it prints is kept. Such a file ends
// with its volume: an emptyDir with the pod (kubernetes.io/docs/concepts/storage/volumes/#emptydir).
type LogElsewhere struct {
	File   logs.LogFile
	Volume string // that it lies in; empty: in none
	Claim  string // of the volume; empty: it is of none
	Empty  bool   // it is an emptyDir
}

// Mechanism names it.
func (LogElsewhere) Mechanism() cause.ID { return "log-elsewhere" }

// FileOfLog finds it, where the driver ended by itself.
func FileOfLog(v *View) (cause.Cause, bool) {
	l := v.DriverLog()
	if l == nil || !v.ExitedByItself() {
		return cause.Cause{}, false
	}
	file, is := logs.LogFileOf(l, v.Work.Clock)
	if !is {
		return cause.Cause{}, false
	}
	d := LogElsewhere{File: file}
	if vol := volumeAt(v.Driver, file.Path); vol != nil {
		d.Volume, d.Empty = vol.Name, vol.EmptyDir != nil
		if vol.PersistentVolumeClaim != nil {
			d.Claim = vol.PersistentVolumeClaim.ClaimName
		}
	}
	return cause.Cause{Class: cause.Unknown, Effect: true, Role: cause.DriverRole, Subject: Ref(v.Driver), At: file.At,
		Trust: cause.ByDriverLog, Detail: d,
		Evidence: []cause.Proof{{Object: Ref(v.Driver), Field: v.logField(), Value: file.Line, At: file.At}}}, true
}

// volumeAt is the volume of Spark's container that a path lies in; nil: it lies in none.
func volumeAt(p *corev1.Pod, path string) *corev1.Volume {
	name, longest := "", 0
	for _, c := range p.Spec.Containers {
		if c.Name != app.MainName(p) {
			continue
		}
		for _, m := range c.VolumeMounts {
			at := strings.TrimSuffix(m.MountPath, "/") + "/"
			if strings.HasPrefix(path, at) && len(at) > longest {
				name, longest = m.Name, len(at)
			}
		}
	}
	for i := range p.Spec.Volumes {
		if longest > 0 && p.Spec.Volumes[i].Name == name {
			return &p.Spec.Volumes[i]
		}
	}
	return nil
}
