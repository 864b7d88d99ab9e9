package snapshot

import (
	"errors"
	"fmt"
	"slices"

	"github.com/go-json-experiment/json"
	admissionv1 "k8s.io/api/admissionregistration/v1"
	appsv1 "k8s.io/api/apps/v1"
	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	utiljson "k8s.io/apimachinery/pkg/util/json"
)

// Item is one object as it came from the wire or from a file. Raw is only valid until the next item is read:
// decoders copy what they keep. JSON must be compact, or sizes count white space.
type Item struct {
	Encoding Encoding
	Raw      []byte
	Location Location
}

// Record is a decoded item: one of the record types of this package.
type Record interface{ object() *Object }

func (o *Object) object() *Object { return o }

// Decoder turns items into records. Records of one decoder share what they have in common. It is not safe for
// concurrent use.
type Decoder struct {
	sharer
	app SparkApplication
	pod Pod
	one Object

	// Memory that is used again.
	application          wireApplication
	spec                 wirePodSpec
	status               wirePodStatus
	containers           []ContainerTrouble
	hashes               []uint64
	number               [20]byte
	labelsKey, ownersKey []byte
	namespace, phase     string // of the object before
}

// NewDecoder returns a decoder that has seen nothing.
func NewDecoder() *Decoder { return &Decoder{sharer: newSharer()} }

// Decode turns an item of a view into a record, which is valid until the next call: Add copies it. With an error there
// is no record, or, for a SparkApplication that is Malformed, one of which only the metadata is good.
func (d *Decoder) Decode(src Source, item Item) (Record, error) {
	record, err := d.decode(src, item)
	if record != nil && !src.Namespaced {
		// Charts write a namespace on ClusterRoles and their bindings, and the API server drops it.
		record.object().Namespace = ""
	}
	if err == nil {
		return record, nil
	}
	err = errors.New(problemOf(err))
	if a, ok := record.(*SparkApplication); ok && a.Name != "" {
		return record, err
	}
	return nil, err
}

// Decode turns a single item into a record.
func Decode(src Source, item Item) (Record, error) { return NewDecoder().Decode(src, item) }

func (d *Decoder) decode(src Source, item Item) (Record, error) {
	loc := item.Location
	switch src.View {
	case SparkApplications:
		return d.decodeSparkApplication(item.Raw, loc)
	case ScheduledSparkApplications:
		w, err := decodeSchedule(item.Raw, loc)
		d.object(&w.Object)
		return &w, err
	case SparkConnects:
		c, err := decodeSparkConnect(item.Raw, loc)
		d.object(&c.Object)
		return &c, err
	case Workflows, WorkflowTemplates, ClusterWorkflowTemplates, CronWorkflows:
		w, err := decodeWorkflow(item.Raw, loc)
		return &w, err
	case SparkPods:
		return d.decodePod(item)
	case Deployments:
		var d appsv1.Deployment
		err := typed(item, &d)
		return new(deploymentFrom(&d, loc)), err
	case MutatingWebhooks:
		var c admissionv1.MutatingWebhookConfiguration
		err := typed(item, &c)
		return new(mutatingFrom(&c, loc)), err
	case ValidatingWebhooks:
		var c admissionv1.ValidatingWebhookConfiguration
		err := typed(item, &c)
		return new(validatingFrom(&c, loc)), err
	case WebhookEndpoints:
		var e discoveryv1.EndpointSlice
		err := typed(item, &e)
		return new(endpointSliceFrom(&e, loc)), err
	case OperatorPods:
		var p corev1.Pod
		err := typed(item, &p)
		return new(operatorPodFrom(&p, loc)), err
	case WebhookServices:
		var s corev1.Service
		err := typed(item, &s)
		return new(serviceFrom(&s, loc)), err
	default:
		return d.decodeNarrow(src, item)
	}
}

// decodeNarrow reads what is kept only in part, or not of every object.
func (d *Decoder) decodeNarrow(src Source, item Item) (Record, error) {
	loc := item.Location
	switch src.View {
	case ResourceQuotas:
		var q corev1.ResourceQuota
		err := typed(item, &q)
		return new(resourceQuotaFrom(&q, loc)), err
	case KueueWorkloads:
		o, err := d.decodeObject(src, item)
		if err == nil && !slices.ContainsFunc(o.Owners, ofSparkApplication) {
			return nil, nil
		}
		return o, err
	case Nodes:
		var n corev1.Node
		err := typed(item, &n)
		return new(nodeFrom(&n, loc)), err
	case Leases:
		var l coordinationv1.Lease
		err := typed(item, &l)
		return new(leaseFrom(&l, loc)), err
	case WebhookSecrets:
		var s corev1.Secret
		if err := typed(item, &s); err != nil {
			return nil, err
		}
		if w := webhookSecretFrom(&s, loc); w != nil {
			return w, nil
		}
		return nil, nil
	case RoleBindings, ClusterRoleBindings:
		return d.decodeBinding(src, item)
	case OperatorCRDs:
		c, err := decodeCRD(item.Raw, loc)
		if err == nil && c.Group != SparkGroup {
			return nil, nil
		}
		return &c, err
	case Roles, ClusterRoles:
		return decodeRules(src, item)
	case WarningEvents:
		return decodeEvent(src, item)
	default:
		return d.decodeObject(src, item)
	}
}

// typed decodes a built-in kind in full; the caller narrows it.
func typed[T any, P interface {
	*T
	Unmarshal([]byte) error
}](item Item, into P) error {
	if item.Encoding == JSON {
		return utiljson.Unmarshal(item.Raw, into)
	}
	return into.Unmarshal(item.Raw)
}

// decodeObject reads metadata only, of any kind, into d.one.
func (d *Decoder) decodeObject(src Source, item Item) (*Object, error) {
	o := &d.one
	*o = Object{}
	if item.Encoding == JSON {
		var w wireObject
		if err := json.Unmarshal(item.Raw, &w, decodeOptions()); err != nil {
			return o, err
		}
		*o = w.object(item.Location)
		// Items of typed lists carry no kind, and metadata comes as an object of its own kind.
		if o.Kind == "" || o.Kind == "PartialObjectMetadata" {
			o.APIVersion, o.Kind = src.APIVersion(), src.Kind
		}
		d.object(o)
		return o, nil
	}
	o.APIVersion, o.Kind, o.Location = src.APIVersion(), src.Kind, item.Location
	metadata, err := first(item.Raw, 1)
	if err != nil {
		return o, err
	}
	return o, d.protoMetadata(metadata, o)
}

func indexed(path string, i int) string { return fmt.Sprintf("%s[%d]", path, i) }
