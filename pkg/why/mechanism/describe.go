package mechanism

import (
	"fmt"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/util/duration"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// Age is the time since then. Clocks differ: what lies ahead began now.
func (v *View) Age(since time.Time) string { return duration.HumanDuration(max(v.Now.Sub(since), 0)) }

func nodeRef(n *corev1.Node) snapshot.Ref {
	return snapshot.Ref{APIVersion: "v1", Kind: "Node", Name: n.Name, UID: string(n.UID)}
}

// alsoRecorded adds what the operator wrote to what was seen. Beside what the kubelet recorded it proves nothing more.
func (v *View) alsoRecorded(seen ...cause.Proof) []cause.Proof {
	if v.Message == "" {
		return seen
	}
	return append(seen, cause.Proof{Object: v.AppRef(), Field: v.MessageField(), Value: v.Message, Beside: len(seen) > 0})
}

// nodeEvents are those of a node for a reason.
func (v *View) nodeEvents(name, reason string) []cause.Proof {
	var out []cause.Proof
	for _, e := range v.eventsOn("Node", name, reason) {
		out = append(out, cause.Proof{Object: e.Involved, Field: "event " + reason, Value: e.Message, At: e.Last})
	}
	return out
}

// MainImage is the image of the container that Spark runs in.
func MainImage(p *corev1.Pod) string {
	for _, c := range p.Spec.Containers {
		if c.Name == MainName(p) {
			return c.Image
		}
	}
	return ""
}

// Spec is a field of the spec as text; empty: it is not set.
func (v *View) Spec(path ...string) string {
	if v.Application == nil {
		return ""
	}
	field, found, _ := unstructured.NestedFieldNoCopy(v.Application.Object, append([]string{"spec"}, path...)...)
	if !found {
		return ""
	}
	return fieldText(field)
}

// fieldText writes maps as they stand on a command line: pool=spark.
func fieldText(field any) string {
	var parts []string
	switch one := field.(type) {
	case map[string]any:
		for key, value := range one {
			parts = append(parts, key+"="+fieldText(value))
		}
		slices.Sort(parts)
	case []any:
		for _, value := range one {
			parts = append(parts, fieldText(value))
		}
	default:
		return fmt.Sprint(field)
	}
	return strings.Join(parts, ", ")
}

// Settings are those of spec.sparkConf, without those whose name tells a secret.
func (v *View) Settings() map[string]string {
	out := map[string]string{}
	if v.Application == nil {
		return out
	}
	list, _, _ := unstructured.NestedMap(v.Application.Object, "spec", "sparkConf")
	for key, value := range list {
		lower := strings.ToLower(key)
		secret := slices.ContainsFunc([]string{"secret", "password", "token", ".key", "credential", "account.key", "sas"},
			func(word string) bool {
				return strings.Contains(lower, word)
			})
		if text, is := value.(string); is && !secret {
			out[key] = text
		}
	}
	return out
}
