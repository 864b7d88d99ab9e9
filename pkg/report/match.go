package report

import (
	"regexp"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// matching pairs the findings of two reports, each with at most one.
type matching struct {
	older []*Item
	pairs map[*Item]*Item // from the newer to the older
	taken map[*Item]bool  // of the older
}

// match pairs findings with the same fingerprint, then, among what is left, those whose objects differ only by a
// generated end of their names. What is suppressed in the older report is not there.
func match(older, newer []Item) *matching {
	m := &matching{pairs: map[*Item]*Item{}, taken: map[*Item]bool{}}
	exact, alike := map[identity]*Item{}, map[string][]*Item{}
	for i := range older {
		item := &older[i]
		if item.Suppression != nil {
			continue
		}
		m.older = append(m.older, item)
		exact[item.identity()] = item
		if key := stem(item); key != "" {
			alike[key] = append(alike[key], item)
		}
	}
	for i := range newer {
		m.pair(&newer[i], exact[newer[i].identity()])
	}
	for i := range newer {
		for _, one := range alike[stem(&newer[i])] {
			m.pair(&newer[i], one)
		}
	}
	m.joined(newer)
	return m
}

// joined pairs what one report joins and the other has apart: how many applications one cause hits decides about that.
// A newer finding is an older one if that was about all its objects. An older one is not gone if a newer one is about
// any of its objects.
func (m *matching) joined(newer []Item) {
	for i := range newer {
		item := &newer[i]
		of := keysOf(item)
		for _, older := range m.older {
			if older.Check != item.Check || older.cluster != item.cluster || older.Field != item.Field {
				continue
			}
			if m.pairs[item] != nil && m.taken[older] {
				continue
			}
			if m.pairs[item] == nil && len(older.Objects) > 1 && about(item, keysOf(older)) == len(item.Refs()) {
				m.pairs[item], m.taken[older] = older, true
			}
			if !m.taken[older] && len(item.Objects) > 1 && about(older, of) > 0 {
				m.taken[older] = true
			}
		}
	}
}

// about counts the objects of a finding that are among some.
func about(item *Item, among map[snapshot.Key]bool) int {
	n := 0
	for _, o := range item.Refs() {
		if among[o.Key()] {
			n++
		}
	}
	return n
}

func keysOf(item *Item) map[snapshot.Key]bool {
	keys := map[snapshot.Key]bool{}
	for _, o := range item.Refs() {
		keys[o.Key()] = true
	}
	return keys
}

// Refs are the objects that a finding is about: those that it joins, else its own.
func (i *Item) Refs() []snapshot.Ref {
	if len(i.Objects) > 0 {
		return refsOf(i.Objects)
	}
	return []snapshot.Ref{i.Object}
}

func (m *matching) pair(item, older *Item) {
	if older != nil && m.pairs[item] == nil && !m.taken[older] {
		m.pairs[item], m.taken[older] = older, true
	}
}

// of returns the older finding that is the same, nil if there is none.
func (m *matching) of(item *Item) *Item { return m.pairs[item] }

// left are the older findings that no newer one is the same as.
func (m *matching) left() []*Item {
	return slices.DeleteFunc(slices.Clone(m.older), func(i *Item) bool { return m.taken[i] })
}

// generated is the end of a name that differs each time: the time in nanoseconds that the operator appends to the name of a
// schedule (internal/controller/scheduledsparkapplication/controller.go@v2.5.2), or the five characters of
// generateName (k8s.io/apimachinery/pkg/util/rand).
var generated = regexp.MustCompile(`-(\d{16,19}|[bcdfghjklmnpqrstvwxz2456789]{5})$`)

// stem is what a finding about an object with a generated name has in common with the one about its successor; empty
// for other names.
func stem(item *Item) string {
	base := generated.ReplaceAllString(item.Object.Name, "")
	if base == item.Object.Name || len(item.Objects) > 1 {
		return ""
	}
	return strings.Join([]string{item.cluster, item.Check, item.Object.GroupKind().String(), item.Object.Namespace, base, item.Field}, "\x00")
}
