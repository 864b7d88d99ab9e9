package snapshot

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// FieldManager is an entry of metadata.managedFields that owns a path which checks ask about.
type FieldManager struct {
	Manager   string
	Operation string // Apply or Update
	Time      time.Time
	Path      string // "f:data", "f:caBundle", …
}

// managersOf returns who owns any of the paths. A path is looked for as a field name anywhere in the entry; "owns"
// means its value, or a field below it: whoever made a map keeps "." of it when others have taken over what is in it.
func managersOf(m *metav1.ObjectMeta, paths ...string) []FieldManager {
	var out []FieldManager
	for _, entry := range m.ManagedFields {
		if entry.FieldsV1 == nil {
			continue
		}
		var fields any
		if json.Unmarshal(entry.FieldsV1.GetRawBytes(), &fields) != nil {
			continue
		}
		for _, path := range paths {
			if !owns(fields, path) {
				continue
			}
			f := FieldManager{Manager: entry.Manager, Operation: string(entry.Operation), Path: path}
			if entry.Time != nil {
				f.Time = entry.Time.UTC()
			}
			out = append(out, f)
		}
	}
	slices.SortFunc(out, func(a, b FieldManager) int {
		return strings.Compare(a.Path+a.Manager+a.Operation, b.Path+b.Manager+b.Operation)
	})
	return out
}

// owns looks for a path in a FieldsV1, a tree of field names whose leaves are empty objects.
func owns(fields any, path string) bool {
	tree, _ := fields.(map[string]any)
	for name, below := range tree {
		if name == path {
			within, _ := below.(map[string]any)
			_, itself := within["."]
			if !itself || len(within) > 1 {
				return true
			}
			continue
		}
		if owns(below, path) {
			return true
		}
	}
	return false
}

// trackedBy returns what marks an object as one of an Argo CD application: the annotation, or the label of those who
// changed application.instanceLabelKey. The default label, app.kubernetes.io/instance, is Helm's too and says nothing
// (argo-cd.readthedocs.io/en/stable/user-guide/resource_tracking).
func trackedBy(m *metav1.ObjectMeta) string {
	if id := m.Annotations["argocd.argoproj.io/tracking-id"]; id != "" {
		return "annotation argocd.argoproj.io/tracking-id " + id
	}
	if name := m.Labels["argocd.argoproj.io/instance"]; name != "" {
		return "label argocd.argoproj.io/instance " + name
	}
	return ""
}
