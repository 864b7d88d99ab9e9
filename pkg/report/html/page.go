package html

import (
	"cmp"
	"fmt"
	"hash/fnv"
	"html/template"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// page is what the template shows of a report below its headline.
type page struct {
	Case               *caseHead
	Verdict            *pageVerdict
	Contents           []pageOption
	Broken, Severities []string
	Facts              []pageFact
	Runbook            []pageTime // of a gate
	Limits             []pageLimit
	Causes             []pageCause
	Found              int
	Places, Tried      []pageOption // what the filter offers
	Gone               []pageGone
	Charts             []chart
	Namespaces         *pageNamespaces
	Checks             []pageCheck
	ChecksText         string
}

type (
	pageFact  struct{ Label, Text string }
	pageLimit struct{ Word, Checks, Reason string }
	pageGone  struct{ Word, Object, Check, Slug, Because string }
)

type pageCheck struct {
	Anchor, ID, Slug, Title, Status, Class, Findings, Coverage, Reason string
	Unseen                                                             []string
	Page                                                               template.HTML
}

func newPage(r *report.Report) (*page, error) {
	places := placesOf(r)
	p := &page{
		Severities: report.Severities(), Charts: charts(r), Runbook: runbookOf(r), Verdict: verdictOf(r), Causes: causesOf(r, places),
		Found: len(r.Items), Places: places.options(), Tried: checkOptions(r), Namespaces: namespacesOf(r, places),
	}
	for _, text := range r.BrokenLinks() {
		p.Broken = append(p.Broken, report.Escape(text))
	}
	for _, f := range slices.Concat(r.Gate.Facts(), r.Facts()) {
		p.Facts = append(p.Facts, pageFact{f.Label, report.Escape(f.Text)})
	}
	for _, l := range r.Limits(r.Judged() == 0) {
		p.Limits = append(p.Limits, pageLimit{strings.ToLower(l.Word), l.Subject(), report.Escape(l.Reason)})
	}
	for _, l := range r.Lacks() {
		p.Limits = append(p.Limits, pageLimit{"skipped", strings.Join(l.Checks, ", "), report.Escape(l.Text)})
	}
	if r.Baseline != nil {
		for _, i := range r.Baseline.Gone {
			p.Gone = append(p.Gone, pageGone{strings.ToLower(i.GoneWord()), report.Escape(i.Subject()), i.Check, i.Slug, report.Escape(i.Because())})
		}
	}
	for _, c := range r.Checks {
		one, err := checkOf(c)
		if err != nil {
			return nil, err
		}
		p.Checks = append(p.Checks, one)
	}
	p.ChecksText = r.Facts()[0].Text
	p.contents()
	return p, nil
}

// mostPrinted is how many findings are printed with their evidence: more would take a page for each few of them.
const mostPrinted = 100

// Many reports whether only the objects of findings are printed.
func (p *page) Many() bool { return p.Found > mostPrinted }

// contents are the parts that the page has.
func (p *page) contents() {
	add := func(has bool, anchor, text string) {
		if has {
			p.Contents = append(p.Contents, pageOption{anchor, text})
		}
	}
	if p.Verdict != nil {
		add(true, "verdict", p.Verdict.Name)
	}
	add(len(p.Runbook) > 0, "runbook", "Runbook")
	add(len(p.Namespaces.Shown) > 0, "namespaces", "Namespaces")
	for _, c := range p.Charts {
		add(true, c.ID, c.Title)
	}
	add(p.Found > 0, "findings", fmt.Sprintf("Findings (%d)", p.Found))
	add(len(p.Gone) > 0, "gone", "In the baseline only")
	add(len(p.Limits) > 0, "limits", "What could not be judged")
	add(true, "checks", "Checks")
}

func checkOf(c report.Check) (pageCheck, error) {
	class := map[string]string{check.Passed.String(): "good", check.Failed.String(): "error"}
	out := pageCheck{Anchor: anchor(c.ID, c.Source), ID: report.Escape(c.Label()), Slug: c.Slug, Title: report.Escape(c.Title),
		Status: c.Status, Class: class[c.Status], Reason: report.Escape(c.Reason)}
	if c.Status == check.NotApplicable.String() {
		out.Status = "not applicable"
	}
	if c.Findings > 0 {
		out.Findings = phrase.Counted(c.Findings, "finding")
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

// sourceText names the input: of a cluster its context and its server.
func sourceText(r *report.Report) string {
	var names []string
	for _, s := range r.Sources {
		text := "context " + cmp.Or(s.Context, s.Name)
		switch {
		case s.Type == "files":
			text = phrase.Counted(len(s.Files), "file")
		case s.Type == "archive":
			text = "archive of " + text
		}
		if s.Server != "" && len(r.Sources) == 1 {
			text += ", cluster " + s.Server
		}
		names = append(names, text)
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
