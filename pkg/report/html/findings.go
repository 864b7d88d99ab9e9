package html

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

type (
	pageEvidence struct{ Object, Field, Value string }
	pageLink     struct{ Anchor, Check, Object string }
	pageNext     struct{ Text, Command string }
	pageOption   struct{ Value, Text string }
)

// pageCause are findings of one check, with those of other checks that they cause.
type pageCause struct {
	pageGroup
	Below []pageGroup
	Count string
	Says  string // what is wrong, in a sentence
	More  string // what it causes
}

// pageGroup are findings of one check and word.
type pageGroup struct {
	Anchor, Word, Check, Slug, Title, Fix string
	Findings                              []pageFinding
}

type pageFinding struct {
	Anchor, Fingerprint, Object, Message, Place, Because, Hop string
	Severity, Word, Check, In                                 string // by which it is filtered
	More                                                      int
	Likely                                                    bool
	Causes                                                    []pageLink
	Evidence                                                  []pageEvidence
	Objects, Related, Fixes                                   []string
	Next                                                      []pageNext
}

// choices number what a filter offers, so that no name from a cluster is a key in the page.
type choices struct{ names []string }

// placesOf are the namespaces of all findings, by name; what has none is last.
func placesOf(r *report.Report) *choices {
	c := &choices{}
	for i := range r.Items {
		c.names = append(c.names, r.Items[i].InPlaces()...)
	}
	slices.Sort(c.names)
	c.names = slices.Compact(c.names)
	return c
}

// known is the number of a name, empty if it is no choice.
func (c *choices) known(name string) string {
	if i, found := slices.BinarySearch(c.names, name); found {
		return strconv.Itoa(i)
	}
	return ""
}

func (c *choices) options() []pageOption {
	out := make([]pageOption, 0, len(c.names))
	for i, name := range c.names {
		out = append(out, pageOption{strconv.Itoa(i), report.Escape(name)})
	}
	return out
}

// checkOptions are the checks that found something.
func checkOptions(r *report.Report) []pageOption {
	var out []pageOption
	for i := range r.Items {
		item := &r.Items[i]
		if !slices.ContainsFunc(out, func(o pageOption) bool { return o.Value == item.Check }) {
			out = append(out, pageOption{item.Check, item.Check + " " + item.Slug})
		}
	}
	slices.SortFunc(out, func(a, b pageOption) int { return cmp.Compare(a.Value, b.Value) })
	return out
}

// causesOf has every finding once.
func causesOf(r *report.Report, places *choices) []pageCause {
	named := r.ByName()
	group := func(items []*report.Item) pageGroup { return groupOf(r, items, named, places) }
	var out []pageCause
	for _, c := range r.ByCause() {
		one := pageCause{pageGroup: group(c.Own), Count: phrase.Counted(len(c.Own), "finding") + report.Across(values(c.Own))}
		one.Says = "Found: " + one.Title
		if c.Own[0].Judged() {
			one.Word = c.Severity
		}
		if len(c.Own) == 1 {
			one.Says = report.Escape(c.Own[0].Subject() + ": " + r.Lead(c.Own[0]) + c.Own[0].Message)
		}
		for rest := c.Below; len(rest) > 0; {
			id := rest[0].Check
			same := func(i *report.Item) bool { return i.Check == id }
			one.Below = append(one.Below, group(slices.DeleteFunc(slices.Clone(rest), func(i *report.Item) bool { return !same(i) })))
			rest = slices.DeleteFunc(slices.Clone(rest), same)
		}
		if n := len(c.Below); n > 0 {
			one.More = "causes " + phrase.Counted(n, "more finding")
		}
		out = append(out, one)
	}
	return out
}

func values(items []*report.Item) []report.Item {
	out := make([]report.Item, 0, len(items))
	for _, item := range items {
		out = append(out, *item)
	}
	return out
}

func groupOf(r *report.Report, items []*report.Item, named report.Index, places *choices) pageGroup {
	first := items[0]
	g := pageGroup{Anchor: anchor(first.Check, first.Cluster()), Word: strings.ToLower(first.Word()), Check: first.Check, Slug: first.Slug,
		Title: report.Escape(r.CheckOf(first.Check).Title), Fix: report.Escape(r.FixCommand(values(items)))}
	for _, item := range items {
		f := findingOf(item, named, r.HopOf(item))
		var in []string
		for _, place := range item.InPlaces() {
			in = append(in, places.known(place))
		}
		f.In = strings.Join(in, " ")
		g.Findings = append(g.Findings, f)
	}
	return g
}

func findingOf(item *report.Item, named report.Index, hop string) pageFinding {
	f := pageFinding{
		Hop: report.Escape(hop), Because: report.Escape(item.Because()), Severity: item.Severity, Word: strings.ToLower(item.Word()),
		Check: item.Check, Anchor: anchorOf(item), Fingerprint: item.Metadata.Name, Object: report.Escape(item.Subject()),
		Message: report.Escape(item.Message), More: item.Others(), Likely: item.Certainty == check.Likely.String(),
		Objects: displays(item.JoinedRefs()), Related: displays(item.Related),
	}
	if file, line := item.FilePlace(); file != "" {
		f.Place = report.Escape(fmt.Sprintf("%s:%d", file, line))
	}
	for _, name := range item.CausedBy {
		if cause := named.Find(item.Source, name); cause != nil {
			f.Causes = append(f.Causes, pageLink{anchorOf(cause), cause.Check, report.Escape(cause.Subject())})
		}
	}
	for _, fix := range item.Fixes {
		f.Fixes = append(f.Fixes, report.Escape(fix.Text()))
	}
	if item.Judged() {
		for _, n := range item.Next {
			f.Next = append(f.Next, pageNext{report.Escape(n.Text), report.Escape(n.Command)})
		}
	}
	for _, e := range item.Evidence {
		f.Evidence = append(f.Evidence, pageEvidence{report.Escape(report.Display(e.Object)), report.Escape(e.Field), report.Escape(e.Value)})
	}
	return f
}

func displays(list []snapshot.Ref) []string {
	out := make([]string, 0, len(list))
	for _, o := range list {
		out = append(out, report.Escape(report.Display(o)))
	}
	return out
}
