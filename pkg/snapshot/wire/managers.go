package wire

import (
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// managedFields keeps of metadata.managedFields when spec and status were last written. The API server dates an entry
// when its manager last changed anything in it, so they are not newer than that.
type managedFields struct{ SpecChanged, StatusChanged time.Time }

// UnmarshalJSONFrom passes over all but times and the names of what lies at the top. What is malformed tells nothing.
func (m *managedFields) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	if dec.PeekKind() != '[' {
		return dec.SkipValue()
	}
	return elements(dec, func() error { return m.entry(dec) })
}

func (m *managedFields) entry(dec *jsontext.Decoder) error {
	if dec.PeekKind() != '{' {
		return dec.SkipValue()
	}
	var at time.Time
	spec, status := false, false
	err := rawMembers(dec, func(name []byte) error {
		switch {
		case string(name) == "time" && dec.PeekKind() == '"':
			token, err := dec.ReadToken()
			if err == nil {
				at, _ = snapshot.ParseTime(token.String())
			}
			return err
		case string(name) == "fieldsV1" && dec.PeekKind() == '{':
			return rawMembers(dec, func(field []byte) error {
				spec, status = spec || string(field) == "f:spec", status || string(field) == "f:status"
				return dec.SkipValue()
			})
		default:
			return dec.SkipValue()
		}
	})
	if at = at.UTC(); at.Year() > 9999 {
		return err
	}
	if spec && at.After(m.SpecChanged) {
		m.SpecChanged = at
	}
	if status && at.After(m.StatusChanged) {
		m.StatusChanged = at
	}
	return err
}

// managersOf returns who owns any of the paths. A path is looked for as a field name anywhere in the entry; "owns"
// means its value, or a field below it: whoever made a map keeps "." of it when others have taken over what is in it.
func managersOf(m *metav1.ObjectMeta, paths ...string) []snapshot.FieldManager {
	var out []snapshot.FieldManager
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
			f := snapshot.FieldManager{Manager: entry.Manager, Operation: string(entry.Operation), Path: path}
			if entry.Time != nil {
				f.Time = entry.Time.UTC()
			}
			out = append(out, f)
		}
	}
	slices.SortFunc(out, func(a, b snapshot.FieldManager) int {
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
