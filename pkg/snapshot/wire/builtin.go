package wire

import (
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	batchv1 "k8s.io/api/batch/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	eventsv1 "k8s.io/api/events/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/redact"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot/schema"
)

// fieldDepth and maxFields bound what is read of a schema: those of the operator have 24 levels and 4,000 fields, and etcd takes no more
// than 1.5 MiB.
const (
	fieldDepth = 64
	maxFields  = 100_000
)

type wireCRD struct {
	wireObject
	Spec struct {
		Group string `json:"group"`
		Names struct {
			Plural string `json:"plural"`
		} `json:"names"`
		PreservesUnknown bool `json:"preserveUnknownFields"`
		Versions         []struct {
			Name    string `json:"name"`
			Served  bool   `json:"served"`
			Storage bool   `json:"storage"`
			Schema  struct {
				Root struct {
					Properties struct {
						Spec fieldNames `json:"spec"`
					} `json:"properties"`
				} `json:"openAPIV3Schema"`
			} `json:"schema"`
		} `json:"versions"`
	} `json:"spec"`
	Status struct {
		StoredVersions []string `json:"storedVersions"`
	} `json:"status"`
}

// decodeCRD reads the definitions of the operator only.
func (d *Decoder) decodeCRD(_ snapshot.Source, item Item) (*snapshot.CRD, error) {
	var w wireCRD
	if err := json.Unmarshal(item.Raw, &w, Options()); err != nil {
		return nil, err
	}
	if w.Spec.Group != snapshot.SparkGroup {
		return nil, nil
	}
	out := &snapshot.CRD{
		Object: w.object(item.Location), Group: w.Spec.Group, Resource: w.Spec.Names.Plural, PreservesUnknown: w.Spec.PreservesUnknown,
		LastApplied: w.Metadata.Annotations.LastApplied, StoredVersions: w.Status.StoredVersions,
	}
	var m crdManagers
	if err := json.Unmarshal(item.Raw, &m, Options()); err == nil { // what is malformed tells nothing
		out.VersionManagers = m.names()
	}
	for _, v := range w.Spec.Versions {
		spec := v.Schema.Root.Properties.Spec
		slices.Sort(spec.names)
		slices.Sort(spec.open)
		out.Versions = append(out.Versions, snapshot.CRDVersion{
			Name: v.Name, Served: v.Served, Storage: v.Storage, Fields: slices.Clip(spec.names), Open: slices.Clip(spec.open),
		})
	}
	return out, nil
}

// wireCRDRule is what a CRD demands of the spec of its objects.
type wireCRDRule struct {
	wireObject
	Spec struct {
		Group    string `json:"group"`
		Versions []struct {
			Storage bool `json:"storage"`
			Schema  struct {
				Root struct {
					Properties struct {
						Spec jsontext.Value `json:"spec"`
					} `json:"properties"`
				} `json:"openAPIV3Schema"`
			} `json:"schema"`
		} `json:"versions"`
	} `json:"spec"`
}

// decodeCRDRule reads the definitions of the operator only.
func (d *Decoder) decodeCRDRule(_ snapshot.Source, item Item) (*snapshot.CRDRule, error) {
	var w wireCRDRule
	if err := json.Unmarshal(item.Raw, &w, Options()); err != nil {
		return nil, err
	}
	if w.Spec.Group != snapshot.SparkGroup {
		return nil, nil
	}
	out := &snapshot.CRDRule{Object: w.object(item.Location)}
	for _, v := range w.Spec.Versions {
		if v.Storage {
			out.Rules = schema.Parse(v.Schema.Root.Properties.Spec, Options())
		}
	}
	return out, nil
}

// crdManagers is who wrote the versions of a CRD.
type crdManagers struct {
	Metadata struct {
		ManagedFields []struct {
			Manager  string `json:"manager"`
			FieldsV1 struct {
				Spec struct {
					Versions jsontext.Value `json:"f:versions"`
				} `json:"f:spec"`
			} `json:"fieldsV1"`
		} `json:"managedFields"`
	} `json:"metadata"`
}

