package fix_test

import (
	"errors"
	"fmt"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// A driver pod names an owner in another namespace, and the garbage collector would delete it.
func ExampleResolve() {
	pod := snapshot.Ref{APIVersion: "v1", Kind: "Pod", Namespace: "team-a", Name: "etl-driver", UID: "p1"}
	intent := fix.StripOwner{Dependent: pod, Owner: snapshot.Ref{APIVersion: "argoproj.io/v1alpha1", Kind: "Workflow", Namespace: "team-a",
		Name: "nightly", UID: "w1"}}
	fmt.Println(fix.TraitsOf(intent).Risk, "-", fix.TraitsOf(intent).Title)

	fresh := fix.NewFresh()
	now := &fix.Object{Object: map[string]any{
		"apiVersion": "v1", "kind": "Pod",
		"metadata": map[string]any{"name": "etl-driver", "namespace": "team-a", "uid": "p1", "resourceVersion": "7", "ownerReferences": []any{
			map[string]any{"apiVersion": "argoproj.io/v1alpha1", "kind": "Workflow", "name": "nightly", "uid": "w1"},
		}},
	}}
	fresh.Put(now)
	steps, err := fix.Resolve(intent, fresh)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, change := range steps[0].Changes {
		fmt.Println(change.Path, "→", change.New)
	}
	for _, op := range steps[0].Patch() {
		fmt.Println(op.Op, op.Path)
	}

	now.SetOwnerReferences(nil) // as after the patch
	_, err = fix.Resolve(intent, fresh)
	fmt.Println(errors.As(err, new(*fix.Done)), err)
	now.SetUID("p2") // a retry made another driver
	_, err = fix.Resolve(intent, fresh)
	fmt.Println(errors.As(err, new(*fix.Stale)), err)
	// Output:
	// safe - remove the ownerReference to Workflow nightly; the object then outlives it
	// metadata.ownerReferences[uid=w1] → <nil>
	// metadata.annotations["sparkdoctor.io/former-owner"] → Workflow nightly, UID w1
	// test /metadata/uid
	// test /metadata/resourceVersion
	// test /metadata/ownerReferences/0
	// remove /metadata/ownerReferences/0
	// add /metadata/annotations
	// add /metadata/annotations/sparkdoctor.io~1former-owner
	// true it has no reference to Workflow with UID w1 any more
	// true Pod team-a/etl-driver was replaced by another object of that name
}
