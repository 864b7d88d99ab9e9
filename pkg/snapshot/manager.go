package snapshot

import (
	"bytes"
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

// managersOf returns who owns any of the paths. A path is looked for as a field name anywhere in the entry.
func managersOf(m *metav1.ObjectMeta, paths ...string) []FieldManager {
	var out []FieldManager
	for _, entry := range m.ManagedFields {
		if entry.FieldsV1 == nil {
			continue
		}
		for _, path := range paths {
			if !bytes.Contains(entry.FieldsV1.GetRawBytes(), []byte(`"`+path+`":`)) {
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
