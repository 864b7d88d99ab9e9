package html

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"html/template"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// page is what the template shows. Texts from a cluster have gone through Escape; the template escapes HTML.
type page struct {
	Style                           template.CSS
	Script                          template.JS
	Policy, Headline, Tone, Source  string
	Time, TimeText, Version, Commit string
	Gate                            *pageGate
	Verdict                         *pageVerdict
	Broken, Severities              []string
	Facts                           []pageFact
	Limits                          []pageLimit
	Groups                          []pageGroup
	Gone                            []pageGone
	Chart                           *chart
	Namespaces                      []pageNamespace
	Checks                          []pageCheck
}

type (
	pageFact      struct{ Label, Text string }
	pageLimit     struct{ Word, Checks, Reason string }
	pageNamespace struct{ Name, State, Class, Why, Cause string }
	pageEvidence  struct{ Object, Field, Value string }
	pageGone      struct{ Word, Object, Check, Slug, Because string }
	pageCause     struct{ Anchor, Check, Object string }
	pageNext      struct{ Text, Command string }
)

type pageGroup struct {
	Anchor, Severity, Word, Check, Slug, Title, Fix string
	Findings                                        []pageFinding
}

type pageFinding struct {
	Anchor, Fingerprint, Object, Message, Place, Because, Hop string
	More                                                      int
	Likely                                                    bool
	Causes                                                    []pageCause
	Evidence                                                  []pageEvidence
	Objects, Related, Fixes                                   []string
	Next                                                      []pageNext
}

type pageCheck struct {
	Anchor, ID, Slug, Title, Status, Class, Findings, Coverage, Reason string
	Unseen                                                             []string
	Page                                                               template.HTML
}

func newPage(r *report.Report) (*page, error) {
	at := r.Metadata.CreationTimestamp.UTC()
	p := &page{
		Headline: r.Headline(), Tone: toneOf(r), Source: report.Escape(sourceText(r)), Time: at.Format("2006-01-02T15:04:05Z"),
		TimeText: at.Format("2006-01-02 15:04:05 UTC"),
		Version:  report.Escape(r.Tool.Version), Commit: report.Escape(r.Tool.Commit), Severities: report.Severities(),
		Chart: sizeChart(r.Metrics),
	}
	for _, text := range r.BrokenLinks() {
		p.Broken = append(p.Broken, report.Escape(text))
	}
	for _, f := range r.Facts() {
		p.Facts = append(p.Facts, pageFact{f.Label, report.Escape(f.Text)})
	}
	for _, l := range r.Limits(r.Judged() == 0) {
		p.Limits = append(p.Limits, pageLimit{strings.ToLower(l.Word), l.Subject(), report.Escape(l.Reason)})
	}
	for _, c := range r.ClusterRead {
		p.Limits = append(p.Limits, pageLimit{"skipped", strings.Join(c.Checks, ", "), report.Escape(c.Text())})
	}
	p.Gate, p.Verdict = gateOf(r), verdictOf(r)
	p.group(r)
	if r.Baseline != nil {
		for _, i := range r.Baseline.Gone {
			p.Gone = append(p.Gone, pageGone{strings.ToLower(i.GoneWord()), report.Escape(i.Subject()), i.Check, i.Slug, report.Escape(i.Because())})
		}
	}
	for _, ns := range r.Namespaces {
		p.Namespaces = append(p.Namespaces, namespaceOf(ns, r))
	}
	for _, c := range r.Checks {
		one, err := checkOf(c)
		if err != nil {
			return nil, err
		}
		p.Checks = append(p.Checks, one)
	}
	return p, nil
}

// group puts the findings of one check and severity together, as they come.
func (p *page) group(r *report.Report) {
	named := r.ByName()
	for i := range r.Items {
		item := &r.Items[i]
		if r.Begins(i) {
			c := r.CheckOf(item.Check)
			p.Groups = append(p.Groups, pageGroup{Anchor: anchor(item.Check, item.Cluster()), Severity: item.Severity,
				Word: strings.ToLower(item.Word()), Check: item.Check, Slug: item.Slug, Title: report.Escape(c.Title),
				Fix: r.FixCommand(r.Group(i))})
		}
		last := &p.Groups[len(p.Groups)-1]
		last.Findings = append(last.Findings, findingOf(item, named, r.HopOf(item)))
	}
}

