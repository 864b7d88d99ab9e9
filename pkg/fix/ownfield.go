package fix

import (
	"fmt"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// Unowned says that an object does not show that this tool wrote what a record says it wrote.
type Unowned struct{ Reason string }

func (u *Unowned) Error() string { return u.Reason }

// writtenByManager holds a change that is to be taken back against the object itself. A record is a file that anybody may have made; that a
// field manager owns a field is what the API server noted when the field was written, and a later write of another value passes the
// field on to whoever made it (https://kubernetes.io/docs/reference/using-api/server-side-apply/#field-management). The record does
// not name the manager: it would name whoever owns the field.
//
// A field that was removed has no owner any more, and a request that only removes leaves no entry of its manager (merge.Updater
// drops an empty set, sigs.k8s.io/structured-merge-diff). So nothing is written back where a field is missing, but for what
// pruneExecutorState removes: the table lets nothing be written there but entries of executors that ended, and only while
// status.submissionID is as it was.
func writtenByManager(o *Object, target snapshot.Ref, manager, subresource string, c Change) error {
	if c.New == nil {
		if subresource == "status" && c.Path.under("status", "executorState") {
			return nil
		}
		return &Unowned{fmt.Sprintf("%s of %s is missing, and nothing shows that field manager %q removed it: nothing is taken back", c.Path, target, manager)}
	}
	field, _, _ := unstructured.NestedFieldNoCopy(o.Object, "metadata", "managedFields")
	list, _ := field.([]any)
	for _, one := range list {
		entry, _ := one.(map[string]any)
		tree, _ := entry["fieldsV1"].(map[string]any)
		of, _ := entry["subresource"].(string)
		if tree != nil && entry["manager"] == any(manager) && of == subresource && ownsPath(tree, o.Object, c.Path) {
			return nil
		}
	}
	return &Unowned{fmt.Sprintf("%s of %s was not written by field manager %q (--field-manager, as the fix had it): nothing is taken back", c.Path, target, manager)}
}
