package ownership

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// Deletion is not a fault: while an application goes away its parts go one after the other, and no check of
// ownership speaks about them.

// apps is a set of Spark objects by namespace and name.
type apps map[[2]string]bool

// terminatingApps returns the Spark custom resources that are being deleted.
func terminatingApps(s *snapshot.Snapshot) apps {
	set := apps{}
	for o := range sparkObjects(s) {
		if o.Group() == snapshot.SparkGroup && o.Terminating() {
			set[[2]string{o.Namespace, o.Name}] = true
		}
	}
	return set
}

// owns reports whether an object is a part of one of the applications, by label.
func (a apps) owns(o *snapshot.Object) bool { return a[[2]string{o.Namespace, appOf(o)}] }

// maxChain bounds how far owners are followed: executor, driver, application, schedule, and one to spare.
const maxChain = 5

// goingAway reports whether any owner in the chain is terminating.
func goingAway(owners snapshot.Ownership, o *snapshot.Object, depth int) bool {
	return depth < maxChain && slices.ContainsFunc(o.Owners, func(ref snapshot.OwnerReference) bool {
		got := owners.Resolve(o, ref)
		return got.Verdict == snapshot.Valid && (got.Owner.Terminating() || goingAway(owners, got.Owner, depth+1))
	})
}

func isExecutor(o *snapshot.Object) bool {
	return o.Kind == "Pod" && o.Labels.Get(snapshot.RoleLabel) == "executor"
}

func unjudgedKinds(kinds map[string]bool) []string {
	if len(kinds) == 0 {
		return nil
	}
	return []string{fmt.Sprintf("owners of kind %s were not seen", strings.Join(slices.Sorted(maps.Keys(kinds)), ", "))}
}
