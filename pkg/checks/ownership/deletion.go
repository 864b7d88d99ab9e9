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

// deletions knows which objects have an owner that is terminating. Objects may have thousands of owners, which have as many: each is
// followed once.
type deletions struct {
	owners snapshot.Ownership
	known  map[followed]bool
}

// followed is an object, and how many owners lie between it and what is asked about.
type followed struct {
	object *snapshot.Object
	depth  int
}

func newDeletions(owners snapshot.Ownership) deletions { return deletions{owners, map[followed]bool{}} }

// goingAway reports whether any owner in the chain is terminating.
func (d deletions) goingAway(o *snapshot.Object) bool { return d.within(o, 0) }

func (d deletions) within(o *snapshot.Object, depth int) bool {
	return depth < maxChain && slices.ContainsFunc(o.Owners, func(ref snapshot.OwnerReference) bool {
		got := d.owners.Resolve(o, ref)
		if got.Verdict != snapshot.Valid {
			return false
		}
		at := followed{got.Owner, depth + 1}
		going, known := d.known[at]
		if !known {
			going = got.Owner.Terminating() || d.within(got.Owner, depth+1)
			d.known[at] = going
		}
		return going
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
