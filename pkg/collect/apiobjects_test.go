package collect

import (
	"encoding/json"
	"fmt"
	"net/http"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	corev1 "k8s.io/api/core/v1"
	discoveryv1 "k8s.io/api/discovery/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/types"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func answer(w http.ResponseWriter, contentType string, value any) {
	w.Header().Set("Content-Type", contentType)
	_ = json.NewEncoder(w).Encode(value)
}

// object is a custom resource with a UID made of its name.
func object(apiVersion, kind, name, namespace string) *unstructured.Unstructured {
	u := &unstructured.Unstructured{Object: map[string]any{"apiVersion": apiVersion, "kind": kind}}
	u.SetName(name)
	u.SetNamespace(namespace)
	u.SetUID(types.UID("uid-" + name))
	return u
}

func application(name, namespace string, owners ...metav1.OwnerReference) *unstructured.Unstructured {
	u := object("sparkoperator.k8s.io/v1beta2", "SparkApplication", name, namespace)
	u.SetOwnerReferences(owners)
	return u
}

func owner(apiVersion, kind, name string) metav1.OwnerReference {
	return metav1.OwnerReference{APIVersion: apiVersion, Kind: kind, Name: name, UID: types.UID("uid-" + name)}
}

func objectMeta(name, namespace string) metav1.ObjectMeta {
	return metav1.ObjectMeta{Name: name, Namespace: namespace, UID: types.UID("uid-" + name)}
}

func pod(name, namespace string) *corev1.Pod {
	p := &corev1.Pod{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"}, ObjectMeta: objectMeta(name, namespace)}
	p.Labels = map[string]string{snapshot.LaunchedByLabel: "true", snapshot.RoleLabel: "driver"}
	p.Status.Phase = corev1.PodRunning
	return p
}

func namespaceObject(name string) *corev1.Namespace {
	return &corev1.Namespace{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Namespace"}, ObjectMeta: objectMeta(name, "")}
}

// webhook is the operator's configuration with the slices of its Service.
func webhook() []runtime.Object {
	policy := admissionv1.Ignore
	c := &admissionv1.MutatingWebhookConfiguration{
		TypeMeta:   metav1.TypeMeta{APIVersion: "admissionregistration.k8s.io/v1", Kind: "MutatingWebhookConfiguration"},
		ObjectMeta: objectMeta("spark-operator-webhook", ""),
		Webhooks: []admissionv1.MutatingWebhook{{
			Name: "mutate--v1-pod.sparkoperator.k8s.io", FailurePolicy: &policy,
			ClientConfig: admissionv1.WebhookClientConfig{Service: &admissionv1.ServiceReference{Namespace: "spark-operator", Name: "webhook-svc"}},
		}},
	}
	out := []runtime.Object{c}
	for i, service := range []string{"webhook-svc", "other"} {
		slice := &discoveryv1.EndpointSlice{
			TypeMeta:   metav1.TypeMeta{APIVersion: "discovery.k8s.io/v1", Kind: "EndpointSlice"},
			ObjectMeta: objectMeta(fmt.Sprint("slice-", i), "spark-operator"),
			Endpoints:  []discoveryv1.Endpoint{{Addresses: []string{"10.0.0.1"}}},
		}
		slice.Labels = map[string]string{discoveryv1.LabelServiceName: service}
		out = append(out, slice)
	}
	return out
}

// fleet is n applications with a driver pod each, in two namespaces, a schedule and a workflow that own some.
func fleet(n int) []runtime.Object {
	out := append(webhook(), namespaceObject("team-a"), namespaceObject("team-b"),
		object("argoproj.io/v1alpha1", "Workflow", "nightly", "argo"))
	for i := range n {
		namespace := [...]string{"team-a", "team-b"}[i%2]
		name := fmt.Sprintf("app-%03d", i)
		out = append(out, application(name, namespace, owner("argoproj.io/v1alpha1", "Workflow", "nightly")), pod(name+"-driver", namespace))
	}
	stranger := pod("nginx", "team-a")
	stranger.Labels = nil
	return append(out, stranger, event("e1", "Warning", snapshot.OwnerRefInvalidNamespace), event("e2", "Normal", "Pulled"),
		event("e3", "Warning", "Unhealthy"), event("e4", "Warning", "Other"))
}

func event(name, eventType, reason string) *corev1.Event {
	return &corev1.Event{TypeMeta: metav1.TypeMeta{APIVersion: "v1", Kind: "Event"}, ObjectMeta: objectMeta(name, "team-a"), Type: eventType,
		Reason: reason, Message: "a message of ordinary length about what happened to a pod"}
}
