package fix

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// tool is a deployment tool that owns fields of an object, as a tree of FieldsV1.
type tool struct {
	manager string
	owns    map[string]any
}

// toolsOf reads the deployment tools of an object from its managedFields. Whoever else owns something, an operator say, is
// not asked: only what a tool applies again and again would take a change back. GetManagedFields would write all of them as
// JSON, those of a grown status too.
func toolsOf(o *Object) []tool {
	field, _, _ := unstructured.NestedFieldNoCopy(o.Object, "metadata", "managedFields")
	list, _ := field.([]any)
	var out []tool
	for _, one := range list {
		entry, _ := one.(map[string]any)
		manager, _ := entry["manager"].(string)
		subresource, _ := entry["subresource"].(string)
		tree, _ := entry["fieldsV1"].(map[string]any)
		if tree != nil && subresource == "" && isDeploymentTool(manager) {
			out = append(out, tool{manager, tree})
		}
	}
	return out
}

// managedBy returns the one of the tools that owns exactly a field; empty if none does.
func managedBy(tools []tool, o *Object, path Path) string {
	for _, t := range tools {
		if ownsPath(t.owns, o.Object, path) {
			return t.manager
		}
	}
	return ""
}

// isDeploymentTool knows the field managers of Helm, Argo CD and Flux.
func isDeploymentTool(manager string) bool {
	return slices.Contains([]string{"helm", "helm-controller", "kustomize-controller"}, manager) || strings.HasPrefix(manager, "argocd-")
}

// ownsPath follows a path in a FieldsV1 tree: "f:name" is a field, "k:{…}" the element with these keys, "v:…" the
// element that is this value (sigs.k8s.io/structured-merge-diff fieldpath). What ends in nothing below owns all of it.
func ownsPath(tree map[string]any, at any, path Path) bool {
	for _, step := range path {
		next, _, _, err := child(at, step)
		if err != nil {
			return false
		}
		below, owned := treeStep(tree, step, next)
		if !owned {
			return false
		}
		if len(below) == 0 {
			return true
		}
		tree, at = below, next
	}
	return true
}

func treeStep(tree map[string]any, step string, value any) (map[string]any, bool) {
	if !isElement(step) {
		below, owned := tree["f:"+step].(map[string]any)
		return below, owned
	}
	for name, below := range tree {
		fields, _ := below.(map[string]any)
		if text, ok := strings.CutPrefix(name, "v:"); ok {
			var v any
			if json.Unmarshal([]byte(text), &v) == nil && element("", "") != step && equal(v, value) {
				return fields, true
			}
		}
		if text, ok := strings.CutPrefix(name, "k:"); ok {
			var keys map[string]any
			if json.Unmarshal([]byte(text), &keys) == nil && hasKeys(value, keys) {
				return fields, true
			}
		}
	}
	return nil, false
}

func hasKeys(value any, keys map[string]any) bool {
	fields, ok := value.(map[string]any)
	if !ok {
		return false
	}
	for k, v := range keys {
		if !equal(fields[k], v) {
			return false
		}
	}
	return true
}

// Unowned says that an object does not show that this tool wrote what a record says it wrote.
type Unowned struct{ Reason string }

func (u *Unowned) Error() string { return u.Reason }

// writtenByManager holds a change that is to be taken back against the object itself. Any program may have made a record; that a
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
		return &Unowned{fmt.Sprintf("%s of %s is missing, and nothing shows that field manager %q removed it: nothing is taken back",
			c.Path, target, manager)}
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
	return &Unowned{fmt.Sprintf("%s of %s was not written by field manager %q (--field-manager, as the fix had it): nothing is taken back",
		c.Path, target, manager)}
}
