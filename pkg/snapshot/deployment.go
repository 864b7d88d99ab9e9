package snapshot

import (
	"slices"
	"time"
)

// Deployment is what is read of a Deployment to find operators and the controllers that own finalizers.
type Deployment struct {
	Object
	Containers []Container
	Mounts     []SecretMount     // volumes that are Secrets
	Selector   map[string]string // spec.selector.matchLabels
	Account    Account           // the service account of its pods
	Traits     []Trait           `verdict:"none"` // of an operator's pods, sorted: what an upgrade may change that no other field tells
	Helm       HelmRelease       // that made it; zero: none that says so
	TrackedBy  string            `verdict:"none"` // the annotation or label by which Argo CD holds it for its own
	Replicas   int32
	Ready      int32
	// Changed is when a rollout last moved on or the Deployment became available or unavailable; zero if unknown.
	Changed time.Time
	// Stalled is since when its rollout is past progressDeadlineSeconds; zero: it is not.
	Stalled time.Time `verdict:"none"`
	Old     int32     `verdict:"none"` // pods of an earlier template, which the rollout has not replaced yet
	// Detailed is whether Traits, Stalled, Old, and of containers ReadOnlyRoot and MountPaths were read: older archives lack them.
	Detailed bool `verdict:"none"`
}

// HelmRelease is a release of Helm, as it annotates what it makes (pkg/action/validate.go of helm.sh/helm/v3@v3.22.0).
type HelmRelease struct{ Namespace, Name string }

// Container is a container of a pod template.
type Container struct {
	Name, Image string
	Args        []string // command and args in order, without secrets
	Ports       []ContainerPort
	// LowPorts is what lets its process listen on ports below 1024 though the image does not run as root: a user, a capability or a
	// sysctl; empty: the spec says nothing of the kind.
	LowPorts     string
	ReadOnlyRoot bool     `verdict:"none"` // securityContext.readOnlyRootFilesystem
	MountPaths   []string `verdict:"none"` // where volumes are mounted that it may write to, in order of the spec
	// MemoryLimit is resources.limits.memory; empty: there is none.
	MemoryLimit string `verdict:"none"`
}

// Trait is something about a pod template, by a path: "env JAVA_HOME", "securityContext.runAsUser". Values of environment variables are
// never kept.
type Trait struct{ Path, Value string }

// ContainerPort is a port that a container names.
type ContainerPort struct {
	Name string
	Port int32
}

// SecretMount is a volume of a pod template that a Secret fills.
type SecretMount struct{ Volume, Secret string }

// OperatorPod is a pod of the operator itself.
type OperatorPod struct {
	Object
	Ready   bool
	Phase   string
	Started time.Time // start of the first container's current run
	IPs     []string
	Runs    []ContainerRun // of the containers that run now
	Ills    []ContainerIll // of the containers that ended before, or wait
	Pending string         // why it has no node, first 512 bytes
}

// ContainerRun is the current run of a container.
type ContainerRun struct {
	Name    string
	Started time.Time
}

// ContainerIll is what is wrong with a container.
type ContainerIll struct {
	Name     string
	Restarts int
	Waiting  string // why it does not run: CrashLoopBackOff, ImagePullBackOff; empty if it runs
	Ended    string // why its last run ended: OOMKilled, Error; empty if there was none before
	ExitCode int
	EndedAt  time.Time
}

// Service is a Service that a webhook calls.
type Service struct {
	Object
	Ports    []int32
	Names    []string // of the ports, in their order; nil in archives that do not tell
	External bool     // type ExternalName: no endpoints belong to it
}

// Reaches reports whether endpoints of a slice have what a port of the Service leads to. They have not where a pod has no
// container port of the name that targetPort gives (kubernetes staging/src/k8s.io/endpointslice/utils.go, getEndpointPorts).
func (s *Service) Reaches(e *EndpointSlice, port int32) bool {
	i := slices.Index(s.Ports, port)
	return e.Ports == nil || i < 0 || i >= len(s.Names) || slices.Contains(e.Ports, s.Names[i])
}

func (p *OperatorPod) dates(see func(time.Time)) {
	see(p.Created)
	see(p.Started)
	for _, ill := range p.Ills {
		see(ill.EndedAt)
	}
}

// Sign names what a line of the operator's own log tells. The texts by which the releases say it are in pkg/operator.
type Sign string

// The signs.
const (
	CertificateRefused  Sign = "certificate refused"   // a client ended the TLS handshake because of the certificate served
	CallFailed          Sign = "call failed"           // the API server's own words about a webhook that it could not call
	StartFailed         Sign = "start failed"          // the webhook's process gave up
	BundleNotWritten    Sign = "caBundle not written"  // the webhook may not write, or not lead
	ApplicationNotFound Sign = "application not found" // the webhook answered with an error, because it did not know the application
	HandlerPanicked     Sign = "handler panicked"      // the webhook broke a call off
	RequestTooLarge     Sign = "request too large"     // an object was refused for its size
	RunNotStarted       Sign = "run not started"       // the controller could not create the run of a schedule
	ConnectNotMade      Sign = "connect not made"      // the controller could not create a part of a SparkConnect server
)

// PodLogs is the resource that is read for logs.
const PodLogs = "pods/log"

// OperatorLog is what the log of one of the operator's containers tells, since the container started or as far back as
// was read. It is only asked for where the user wants it, and holds nothing but lines that are signs, without secrets.
type OperatorLog struct {
	Object    // the pod
	Container string
	Entries   []LogEntry // in order of sign and subject
}

// LogEntry is the lines of one sign about one subject. The times are those at which the kubelet received them.
type LogEntry struct {
	Sign        Sign
	About       string // "namespace/name" of an application, or the name of a webhook; empty where the line names none
	First, Last time.Time
	Count       int
	Text        string // of the last line, shortened
}

// Within reports whether lines may have been written between two times.
func (e LogEntry) Within(from, to time.Time) bool { return !e.Last.Before(from) && !e.First.After(to) }

// Lease is what replicas compete for to lead.
type Lease struct {
	Object
	Holder   string    // the identity of the replica that leads, such as its pod's name and a UUID; empty if nobody does
	Acquired time.Time `verdict:"none"` // when the holder became it
	Renewed  time.Time
	Duration time.Duration // how long after Renewed others leave it to the holder
}

func (l *Lease) dates(see func(time.Time)) { see(l.Renewed) }
