package report

import (
	"cmp"
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
)

// sortItems puts causes before their effects: first by the worst severity of a finding and of all that it causes, then by how many
// causes stand behind it, then by consequence. Findings of one check stay together where these are the same.
func (r *Report) sortItems() {
	base := func(a, b *Item) int {
		return cmp.Or(cmp.Compare(a.Check, b.Check), cmp.Compare(Rank(a.Severity), Rank(b.Severity)),
			cmp.Compare(a.cluster, b.cluster), cmp.Compare(a.Object.Namespace, b.Object.Namespace), cmp.Compare(a.Object.Name, b.Object.Name),
			cmp.Compare(a.Metadata.Name, b.Metadata.Name))
	}
	type placed struct {
		item *Item
		place
	}
	places := r.places()
	list := make([]placed, 0, len(r.Items))
	for i := range r.Items {
		list = append(list, placed{&r.Items[i], places[i]})
	}
	slices.SortStableFunc(list, func(a, b placed) int {
		return cmp.Or(cmp.Compare(a.item.behind(), b.item.behind()), cmp.Compare(a.worst, b.worst), cmp.Compare(a.depth, b.depth),
			cmp.Compare(severe(a.item.Consequence), severe(b.item.Consequence)), base(a.item, b.item))
	})
	sorted := make([]Item, 0, len(list))
	for _, one := range list {
		sorted = append(sorted, *one.item)
	}
	r.Items = sorted
}

// severe is the place of a consequence; of a report that has none, the last.
func severe(consequence string) int {
	return slices.IndexFunc(append(check.Consequences(), 0), func(c check.Consequence) bool { return c.String() == consequence })
}

// place is where a finding stands among causes and effects.
type place struct {
	worst int // rank of the worst severity, its own or of what it causes
	depth int // how many causes stand behind it at most; 0: it is a root
}

// longestChain bounds how far causes are followed, so that two findings that name each other have an end.
const longestChain = 8

// places are those of Items.
func (r *Report) places() []place {
	out := make([]place, len(r.Items))
	for i := range r.Items {
		out[i].worst = Rank(r.Items[i].Severity)
	}
	edges := r.edges()
	for range longestChain {
		next := slices.Clone(out)
		for _, e := range edges {
			next[e.cause].worst = min(next[e.cause].worst, out[e.effect].worst)
			next[e.effect].depth = max(next[e.effect].depth, out[e.cause].depth+1)
		}
		if slices.Equal(next, out) {
			break
		}
		out = next
	}
	return out
}

// edge leads from the place of a cause among Items to that of its effect.
type edge struct{ cause, effect int }

func (r *Report) edges() []edge {
	at := make(map[identity]int, len(r.Items))
	for i := range r.Items {
		at[identity{r.Items[i].Source, r.Items[i].Metadata.Name}] = i
	}
	var out []edge
	for effect := range r.Items {
		for _, name := range r.Items[effect].CausedBy {
			cause, shown := at[identity{r.Items[effect].Source, name}]
			if shown && cause != effect && r.Items[cause].behind() <= r.Items[effect].behind() {
				out = append(out, edge{cause, effect})
			}
		}
	}
	return out
}
