package mechanism

import (
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// ObjectMissing is a pod with a volume of a ConfigMap, Secret or the like that does not exist or lacks a key. It looks like a volume that
// is there and cannot be mounted: the kubelet names what it looked for, or, once it gave up for the time, only volumes that are all made of
// such objects.
type ObjectMissing struct {
	Waiting
	Told

	Absent  Absent
	Has     []string // keys of the object that lacks one; nil: not known
	Awaited bool     // it is only the volume that was named
	Unmade  Unmade   // why the Secret was not made; zero: that is not known
}

// Mechanism returns its ID.
func (ObjectMissing) Mechanism() cause.ID { return "object-missing" }

func (d ObjectMissing) alike(string) waitingDetail {
	return ObjectMissing{Told: d.Told.alike()}
}

func objectMissing(w *waiter, m mountEvent) (cause.Cause, bool) {
	switch {
	case m.absent != Absent{}:
		d := ObjectMissing{Waiting: w.Waiting, Told: m.told, Absent: m.absent, Has: w.lacking(m.absent)}
		unmade, proofs := unmadeBy(w.View, &m.absent)
		class := cause.Configuration
		if d.Unmade = unmade; unmade.Refused {
			class = cause.Credentials
		}
		c := m.cause(w, class, d)
		c.Evidence = append(c.Evidence, proofs...)
		return c, true
	case m.awaits != Source{}:
		c := m.cause(w, cause.Configuration, ObjectMissing{Waiting: w.Waiting, Told: m.told,
			Absent: Absent{Kind: m.awaits.Kind, Name: m.awaits.Name}, Awaited: true})
		c.Certainty = check.Likely
		return c, true
	default:
		return cause.Cause{}, false
	}
}

// Source is what a volume of a pod is made of.
type Source struct{ Kind, Name string }

// sourceOf is that of a volume; of other kinds of volumes it is the volume itself.
func sourceOf(p *corev1.Pod, volume string) Source {
	for _, one := range p.Spec.Volumes {
		switch {
		case one.Name != volume:
		case one.ConfigMap != nil:
			return Source{"ConfigMap", one.ConfigMap.Name}
		case one.Secret != nil:
			return Source{"Secret", one.Secret.SecretName}
		case one.PersistentVolumeClaim != nil:
			return Source{"PersistentVolumeClaim", one.PersistentVolumeClaim.ClaimName}
		}
	}
	return Source{"volume", volume}
}

// awaited is the ConfigMap or Secret for which a pod waits, by an event that names its volumes only; zero: another kind of volume is among
// them (pkg/kubelet/volumemanager/volume_manager.go of kubernetes@v1.36.3).
func awaited(p *corev1.Pod, message string) Source {
	_, list, named := strings.Cut(message, "unmounted volumes=[")
	list, _, _ = strings.Cut(list, "]")
	if !named || list == "" {
		return Source{}
	}
	var source Source
	for _, volume := range strings.Fields(list) {
		if source = sourceOf(p, volume); source.Kind != "ConfigMap" && source.Kind != "Secret" {
			return Source{}
		}
	}
	return source
}