func findingOf(item *report.Item, named report.Index, hop string) pageFinding {
	f := pageFinding{
		Hop:     report.Escape(hop),
		Because: report.Escape(item.Because()),
		Anchor:  anchorOf(item), Fingerprint: item.Metadata.Name, Object: report.Escape(item.Subject()), Message: report.Escape(item.Message),
		More: max(0, len(item.Objects)-1), Likely: item.Certainty == check.Likely.String(), Objects: displays(item.JoinedRefs()),
		Related: displays(item.Related),
	}
	if item.Location != nil && item.Location.File != "" {
		f.Place = report.Escape(fmt.Sprintf("%s:%d", item.Location.File, item.Location.Line))
	}
	for _, name := range item.CausedBy {
		if cause := named.Find(item.Source, name); cause != nil {
			f.Causes = append(f.Causes, pageCause{anchorOf(cause), cause.Check, report.Escape(cause.Subject())})
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

func namespaceOf(ns report.Namespace, r *report.Report) pageNamespace {
	class := map[string]string{string(check.AdmissionHealthy): "good", string(check.AdmissionBroken): "error"}
	why := ns.Admission.Reason
	if ns.Admission.BrokenLink != "" {
		why = "broken link: " + ns.Admission.BrokenLink
	}
	cause := "" // of a finding that is shown
	for i := range r.Items {
		if item := &r.Items[i]; item.Metadata.Name == ns.Admission.CausedBy && item.Cluster() == ns.Source {
			cause = anchorOf(item)
		}
	}
	return pageNamespace{report.Escape(ns.Label()), ns.Admission.State, class[ns.Admission.State], report.Escape(why), cause}
}

func checkOf(c report.Check) (pageCheck, error) {
	class := map[string]string{check.Passed.String(): "good", check.Failed.String(): "error"}
	out := pageCheck{Anchor: anchor(c.ID, c.Source), ID: report.Escape(c.Label()), Slug: c.Slug, Title: report.Escape(c.Title),
		Status: c.Status, Class: class[c.Status], Reason: report.Escape(c.Reason)}
	if c.Status == check.NotApplicable.String() {
		out.Status = "not applicable"
	}
	if c.Findings > 0 {
		out.Findings = facts.Counted(c.Findings, "finding")
	}
	if c.Coverage == report.PartialCoverage && c.Status != check.Skipped.String() {
		out.Coverage = "seen in part"
	}
	for _, u := range c.Unseen {
		out.Unseen = append(out.Unseen, report.Escape(report.UnseenText([]snapshot.Unseen{u})))
	}
	docs, err := checks.Docs(c.ID)
	if err != nil {
		return out, nil //nolint:nilerr // a check of another build has no page here
	}
	out.Page, err = render(docs)
	return out, err
}

// tone is the class of the headline; its words say the same.
func toneOf(r *report.Report) string {
	f := r.JudgedCounts()
	switch {
	case f.Error > 0:
		return "error"
	case f.Warning > 0 || r.Judged() == 0 || r.Incomplete():
		return "warning"
	case f.Info > 0:
		return ""
	default:
		return "good"
	}
}

func sourceText(r *report.Report) string {
	var names []string
	for _, s := range r.Sources {
		if s.Type == "files" {
			names = append(names, facts.Counted(len(s.Files), "file"))
			continue
		}
		names = append(names, map[string]string{"archive": "archive of "}[s.Type]+"cluster "+cmp.Or(s.Context, s.Name))
	}
	return strings.Join(names, ", ")
}

// anchorOf names a finding within a page.
func anchorOf(i *report.Item) string { return anchor(i.Metadata.Name, i.Cluster()) }

// anchor is a name without spaces, whatever the source is called.
func anchor(name, source string) string {
	if source == "" {
		return name
	}
	h := fnv.New32a()
	_, _ = h.Write([]byte(source))
	return fmt.Sprintf("%s-%08x", name, h.Sum32())
}
