package fix

import (
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// FormerOwnerAnnotation keeps what a removed ownerReference said.
const FormerOwnerAnnotation = "sparkdoctor.io/former-owner"

// StripOwner removes one ownerReference that the garbage collector would take as a reason to delete the object.
type StripOwner struct {
	Dependent snapshot.Ref `json:"dependent"`
	Owner     snapshot.Ref `json:"owner"` // as the reference names it, in the namespace where the garbage collector looks
	Home      string       `json:"home,omitempty"`
	// Home is the namespace in which the owner was found; empty if it was found nowhere.
}

func (i StripOwner) traits() Traits {
	return Traits{
		Target: i.Dependent,
		Title:  fmt.Sprintf("remove the ownerReference to %s %s; the object then outlives it", i.Owner.Kind, i.Owner.Name),
		Risk:   Safe,
		Order:  Release,
		Reads:  []Read{{Ref: i.Dependent}, {Ref: i.Owner}},
	}
}

func (i StripOwner) resolve(f Fresh) ([]Step, error) {
	o, err := f.target(i.Dependent)
	if err != nil {
		return nil, err
	}
	if o.GetDeletionTimestamp() != nil {
		return nil, stale("%s is being deleted", i.Dependent)
	}
	if owner := f.Object(i.Owner); owner != nil && string(owner.GetUID()) == i.Owner.UID {
		return nil, stale("its owner %s exists after all", i.Owner)
	}
	list, _, _ := unstructured.NestedSlice(o.Object, "metadata", "ownerReferences")
	entry := element("uid", i.Owner.UID)
	at := find(list, entry)
	if at < 0 {
		return nil, done("it has no reference to %s with UID %s any more", i.Owner.Kind, i.Owner.UID)
	}
	former := fmt.Sprintf("%s %s, UID %s", i.Owner.Kind, i.Owner.Name, i.Owner.UID)
	if i.Home != "" {
		former = fmt.Sprintf("%s %s/%s, UID %s", i.Owner.Kind, i.Home, i.Owner.Name, i.Owner.UID)
	}
	return []Step{{
		Target: i.Dependent, Why: "the garbage collector looks for the owner in the object's own namespace and does not find it there",
		Changes: []Change{
			{Path: Path{"metadata", "ownerReferences", entry}, Old: list[at]},
			annotation(o, []string{"metadata"}, FormerOwnerAnnotation, former),
		},
	}}, nil
}

// annotation is the change that sets an annotation below a path.
func annotation(o *Object, above []string, key, value string) Change {
	path := append(append(Path{}, above...), "annotations", key)
	old, found, _ := unstructured.NestedString(o.Object, path...)
	c := Change{Path: path, New: value}
	if found {
		c.Old = old
	}
	return c
}
