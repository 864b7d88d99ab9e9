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
	pod, err := f.target(i.Pod)
	if err != nil {
		return nil, err
	}
	app, err := f.target(i.Application)
	switch {
	case err != nil:
		return nil, err
	case app.GetDeletionTimestamp() != nil:
		return nil, &Refused{Reason: fmt.Sprintf("%s is being deleted, and the garbage collector would stop the driver with it", i.Application)}
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
