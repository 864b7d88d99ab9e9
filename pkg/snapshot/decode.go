package snapshot

import (
	"errors"
	"fmt"

	"github.com/go-json-experiment/json"
	admissionv1 "k8s.io/api/admissionregistration/v1"
	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
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

// Decode turns an item of a view into a record. With an error there is no record, or, for a SparkApplication that is
// Malformed, one of which only the metadata is good.
func Decode(src Source, item Item) (Record, error) {
	record, err := decode(src, item)
	if err == nil {
		return record, nil
	}
	err = errors.New(problemOf(err))
	if a, ok := record.(*SparkApplication); ok && a.Name != "" {
		return record, err
	}
	return nil, err
}

func decode(src Source, item Item) (Record, error) {
	loc := item.Location
	switch src.View {
	case SparkApplications:
		a, err := decodeSparkApplication(item.Raw, loc)
		return &a, err
	case Workflows, WorkflowTemplates, ClusterWorkflowTemplates, CronWorkflows:
		w, err := decodeWorkflow(item.Raw, loc)
		return &w, err
	case SparkPods:
		var p corev1.Pod
		err := typed(item, &p)
		return new(podFrom(&p, loc)), err
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
	case WebhookSecrets:
		var s corev1.Secret
		if err := typed(item, &s); err != nil {
			return nil, err
		}
		if w := webhookSecretFrom(&s, loc); w != nil {
			return w, nil
		}
		return nil, nil
	case OwnerEvents:
		var e corev1.Event
		err := typed(item, &e)
		return new(eventFrom(&e, loc)), err
	default:
		return decodeObject(src, item)
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

// decodeObject reads metadata only, of any kind.
func decodeObject(src Source, item Item) (*Object, error) {
	if item.Encoding == JSON {
		var w wireObject
		if err := json.Unmarshal(item.Raw, &w, decodeOptions()); err != nil {
			return &Object{}, err
		}
		o := w.object(item.Location)
		// Items of typed lists carry no kind, and metadata comes as an object of its own kind.
		if o.Kind == "" || o.Kind == "PartialObjectMetadata" {
			o.APIVersion, o.Kind = src.APIVersion(), src.Kind
		}
		return &o, nil
	}
	var m metav1.PartialObjectMetadata
	if err := m.Unmarshal(item.Raw); err != nil {
		return &Object{}, err
	}
	o := objectFrom(src.APIVersion(), src.Kind, &m.ObjectMeta, item.Location)
	return &o, nil
}

func indexed(path string, i int) string { return fmt.Sprintf("%s[%d]", path, i) }
