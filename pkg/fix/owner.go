package fix

import (
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// AddOwner gives a driver pod the ownerReference to its application that the operator should have set.
type AddOwner struct {
	Pod         snapshot.Ref `json:"pod"`
	Application snapshot.Ref `json:"application"`
}

func (i AddOwner) traits() Traits {
	return Traits{
		Target: i.Pod,
		Title:  fmt.Sprintf("add the ownerReference to SparkApplication %s", i.Application.Name),
		Risk:   Safe,
		Order:  Adoption,
		Reads:  []Read{{Ref: i.Pod}, {Ref: i.Application}},
	}
}

func (i AddOwner) resolve(f Fresh) ([]Step, error) {
	pod, err := f.Target(i.Pod)
	if err != nil {
		return nil, err
	}
	app, err := f.Target(i.Application)
	switch {
	case err != nil:
		return nil, err
	case app.GetDeletionTimestamp() != nil:
		return nil, &Refused{Reason: fmt.Sprintf("%s is being deleted, and the garbage collector would stop the driver with it",
			i.Application)}
	case pod.GetDeletionTimestamp() != nil:
		return nil, stale("%s is being deleted", i.Pod)
	}
	for _, ref := range pod.GetOwnerReferences() {
		if string(ref.UID) == i.Application.UID {
			return nil, done("%s has the reference", i.Pod)
		}
		if ref.Controller != nil && *ref.Controller {
			return nil, &Refused{Reason: fmt.Sprintf("%s %s controls it, and an object has one controller", ref.Kind, ref.Name)}
		}
	}
	submission, _, _ := unstructured.NestedString(app.Object, "status", "submissionID")
	if got := pod.GetLabels()[snapshot.SubmissionIDLabel]; got == "" || got != submission {
		return nil, stale("it is of submission %q, and %s is at %q", got, i.Application, submission)
	}
	// As the operator sets it (pkg/util/sparkapplication.go@v2.5.2, GetOwnerReference).
	reference := map[string]any{
		"apiVersion": i.Application.APIVersion, "kind": i.Application.Kind, "name": i.Application.Name, "uid": i.Application.UID,
		"controller": true, "blockOwnerDeletion": true,
	}
	return []Step{{
		Target: i.Pod, Why: "without it the driver runs on when its application is deleted",
		Changes: []Change{{Path: Path{"metadata", "ownerReferences", element("uid", i.Application.UID)}, New: reference}},
	}}, nil
}

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
	o, err := f.Target(i.Dependent)
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
