package snapshot

import (
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/redact"
)

// Label is one key and value of metadata.labels.
type Label struct{ Key, Value string }

// Labels are the labels of an object. Objects that are alike share a sorted list, and executors have their number for
// themselves: a fleet has 100,000 pods. They satisfy k8s.io/apimachinery/pkg/labels.Labels, so selectors match them as
// they are.
type Labels struct {
	shared *labelSet // nil: none
	own    *Label
}

// labelSet is a sorted list with those that are asked for again and again.
type labelSet struct {
	list                  []Label
	app, role, submission string
}

func newLabelSet(sorted []Label) *labelSet {
	if len(sorted) == 0 {
		return nil
	}
	for i := range sorted {
		sorted[i].Value = redact.Text(sorted[i].Value) // an API server takes few characters, but files hold any
	}
	s := &labelSet{list: sorted}
	s.app, _ = s.lookup(AppNameLabel)
	s.role, _ = s.lookup(RoleLabel)
	s.submission, _ = s.lookup(SubmissionIDLabel)
	return s
}

func (s *labelSet) lookup(key string) (value string, exists bool) {
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
	return Labels{shared: newLabelSet(sortLabels(out))}
}

// sorted returns all of them.
func (l Labels) sorted() []Label {
	var list []Label
	if l.shared != nil {
		list = l.shared.list
	}
	if l.own != nil {
		list = sortLabels(append(slices.Clone(list), *l.own))
	}
	return list
}

// Lookup returns the value of a label and whether it is set.
func (l Labels) Lookup(key string) (value string, exists bool) {
	if l.own != nil && l.own.Key == key {
		return l.own.Value, true
	}
	return l.shared.lookup(key)
}

// Get returns the value of a label, empty if it is not set.
func (l Labels) Get(key string) string { value, _ := l.Lookup(key); return value }

// Has reports whether a label is set.
func (l Labels) Has(key string) bool { _, exists := l.Lookup(key); return exists }

// String returns "key=value,key=value", sorted, as kubectl shows labels.
func (l Labels) String() string {
	list := l.sorted()
	pairs := make([]string, 0, len(list))
	for _, one := range list {
		pairs = append(pairs, one.Key+"="+one.Value)
	}
	return strings.Join(pairs, ",")
}
