package snapshot

import (
	"slices"
	"strings"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/redact"
)

// Label is one key and value of metadata.labels.
type Label struct{ Key, Value string }

// Labels are the labels of an object. Objects that are alike share a sorted list, and executors have their number for
// themselves: a fleet has 100,000 pods. They satisfy k8s.io/apimachinery/pkg/labels.Labels, so selectors match them as
// they are.
type Labels struct {
	Shared *LabelSet // nil: none
	Own    *Label
}

// LabelSet is a sorted list with those that are asked for again and again.
type LabelSet struct {
	list                  []Label
	app, role, submission string
}

// NewLabelSet takes secrets out of a sorted list of labels. It returns nil for none.
func NewLabelSet(sorted []Label) *LabelSet {
	if len(sorted) == 0 {
		return nil
	}
	for i := range sorted {
		sorted[i].Value = redact.Text(sorted[i].Value) // an API server takes few characters, but files hold any
	}
	s := &LabelSet{list: sorted}
	s.app, _ = s.lookup(AppNameLabel)
	s.role, _ = s.lookup(RoleLabel)
	s.submission, _ = s.lookup(SubmissionIDLabel)
	return s
}

func (s *LabelSet) lookup(key string) (value string, exists bool) {
	if s == nil {
		return "", false
	}
	for i := range s.list { // a dozen, which differ in length: quicker than a search
		if s.list[i].Key == key {
			return s.list[i].Value, true
		}
	}
	return "", false
}

// LabelsOf returns labels that nothing shares.
func LabelsOf(m map[string]string) Labels {
	out := make([]Label, 0, len(m))
	for k, v := range m {
		out = append(out, Label{k, v})
	}
	return Labels{Shared: NewLabelSet(SortLabels(out))}
}

// Sorted returns all of them.
func (l Labels) Sorted() []Label {
	var list []Label
	if l.Shared != nil {
		list = l.Shared.list
	}
	if l.Own != nil {
		list = SortLabels(append(slices.Clone(list), *l.Own))
	}
	return list
}

// Lookup returns the value of a label and whether it is set.
func (l Labels) Lookup(key string) (value string, exists bool) {
	if l.Own != nil && l.Own.Key == key {
		return l.Own.Value, true
	}
	return l.Shared.lookup(key)
}

// Get returns the value of a label, empty if it is not set.
func (l Labels) Get(key string) string { value, _ := l.Lookup(key); return value }

// Has reports whether a label is set.
func (l Labels) Has(key string) bool { _, exists := l.Lookup(key); return exists }

// String returns "key=value,key=value", sorted, as kubectl shows labels.
func (l Labels) String() string {
	list := l.Sorted()
	pairs := make([]string, 0, len(list))
	for _, one := range list {
		pairs = append(pairs, one.Key+"="+one.Value)
	}
	return strings.Join(pairs, ",")
}

// SortLabels sorts labels by key and keeps the last of those that have the same.
func SortLabels(list []Label) []Label {
	slices.SortStableFunc(list, func(a, b Label) int { return strings.Compare(a.Key, b.Key) })
	kept := list[:0]
	for i, l := range list {
		if i+1 == len(list) || list[i+1].Key != l.Key {
			kept = append(kept, l)
		}
	}
	return slices.Clip(kept)
}

// FieldManager is an entry of metadata.managedFields that owns a path which checks ask about.
type FieldManager struct {
	Manager   string
	Operation string // Apply or Update
	Time      time.Time
	Path      string // "f:data", "f:caBundle", …
}

// Deploys reports whether it is a GitOps tool or Helm. Argo CD's are argocd-controller and argocd-server, Flux' kustomize-controller and
// helm-controller.
func (m FieldManager) Deploys() bool {
	return strings.HasPrefix(m.Manager, "argocd-") || slices.Contains([]string{"kustomize-controller", "helm-controller", "helm"}, m.Manager)
}

// LastWriter is who of some managers wrote a path last; zero: none did.
func LastWriter(managers []FieldManager, path string) (last FieldManager) {
	for _, m := range managers {
		if m.Path == path && !m.Time.Before(last.Time) {
			last = m
		}
	}
	return last
}
