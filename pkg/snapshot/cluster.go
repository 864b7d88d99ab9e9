package snapshot

import (
	"slices"
	"strings"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot/schema"
)

// EventsGroup serves the events of the core group once more (pkg/registry/core/event/storage in kubernetes: one storage, two
// groups). "kubectl get events.events.k8s.io -o yaml" writes them in this form.
const EventsGroup = "events.k8s.io"

// OwnerRefInvalidNamespace is the reason of the event that the garbage collector leaves on an object whose owner
// it knows in another namespace (kubernetes pkg/controller/garbagecollector/garbagecollector.go).
const OwnerRefInvalidNamespace = "OwnerRefInvalidNamespace"

// What the kubelet says of a pod whose containers it cannot make, which the pod's status does not tell
// (kubernetes pkg/kubelet/events/event.go).
const (
	FailedMount            = "FailedMount"
	FailedMapVolume        = "FailedMapVolume"
	FailedAttachVolume     = "FailedAttachVolume"
	FailedCreatePodSandBox = "FailedCreatePodSandBox"
)

// EventIsRead reports whether a check reads events of a reason; others are not kept.
func EventIsRead(reason string) bool {
	switch reason {
	case OwnerRefInvalidNamespace, FailedMount, FailedMapVolume, FailedAttachVolume, FailedCreatePodSandBox:
		return true
	default:
		return false
	}
}

// warningsAsked selects the events by type and leaves out the reasons of which there are the most. The API server knows
// no "one of", and a second listing would read all events once more.
const warningsAsked = "type=Warning,reason!=BackOff,reason!=Unhealthy,reason!=FailedScheduling,reason!=Failed,reason!=DNSConfigForming," +
	"reason!=FailedGetResourceMetric,reason!=FailedComputeMetricsReplicas,reason!=SparkExecutorFailed,reason!=SparkExecutorUnknown"

// Event is an Event of either group, as the core group shows it. A series counts once.
type Event struct {
	Object
	Reason   string
	Message  string
	Involved Ref
	Count    int
	First    time.Time
	Last     time.Time
}

func (e *Event) dates(see func(time.Time)) { see(e.Last) }

// Node is a node on which a driver is that does not seem to run.
type Node struct {
	Object
	Ready           string // status of the condition Ready: True, False, or Unknown when its kubelet says nothing any more
	ReadySince      time.Time
	Reason, Message string // of that condition
}

// Nodes returns those of drivers that do not seem to run; from files, all.
func (s *Snapshot) Nodes() []Node { return read[Node](s, Nodes) }

func (n *Node) dates(see func(time.Time)) { see(n.ReadySince) }

// ResourceQuota is what a quota leaves to the pods of its namespace, as the API server counts it.
type ResourceQuota struct {
	Object
	Scoped bool // it counts only some pods
	Limits []QuotaLimit
}

// QuotaLimit is one resource of a quota, with quantities as Kubernetes writes them.
type QuotaLimit struct{ Resource, Hard, Used string }

// ResourceQuotas returns the quotas.
func (s *Snapshot) ResourceQuotas() []ResourceQuota { return read[ResourceQuota](s, ResourceQuotas) }

// CRD is what is read of a CustomResourceDefinition: the names of fields, for schemas are large.
type CRD struct {
	Object
	Group, Resource string
	// PreservesUnknown says that what the schema does not name is kept (apiextensions.k8s.io/v1,
	// spec.preserveUnknownFields: true): such a CRD was made as v1beta1.
	PreservesUnknown bool
	LastApplied      int // bytes of the annotation that kubectl apply makes on the client's side; 0: there is none
	// StoredVersions are those in which objects were ever stored (status.storedVersions).
	StoredVersions []string
	// VersionManagers wrote spec.versions, in order, each once; nil where managedFields do not tell.
	VersionManagers []string
	Versions        []CRDVersion
}

// CRDVersion is one version of a CRD.
type CRDVersion struct {
	Name            string
	Served, Storage bool
	// Fields are paths below spec, sorted: "driver.template", "volumes.[].name", "sparkConf.*"; of older archives at most three names long.
	Fields []string
	Open   []string `verdict:"none"` // paths below which everything is kept (x-kubernetes-preserve-unknown-fields), sorted
}

// CRDRule is what a CustomResourceDefinition demands of values. It is a record of its own, as few checks read it and it takes more time
// and memory than the rest of a small cluster.
type CRDRule struct {
	Object
	// Rules are those of the version in which objects are stored, by paths as in CRDVersion.Fields.
	Rules schema.Rules `verdict:"none"`
}

// Path segments of a schema: the items of a list, and the values of a map.
const (
	EachItem = "[]"
	AnyKey   = "*"
)

// Stored returns the version in which objects are stored, nil if there is none.
func (c *CRD) Stored() *CRDVersion {
	i := slices.IndexFunc(c.Versions, func(v CRDVersion) bool { return v.Storage })
	if i < 0 {
		return nil
	}
	return &c.Versions[i]
}

// Schema is a version of a CRD with what it demands of values, nil where that was not read.
type Schema struct {
	CRDVersion
	Rules schema.Rules
}

// Schemas are those against which stored objects are compared while they are read, by the view of the objects: records keep few fields
// of an object.
type Schemas map[View]*Schema

// SchemasOf returns those of the operator's kinds that drop what they do not name.
func SchemasOf(s *Snapshot) Schemas {
	out, definitions := Schemas{}, s.OperatorCRDs()
	for i := range definitions {
		c := &definitions[i]
		src, known := SourceOf(View(c.Name))
		if v := c.Stored(); known && v != nil && v.Name == src.Version && len(v.Fields) > 0 && !c.PreservesUnknown {
			out[src.View] = &Schema{*v, s.RulesOf(src.View)}
		}
	}
	return out
}

// Has reports whether the schema names a field, by its path below spec.
func (v *CRDVersion) Has(field string) bool {
	_, found := slices.BinarySearch(v.Fields, field)
	return found
}

// Keeps reports whether the API server keeps a field: the schema names it, has a map in its place or above, or keeps everything there.
// In charts 1.1.27 to 1.4.4 requests.storage of a claim is a field, and since then a key of a map.
func (v *CRDVersion) Keeps(field string) bool {
	at, open := "", slices.Contains(v.Open, "")
	for name := range strings.SplitSeq(field, ".") {
		switch named, values := join(at, name), join(at, AnyKey); {
		case open:
			return true
		case v.Has(named) || name == EachItem:
			at = named
		case v.Has(values):
			at = values
		default:
			return false
		}
		_, open = slices.BinarySearch(v.Open, at)
	}
	return true
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// OperatorCRDs returns the definitions of the operator's kinds; from files, all.
func (s *Snapshot) OperatorCRDs() []CRD { return read[CRD](s, OperatorCRDs) }

// RulesOf returns what the CRD of a view's objects demands of their values; nil where it is not known.
func (s *Snapshot) RulesOf(v View) schema.Rules {
	list := read[CRDRule](s, CRDRules)
	if i := slices.IndexFunc(list, func(r CRDRule) bool { return View(r.Name) == v }); i >= 0 {
		return list[i].Rules
	}
	return nil
}

// CRDNames are the names of the operator's definitions.
func CRDNames() []string {
	return []string{string(SparkApplications), string(ScheduledSparkApplications), string(SparkConnects)}
}
