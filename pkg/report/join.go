package report

import (
	"cmp"
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// Join makes one report of several clusters. Every source is there, also those of which nothing could be judged, and every
// check once for each source that was judged.
func Join(list []*Report) *Report {
	out := &Report{APIVersion: APIVersion, Kind: "ScanReport", Sources: []Source{}, Namespaces: []Namespace{}, Items: []Item{},
		Checks: []Check{}}
	out.Scope.Installations, out.Scope.Namespaces = []Installation{}, []string{}
	for i, r := range list {
		if i == 0 {
			out.Tool, out.Scope = r.Tool, r.Scope
			out.Scope.Installations = []Installation{}
		}
		// The oldest moment is as of when all of it is known.
		if at := r.Metadata.CreationTimestamp; !at.IsZero() &&
			(out.Metadata.CreationTimestamp.IsZero() || at.Before(out.Metadata.CreationTimestamp)) {
			out.Metadata.CreationTimestamp = at
		}
		if r.asked.Context != "" {
			out.asked = r.asked
		}
		out.add(r)
	}
	out.tellApart()
	out.sortItems()
	slices.SortStableFunc(out.Checks, func(a, b Check) int { return cmp.Or(cmp.Compare(a.ID, b.ID), cmp.Compare(a.Source, b.Source)) })
	slices.Sort(out.Suppressed)
	out.Conclude()
	return out
}

// add takes in the report of one source.
func (r *Report) add(one *Report) {
	source := one.Sources[0]
	r.Sources = append(r.Sources, source)
	for _, in := range one.Scope.Installations {
		in.Source = source.Name
		r.Scope.Installations = append(r.Scope.Installations, in)
	}
	for _, ns := range one.Namespaces {
		ns.Source = source.Name
		r.Namespaces = append(r.Namespaces, ns)
	}
	for _, c := range one.Checks {
		c.Source = source.Name
		r.Checks = append(r.Checks, c)
	}
	for _, c := range one.ClusterRead {
		c.Source = source.Name
		r.ClusterRead = append(r.ClusterRead, c)
	}
	for _, n := range one.NamespaceRead {
		n.Source = source.Name
		r.NamespaceRead = append(r.NamespaceRead, n)
	}
	r.Items, r.suppressed = append(r.Items, one.Items...), append(r.suppressed, one.suppressed...)
	for _, name := range one.Suppressed {
		r.Suppressed = append(r.Suppressed, source.Name+" "+name)
	}
	f, c := &r.Summary.Findings, &r.Summary.Checks
	f.Error += one.Summary.Findings.Error
	f.Warning += one.Summary.Findings.Warning
	f.Info += one.Summary.Findings.Info
	f.Suppressed += one.Summary.Findings.Suppressed
	c.Passed += one.Summary.Checks.Passed
	c.Failed += one.Summary.Checks.Failed
	c.Skipped += one.Summary.Checks.Skipped
	c.NotApplicable += one.Summary.Checks.NotApplicable
	r.addMetrics(one.Metrics, source.Name)
	r.addCost(one.Cost, source.Name)
}

// addMetrics keeps the largest applications of all.
func (r *Report) addMetrics(one *Metrics, source string) {
	if one == nil {
		return
	}
	if r.Metrics == nil {
		r.Metrics = &Metrics{MaxObjectBytes: one.MaxObjectBytes}
	}
	m := r.Metrics
	for _, a := range one.Applications {
		a.Source = source
		m.Applications = append(m.Applications, a)
	}
	slices.SortStableFunc(m.Applications, func(a, b ApplicationSize) int { return cmp.Compare(b.Bytes, a.Bytes) })
	m.Applications = m.Applications[:min(len(m.Applications), maxMeasured)]
	for _, g := range one.Growing {
		g.Source = source
		m.Growing = append(m.Growing, g)
	}
	soonestFirst(m.Growing)
	m.Growing = m.Growing[:min(len(m.Growing), maxMeasured)]
	for _, c := range one.Certificates {
		c.Source = source
		m.Certificates = append(m.Certificates, c)
	}
	m.DurationMilliseconds = max(m.DurationMilliseconds, one.DurationMilliseconds) // they are scanned at the same time
}

func (r *Report) addCost(one *Cost, source string) {
	if one == nil {
		return
	}
	if r.Cost == nil {
		r.Cost = &Cost{}
	}
	c := r.Cost
	c.Milliseconds, c.PeakMemoryBytes = max(c.Milliseconds, one.Milliseconds), max(c.PeakMemoryBytes, one.PeakMemoryBytes)
	c.Requests, c.Bytes = c.Requests+one.Requests, c.Bytes+one.Bytes
	for _, l := range one.Listings {
		l.Of = source + ": " + l.Of
		c.Listings = append(c.Listings, l)
	}
}

// tellApart has the findings of several sources name theirs.
func (r *Report) tellApart() {
	for _, list := range [][]Item{r.Items, r.suppressed} {
		for i := range list {
			list[i].cluster = list[i].Source
		}
	}
}

// Unjudged is the report of a source of which nothing could be judged, to be joined with others.
func Unjudged(tool Tool, source Source) *Report {
	return &Report{Tool: tool, Sources: []Source{source}}
}

// identity is what tells findings of a report apart.
type identity struct{ source, fingerprint string }

func (i *Item) identity() identity { return identity{i.cluster, i.Metadata.Name} }

// Index finds the findings of a report by their source and fingerprint.
type Index struct{ byName map[identity]*Item }

// ByName indexes the findings that are shown.
func (r *Report) ByName() Index {
	out := make(map[identity]*Item, len(r.Items))
	for i := range r.Items {
		out[identity{r.Items[i].Source, r.Items[i].Metadata.Name}] = &r.Items[i]
	}
	return Index{out}
}

// Find returns nil for a finding that is not shown.
func (x Index) Find(source, fingerprint string) *Item {
	return x.byName[identity{source, fingerprint}]
}

// Cluster is the source of a finding where there are several, else empty.
func (i *Item) Cluster() string { return i.cluster }

// Named is an object of a finding as texts name it, with its cluster where there are several.
func (i *Item) Named(o snapshot.Ref) string { return of(i.cluster) + Display(o) }

// Subject names what a finding is about, with its cluster where there are several.
func (i *Item) Subject() string { return i.Named(i.Object) }

// QualifiedName is how a report lists a finding that somebody accepts.
func (i *Item) QualifiedName() string {
	if i.cluster == "" {
		return i.Metadata.Name
	}
	return i.cluster + " " + i.Metadata.Name
}

// Label names a namespace, with its cluster where there are several.
func (n Namespace) Label() string { return of(n.Source) + n.Name }

// Label names a check, with its cluster where there are several.
func (c Check) Label() string {
	if c.Source == "" {
		return c.ID
	}
	return c.ID + " of " + c.Source
}

func (c Check) of() string { return of(c.Source) }

func of(source string) string {
	if source == "" {
		return ""
	}
	return source + ": "
}

// missing says why a source of several was not judged; nothing if it was.
func (r *Report) missing(source string) string {
	if source == "" {
		return ""
	}
	i := slices.IndexFunc(r.Sources, func(s Source) bool { return s.Name == source })
	switch {
	case i < 0:
		return "cluster " + source + " was not looked at"
	case r.Sources[i].Error != "":
		return "cluster " + source + " could not be scanned: " + r.Sources[i].Error
	default:
		return ""
	}
}
