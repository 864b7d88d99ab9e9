package fix

import (
	"slices"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

type ownerReference = metav1.OwnerReference

// LastAppliedAnnotation is kubectl's copy of the manifest (kubernetes.io/docs/reference/labels-annotations-taints).
const LastAppliedAnnotation = snapshot.LastAppliedAnnotation

// DropAnnotation removes kubectl's copy of the manifest where it makes the object too large and nobody needs it.
type DropAnnotation struct {
	Object snapshot.Ref `json:"object"`
	Key    string       `json:"key"`
}

func (i DropAnnotation) traits() Traits {
	return Traits{
		Target: i.Object,
		Title:  "remove the annotation " + i.Key,
		Risk:   Safe,
		Order:  Upkeep,
		Reads:  []Read{{Ref: i.Object}},
	}
}

func (i DropAnnotation) resolve(f Fresh) ([]Step, error) {
	o, err := f.Target(i.Object)
	if err != nil {
		return nil, err
	}
	value, found, _ := unstructured.NestedString(o.Object, "metadata", "annotations", i.Key)
	if !found {
		return nil, done("%s does not have it any more", i.Object)
	}
	// Who applies with kubectl on the client's side needs it to tell what was dropped from the manifest.
	if at := slices.IndexFunc(o.GetManagedFields(), func(m metav1.ManagedFieldsEntry) bool {
		return m.Manager == "kubectl-client-side-apply"
	}); at >= 0 {
		return nil, &Refused{
			Reason: "it was written by kubectl apply (field manager " + o.GetManagedFields()[at].Manager +
				"), which needs it to tell what was dropped from the manifest",
			Advice: "apply the manifest with kubectl apply --server-side, which keeps no such copy",
		}
	}
	return []Step{{
		Target: i.Object, Why: "it is the largest part of the object, and no tool applies the object on the client side",
		Changes: []Change{{Path: Path{"metadata", "annotations", i.Key}, Old: value}},
	}}, nil
}
