package fix

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// SetFailurePolicy makes webhooks fail closed.
type SetFailurePolicy struct {
	Configuration snapshot.Ref `json:"configuration"`
	Webhooks      []string     `json:"webhooks"`
	Operator      string       `json:"operator"`           // namespace of the operator
	Unproven      string       `json:"unproven,omitempty"` // why the path is not proven to be healthy; empty: it is
}

func namespaceRef(name string) snapshot.Ref {
	return snapshot.Ref{APIVersion: "v1", Kind: "Namespace", Name: name}
}

func (i SetFailurePolicy) traits() Traits {
	return Traits{
		Target:    i.Configuration,
		Title:     "set failurePolicy to Fail, so that pods are rejected rather than started unmutated",
		Risk:      Disruptive,
		Order:     Policy,
		Reads:     []Read{{Ref: i.Configuration}, {Ref: namespaceRef("kube-system")}, {Ref: namespaceRef(i.Operator)}},
		Elsewhere: "set webhook.failurePolicy: Fail in the Helm values",
	}
}

func (i SetFailurePolicy) resolve(f Fresh) ([]Step, error) {
	c, err := f.Target(i.Configuration)
	if err != nil {
		return nil, err
	}
	if i.Unproven != "" {
		return nil, i.NotProven(i.Unproven)
	}
	step := Step{Target: i.Configuration, Why: "with Ignore a call that fails lets pods through unmutated"}
	list, _, _ := unstructured.NestedSlice(c.Object, "webhooks")
	for _, one := range list {
		w, _ := one.(map[string]any)
		name, _ := w["name"].(string)
		policy, _ := w["failurePolicy"].(string)
		if policy != "Ignore" || !slices.Contains(i.Webhooks, name) {
			continue
		}
		if open := i.reaches(f, w); open != "" {
			return nil, i.Reaches(name, open)
		}
		step.Changes = append(step.Changes,
			Change{Path: Path{"webhooks", element("name", name), "failurePolicy"}, Old: "Ignore", New: "Fail"})
	}
	if len(step.Changes) == 0 {
		return nil, done("no webhook of %s has Ignore any more", i.Configuration)
	}
	return []Step{step}, nil
}

// NotProven refuses to have calls fail closed while they may fail.
func (i SetFailurePolicy) NotProven(why string) *Refused {
	return &Refused{Reason: "the path of the webhook is not proven to be healthy: " + why,
		Advice: "with Fail every submission is refused while a call fails; prove the path with --probe"}
}

// Reaches refuses to have calls fail closed for a namespace of the control plane or of the operator.
func (i SetFailurePolicy) Reaches(webhook, namespace string) *Refused {
	return &Refused{
		Reason: fmt.Sprintf("%s has no selector that leaves out namespace %s, so that a fault of the webhook would stop it too",
			webhook, namespace),
		Advice: "limit the webhook to the job namespaces with a namespaceSelector first",
	}
}

// reaches returns the namespace of the control plane or the operator that a webhook does not leave out, by either
// selector. What has a selector of objects sees only what somebody labelled.
func (i SetFailurePolicy) reaches(f Fresh, w map[string]any) string {
	if !selectorOf(w["objectSelector"]).Empty() {
		return ""
	}
	selector := selectorOf(w["namespaceSelector"])
	for _, name := range []string{"kube-system", i.Operator} {
		set := labels.Set{"kubernetes.io/metadata.name": name}
		if ns := f.Object(namespaceRef(name)); ns != nil {
			set = ns.GetLabels()
		}
		if selector.Matches(set) {
			return name
		}
	}
	return ""
}

// selectorOf reads a LabelSelector; one that is not there, or not valid, matches everything.
func selectorOf(v any) labels.Selector {
	text, err := json.Marshal(v)
	var s metav1.LabelSelector
	if err == nil {
		err = json.NewDecoder(strings.NewReader(string(text))).Decode(&s)
	}
	selector, invalid := metav1.LabelSelectorAsSelector(&s)
	if err != nil || invalid != nil {
		return labels.Everything()
	}
	return selector
}
