package report

import (
	"io"
	"slices"
)

// Watch knows what several scans in a row have found. The zero value knows nothing.
type Watch struct{ known *Report }

// Next takes in the next scan and returns what changed: findings that are new, or worse, and those that are gone or cannot
// be looked at any more, each with its class. The report itself is left as it is.
func (w *Watch) Next(r *Report) []Item {
	next := *r
	next.Items, next.Baseline = slices.Clone(r.Items), nil
	for i := range next.Items {
		next.Items[i].Baseline = nil
	}
	if w.known == nil {
		w.known = &Report{Sources: r.Sources}
	}
	next.Compare(w.known)
	var out []Item
	for _, item := range next.Items {
		if item.Suppression != nil || item.Baseline.Class == ClassUnchanged {
			continue
		}
		if item.Baseline.Class == ClassNotComparable {
			item.Baseline = &Class{Class: ClassNew} // nobody knew it: that is new to whoever watches
		}
		out = append(out, item)
	}
	lost := map[identity]bool{}
	for i := range w.known.Items {
		item := &w.known.Items[i]
		lost[item.identity()] = item.Baseline != nil && item.Baseline.Class == ClassNotComparable
	}
	var carried []Item
	for _, item := range next.Baseline.Gone {
		if item.Baseline.Class == ClassNotComparable {
			carried = append(carried, item) // it may still be there
			if lost[item.identity()] {
				continue
			}
		}
		out = append(out, item)
	}
	for i := range next.Items {
		next.Items[i].Baseline = nil
	}
	next.Items, next.Baseline = append(next.Items, carried...), nil
	next.sortItems()
	w.known = &next
	return out
}

// TransitionJSON writes one change as a line of JSON: the finding, with its class.
func TransitionJSON(w io.Writer, item Item) error {
	b, err := encode(item, "")
	if err == nil {
		_, err = w.Write(b)
	}
	return err
}
