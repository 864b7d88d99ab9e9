package fix

import (
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// PatchBundle writes the CA of the webhook's Secret into its configuration. Charts up to 1.3 write it at start only
// (pkg/webhook/webhook.go@spark-operator-chart-1.3.0), while replicas read the Secret's files again and again.
type PatchBundle struct {
	Configuration snapshot.Ref `json:"configuration"`
	Webhooks      []string     `json:"webhooks"`
	Secret        snapshot.Ref `json:"secret"`
	Key           string       `json:"key"` // of the CA's certificate
}

func (i PatchBundle) traits() Traits {
	return Traits{
		Target: i.Configuration,
		Title:  "write the CA of " + i.Secret.String() + " into the configuration",
		Risk:   Disruptive,
		Order:  Webhook,
		Reads:  []Read{{Ref: i.Configuration}, {Ref: i.Secret}},
	}
}

func (i PatchBundle) resolve(f Fresh) ([]Step, error) {
	c, err := f.Target(i.Configuration)
	if err != nil {
		return nil, err
	}
	secret, err := f.Target(i.Secret)
	if err != nil {
		return nil, err
	}
	ca, _, _ := unstructured.NestedString(secret.Object, "data", i.Key)
	if ca == "" {
		return nil, stale("%s has no %s", i.Secret, i.Key)
	}
	step := Step{Target: i.Configuration, Why: "the API server trusts what caBundle holds, and the webhook serves what the Secret holds"}
	list, _, _ := unstructured.NestedSlice(c.Object, "webhooks")
	for _, one := range list {
		w, _ := one.(map[string]any)
		name, _ := w["name"].(string)
		old, found, _ := unstructured.NestedString(w, "clientConfig", "caBundle")
		if !slices.Contains(i.Webhooks, name) || old == ca {
			continue
		}
		change := Change{Path: Path{"webhooks", element("name", name), "clientConfig", "caBundle"}, New: ca}
		if found {
			change.Old = old
		}
		step.Changes = append(step.Changes, change)
	}
	if len(step.Changes) == 0 {
		return nil, done("caBundle holds the CA of %s", i.Secret)
	}
	return []Step{step}, nil
}