func (m *crdManagers) names() []string {
	var out []string
	for _, entry := range m.Metadata.ManagedFields {
		if entry.FieldsV1.Spec.Versions != nil {
			out = append(out, entry.Manager)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// fieldNames reads the names of a schema's properties and those within, of items and of values of maps, too.
type fieldNames struct {
	names []string
	open  []string // paths below which the API server keeps what the schema does not name
}

func (f *fieldNames) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	return f.read(dec, nil)
}

func (f *fieldNames) read(dec *jsontext.Decoder, path []string) error {
	if dec.PeekKind() != '{' {
		return dec.SkipValue()
	}
	if len(path) >= fieldDepth || len(f.names) >= maxFields { // nothing is said of what is below
		f.open = append(f.open, strings.Join(path, "."))
		return dec.SkipValue()
	}
	return members(dec, func(keyword string) error {
		switch keyword {
		case "properties":
			return members(dec, func(name string) error {
				below := append(slices.Clip(path), name)
				f.names = append(f.names, strings.Join(below, "."))
				return f.read(dec, below)
			})
		case "items":
			return f.read(dec, append(slices.Clip(path), snapshot.EachItem))
		case "additionalProperties":
			values := append(slices.Clip(path), snapshot.AnyKey)
			switch dec.PeekKind() {
			case '{':
				f.names = append(f.names, strings.Join(values, "."))
			case 't':
				f.open = append(f.open, strings.Join(path, "."))
			}
			return f.read(dec, values)
		case "x-kubernetes-preserve-unknown-fields":
			if dec.PeekKind() == 't' {
				f.open = append(f.open, strings.Join(path, "."))
			}
		}
		return dec.SkipValue()
	})
}

// keptEventMessage bounds what is kept of a message; the recorder cuts at 1,024 bytes itself.
const keptEventMessage = 1024

// decodeEvent reads an event of the source's group. It returns nil for one that no check reads.
func decodeEvent(_ *Decoder, src snapshot.Source, item Item) (snapshot.Record, error) {
	var e corev1.Event
	var err error
	if src.Group == snapshot.EventsGroup {
		var other eventsv1.Event
		err = typed(item, &other)
		e = coreEvent(&other)
	} else {
		err = typed(item, &e)
	}
	if err == nil && !snapshot.EventIsRead(e.Reason) {
		return nil, nil
	}
	return new(eventFrom(&e, item.Location)), err
}

// coreEvent returns what the core group shows of an event (pkg/apis/events/v1/conversion.go and zz_generated.conversion.go in
// kubernetes). The controller that reports is not kept.
func coreEvent(e *eventsv1.Event) corev1.Event {
	out := corev1.Event{
		ObjectMeta: e.ObjectMeta, Reason: e.Reason, Message: e.Note, InvolvedObject: e.Regarding, EventTime: e.EventTime,
		Count: e.DeprecatedCount, FirstTimestamp: e.DeprecatedFirstTimestamp, LastTimestamp: e.DeprecatedLastTimestamp,
	}
	if e.Series != nil {
		out.Series = &corev1.EventSeries{Count: e.Series.Count, LastObservedTime: e.Series.LastObservedTime}
	}
	return out
}

func eventFrom(e *corev1.Event, loc snapshot.Location) snapshot.Event {
	out := snapshot.Event{
		Object: objectFrom("v1", "Event", &e.ObjectMeta, loc), Reason: e.Reason,
		Message: redact.Excerpt(e.Message, keptEventMessage),
		Involved: snapshot.Ref{
			APIVersion: e.InvolvedObject.APIVersion, Kind: e.InvolvedObject.Kind, Namespace: e.InvolvedObject.Namespace,
			Name: e.InvolvedObject.Name, UID: string(e.InvolvedObject.UID),
		},
		Count: max(1, int(e.Count)), First: e.FirstTimestamp.UTC(), Last: e.LastTimestamp.UTC(),
	}
	if e.FirstTimestamp.IsZero() {
		out.First, out.Last = e.EventTime.UTC(), e.EventTime.UTC()
	}
	if e.Series != nil {
		out.Count, out.Last = max(out.Count, int(e.Series.Count)), e.Series.LastObservedTime.UTC()
	}
	return out
}

func leaseFrom(l *coordinationv1.Lease, loc snapshot.Location) *snapshot.Lease {
	out := snapshot.Lease{Object: objectFrom("coordination.k8s.io/v1", "Lease", &l.ObjectMeta, loc)}
	if l.Spec.HolderIdentity != nil {
		out.Holder = *l.Spec.HolderIdentity
	}
	if l.Spec.AcquireTime != nil {
		out.Acquired = l.Spec.AcquireTime.UTC()
	}
	if l.Spec.RenewTime != nil {
		out.Renewed = l.Spec.RenewTime.UTC()
	}
	if l.Spec.LeaseDurationSeconds != nil {
		out.Duration = time.Duration(*l.Spec.LeaseDurationSeconds) * time.Second
	}
	return &out
}

func nodeFrom(n *corev1.Node, loc snapshot.Location) *snapshot.Node {
	out := snapshot.Node{Object: objectFrom("v1", "Node", &n.ObjectMeta, loc)}
	for i := range n.Status.Conditions {
		if c := &n.Status.Conditions[i]; c.Type == corev1.NodeReady {
			out.Ready, out.ReadySince = string(c.Status), c.LastTransitionTime.UTC()
			out.Reason, out.Message = c.Reason, redact.Excerpt(c.Message, keptMessage)
		}
	}
	return &out
}

func resourceQuotaFrom(q *corev1.ResourceQuota, loc snapshot.Location) *snapshot.ResourceQuota {
	out := snapshot.ResourceQuota{
		Object: objectFrom("v1", "ResourceQuota", &q.ObjectMeta, loc), Scoped: len(q.Spec.Scopes) > 0 || q.Spec.ScopeSelector != nil,
	}
	for name, hard := range q.Status.Hard {
		used := q.Status.Used[name]
		out.Limits = append(out.Limits, snapshot.QuotaLimit{Resource: string(name), Hard: hard.String(), Used: used.String()})
	}
	slices.SortFunc(out.Limits, func(a, b snapshot.QuotaLimit) int { return strings.Compare(a.Resource, b.Resource) })
	return &out
}

func jobFrom(j *batchv1.Job, loc snapshot.Location) *snapshot.Job {
	out := snapshot.Job{
		Object:    objectFrom("batch/v1", "Job", &j.ObjectMeta, loc),
		Pods:      int(j.Status.Active) + int(j.Status.Failed) + int(j.Status.Succeeded),
		Suspended: j.Spec.Suspend != nil && *j.Spec.Suspend,
	}
	for _, c := range j.Status.Conditions {
		if c.Type == batchv1.JobFailed && c.Status == corev1.ConditionTrue {
			out.Failed, out.Reason = c.LastTransitionTime.UTC(), c.Reason
		}
	}
	return &out
}
