package mechanism

import (
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// VolumeUnmounted is a pod with a volume that cannot be attached or mounted on its node. Where what the volume is made of does not exist,
// that is said instead, and so is what keeps the sandbox from being made, of which the kubelet tells in events of the same kind.
type VolumeUnmounted struct {
	Waiting
	Told

	Fault      MountFault
	FileSystem string // for which a node has no program to mount it
	Account    string // the service account that was refused
	Claim      ClaimUse
	Driver     Unregistered
}

// Mechanism returns its ID.
func (VolumeUnmounted) Mechanism() cause.ID { return "volume-unmounted" }

func (d VolumeUnmounted) alike(string) waitingDetail {
	return VolumeUnmounted{Told: d.Told.alike()}
}

// MountFault is why a volume cannot be mounted.
type MountFault string

// The faults.
const (
	OtherMountFault MountFault = ""
	NoMountProgram  MountFault = "program"
	MountRefused    MountFault = "refused"
	HeldElsewhere   MountFault = "held"   // another node has the volume
	NoNodeDriver    MountFault = "driver" // the node has no driver for it
)

// mountEvent is the last event that says why volumes or the sandbox of a pod are not ready.
type mountEvent struct {
	app.Event

	told   Told
	absent Absent
	awaits Source
	claim  ClaimUse
	proofs []cause.Proof
}

// cause is one about a pod since the event came first.
func (m mountEvent) cause(w *waiter, class cause.Class, d waitingDetail) cause.Cause {
	c := w.cause(class, cause.ByEvent, d, m.proofs...)
	c.At = m.First
	return c
}

// volumeUnmounted reads events about volumes. Those of ConfigMaps that spark-submit creates right after the pod are a race that heals.
func volumeUnmounted(w *waiter) (cause.Cause, bool) {
	m, is := w.mountEvent()
	if !is {
		return cause.Cause{}, false
	}
	for _, find := range []func(*waiter, mountEvent) (cause.Cause, bool){configMapUnmade, objectMissing} {
		if c, is := find(w, m); is {
			return c, true
		}
	}
	d := VolumeUnmounted{Waiting: w.Waiting, Told: m.told, Claim: m.claim}
	class := cause.Storage
	helper := noHelper.FindStringSubmatch(m.Message)
	switch {
	case helper != nil:
		d.Fault, d.FileSystem = NoMountProgram, helper[1]
	case m.Reason == "FailedMount" && refusedToMount.MatchString(m.Message):
		class = cause.Credentials
		d.Fault, d.Account = MountRefused, w.pod.Spec.ServiceAccountName
	case m.Reason == "FailedCreatePodSandBox" || m.Reason == "NetworkNotReady":
		return sandboxUnmade(w, m), true
	}
	var proofs []cause.Proof
	if d.Driver, proofs = driverUnregistered(w, m.Message); d.Driver.Driver != "" {
		d.Fault = NoNodeDriver
	} else if d.Claim.Contended {
		d.Fault = HeldElsewhere
	}
	c := m.cause(w, class, d)
	c.Topics, c.Evidence = ofMemory(namesMemory(m.Message)), append(c.Evidence, proofs...)
	return c, true
}

func (w *waiter) mountEvent() (mountEvent, bool) {
	events := w.eventsOn("Pod", w.pod.Name, "FailedMount", "FailedAttachVolume", "FailedMapVolume", "FailedCreatePodSandBox",
		"NetworkNotReady")
	for _, e := range slices.Backward(events) {
		gone := absentIn(e.Message)
		object := gone.Key == "" && gone.Name != ""
		switch {
		case object && slices.Contains(app.NamesOf(w.ConfigMaps), gone.Name) && gone.Kind == "ConfigMap":
			continue // it is there by now
		case object && app.OwnConfigMap(gone.Name) && e.Count <= 3:
			continue
		case strings.HasPrefix(e.Message, "Unable to attach or mount volumes") && len(events) > 1:
			continue // says less than the others
		}
		said := told(&e, events[len(events)-1].Last, w.Now)
		claim, proofs := claimUse(w.View, w.pod, said)
		return mountEvent{Event: e, told: said, absent: gone, awaits: awaited(w.pod, e.Message), claim: claim, proofs: append([]cause.Proof{{
			Object: Ref(w.pod), Field: "event " + e.Reason, Value: e.Text(), At: e.Last}},
			proofs...)}, true
	}
	return mountEvent{}, false
}

// noHelper matches what mount says where the helper of a file system is missing (libmount/src/context_mount.c of util-linux@v2.39), after
// the arguments that the kubelet quotes (k8s.io/mount-utils mount_linux.go@v0.36.3).
var noHelper = lazyregexp.New(`(?s)Mounting arguments: (?:.*?)-t (\S+) .*you might need a /sbin/mount\.`)

// withoutUID is a message without the directory of a pod on its node, which those of mounts name (pkg/kubelet/config/defaults.go@v1.36.3).
func withoutUID(message string) string {
	return lazyregexp.New(`/pods/[0-9a-f-]{36}/`).ReplaceAllString(message, "")
}

// refusedToMount matches what drivers of volumes say where a service of the cloud refused them: secrets stores, file and object storage
// (kubernetes-sigs/secrets-store-csi-driver pkg/secrets-store/nodeserver.go@v1.4.5 hands on what its provider says).
var refusedToMount = lazyregexp.New(`(?i)\bAADSTS\d+|\bfailed to acquire token\b|\bstatus code (?:was )?40[13]\b|\bUnauthorized\b` +
	`|\bAccessDenied(?:Exception)?\b|\bnot authorized to\b|\bPermissionDenied\b|\b403 Forbidden\b`)

func claimRef(namespace, name string) snapshot.Ref {
	return snapshot.Ref{APIVersion: "v1", Kind: "PersistentVolumeClaim", Namespace: namespace, Name: name}
}
