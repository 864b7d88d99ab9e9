package release

import (
	"cmp"
	"slices"
)

// Table is what is known of all releases.
type Table struct {
	Facts   []Facts  // oldest first
	Defects []Defect // of all
	Notes   []Note
	Fatal   []Fatal
}

// Fold adds up what releases change, oldest first.
func Fold(releases []Release) *Table {
	t := &Table{}
	fixed := map[string]Version{}
	for _, r := range releases {
		for _, id := range r.Fixes {
			fixed[id] = r.Version
		}
	}
	var f Facts
	for _, r := range releases {
		t.remember(&r, fixed)
		f = f.with(r, t.Defects)
		t.Facts = append(t.Facts, f)
	}
	return t
}

// Of returns the facts of a version: those of the last release that is not newer, and none for what is older than all.
func (t *Table) Of(v Version) *Facts {
	for i := len(t.Facts) - 1; i >= 0; i-- {
		if v.Compare(t.Facts[i].Version) >= 0 {
			return &t.Facts[i]
		}
	}
	return &Facts{}
}

// First returns the first release of which something holds, the zero version if there is none.
func (t *Table) First(holds func(*Facts) bool) Version {
	for i := range t.Facts {
		if holds(&t.Facts[i]) {
			return t.Facts[i].Version
		}
	}
	return Version{}
}

// remember notes what a release has that is told of all releases.
func (t *Table) remember(r *Release, fixed map[string]Version) {
	for _, d := range r.Defects {
		d.Since, d.Until = r.Version, fixed[d.ID]
		t.Defects = append(t.Defects, d)
	}
	for _, n := range r.Notes {
		n.Since, n.Until = r.Version, fixed[n.ID]
		t.Notes = append(t.Notes, n)
	}
	if r.Fatal != nil {
		r.Fatal.Version, r.Fatal.Chart = r.Version, r.Version
		t.Fatal = append(t.Fatal, *r.Fatal)
	}
}

// with returns the facts of a release, from those of the one before it and the defects so far.
func (f Facts) with(r Release, defects []Defect) Facts {
	f.Version = r.Version
	f.Commit = r.Commit
	f.Hop = r.Hop
	f.Fatal = r.Fatal
	if r.Rewrite {
		f.Chart = Chart{}
		f.Grants = nil
		f.Needs = Needs{}
	}
	if r.Set != nil {
		r.Set(&f)
	}
	if r.Version.Major > 1 {
		f.Chart.Source = "charts/spark-operator-chart/values.yaml, Dockerfile@" + cmp.Or(r.Commit, "v"+r.Version.String())
	}
	f.Telltales = f.Telltales.with(r.Fields, r.Version)
	f.Mutations = slices.DeleteFunc(slices.Concat(f.Mutations, r.Mutates), func(m Mutation) bool {
		return slices.Contains(r.MutatesNoMore, m.Field)
	})
	f.Flaws = slices.DeleteFunc(slices.Concat(f.Flaws, r.Flaws), func(flaw Flaw) bool { return slices.Contains(r.Fixes, flaw.ID) })
	f.Defects = slices.DeleteFunc(slices.Clone(defects), func(d Defect) bool { return !d.In(r.Version) })
	slices.SortFunc(f.Defects, func(a, b Defect) int { return cmp.Compare(a.ID, b.ID) })
	f.Grants = grants(f.Grants, r.Grants)
	f.Needs.Controller = needs(f.Needs.Controller, r.Needs.Controller, &r)
	f.Needs.Webhook = needs(f.Needs.Webhook, r.Needs.Webhook, &r)
	return f
}

func (t Telltales) with(fields Fields, v Version) Telltales {
	for _, field := range fields.Application {
		t.Application = append(slices.Clip(t.Application), Telltale{field, v})
	}
	for _, field := range fields.Schedule {
		t.Schedule = append(slices.Clip(t.Schedule), Telltale{field, v})
	}
	for _, field := range fields.Connect {
		t.Connect = append(slices.Clip(t.Connect), Telltale{field, v})
	}
	return t
}

// grants puts new grants in the place of old ones that differ only in their verbs.
func grants(old, changed []Grant) []Grant {
	out := slices.DeleteFunc(slices.Clone(old), func(g Grant) bool {
		return slices.ContainsFunc(changed, func(c Grant) bool { return c.key() == g.key() })
	})
	for _, g := range changed {
		if g.Verbs != "" {
			out = append(out, g)
		}
	}
	return out
}

func needs(old, added []Permission, r *Release) []Permission {
	if old == nil {
		return added // what a line has needed from its start has no Since
	}
	out := slices.DeleteFunc(slices.Clone(old), func(p Permission) bool {
		return slices.ContainsFunc(r.NeedsNoMore, func(o Permission) bool { return p.same(o) })
	})
	for _, p := range added {
		p.Since = r.Version
		out = add(out, p)
	}
	return out
}
