package report

import (
	"cmp"
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// Build makes the report of results. The order of the findings is that of sortItems. Commands say again what the user asked for.
func Build(s *snapshot.Snapshot, tool Tool, source Source, scope Scope, results []check.Result, asked command.Asked) *Report {
	r := &Report{
		APIVersion: APIVersion, Kind: "ScanReport", Metadata: Metadata{CreationTimestamp: s.TakenAt},
		Tool: tool, Sources: []Source{source}, Scope: scope, Namespaces: []Namespace{}, Items: []Item{}, Checks: []Check{},
		asked: asked,
	}
	for _, a := range checks.Admissions(s, results) {
		r.Namespaces = append(r.Namespaces, Namespace{Name: a.Namespace,
			Admission: Admission{string(a.State), a.BrokenLink, a.CausedBy, a.Reason}})
	}
	places, elsewhere := placesOf(s, results), source.Type != "cluster"
	for _, result := range results {
		r.addCheck(result)
		for i := range result.Findings {
			item := itemOf(&result.Findings[i], source.Name, &result.Check)
			item.Objects = affectedBy(&result.Findings[i], places)
			for _, c := range result.Findings[i].Commands(asked, elsewhere) {
				next := Next{Text: c.Text, Command: c.Line}
				if c.InManifest {
					next.inManifest = c.Text
				}
				item.Next = append(item.Next, next)
			}
			item.nameFiles()
			r.addItem(item)
		}
	}
	r.sortItems()
	slices.Sort(r.Suppressed)
	slices.SortFunc(r.Checks, func(a, b Check) int { return cmp.Compare(a.ID, b.ID) })
	r.Conclude()
	return r
}

func (r *Report) addItem(item Item) {
	counts := &r.Summary.Findings
	if item.Suppression != nil {
		counts.Suppressed++
		r.suppressed = append(r.suppressed, item)
		r.Suppressed = append(r.Suppressed, item.Metadata.Name)
		return
	}
	counts.add(item.Severity)
	r.Items = append(r.Items, item)
}

// Answered notes that the case file of an application stands beside the report, so that no command asks for it.
func (r *Report) Answered(o snapshot.Ref) { r.answered = o.Key() }

// ShowSuppressed puts the findings that somebody accepts behind the others. They stay out of all counts.
func (r *Report) ShowSuppressed() {
	r.Items, r.suppressed = append(r.Items, r.suppressed...), nil
	r.sortItems()
	r.Conclude()
}

// HidesSuppressed reports whether there are findings that somebody accepts and that are not among Items.
func (r *Report) HidesSuppressed() bool { return len(r.suppressed) > 0 }

// behind puts what is not judged behind what is.
func (i *Item) behind() int {
	switch {
	case i.Suppression != nil:
		return 2
	case !i.Judged():
		return 1
	default:
		return 0
	}
}

// Judged reports whether a finding counts: nobody accepts it, and it was not there before.
func (i *Item) Judged() bool {
	return i.Suppression == nil && (i.Baseline == nil || i.Baseline.Class != ClassUnchanged)
}

// JudgedCounts are the findings by which the scan is judged.
func (r *Report) JudgedCounts() FindingCounts {
	if r.Baseline == nil {
		return r.Summary.Findings
	}
	var c FindingCounts
	for i := range r.Items {
		if r.Items[i].Judged() {
			c.add(r.Items[i].Severity)
		}
	}
	return c
}

func (c *FindingCounts) add(severity string) {
	switch severity {
	case check.Error.String():
		c.Error++
	case check.Warning.String():
		c.Warning++
	default:
		c.Info++
	}
}

func (r *Report) addCheck(result check.Result) {
	c := Check{
		ID: result.Check.ID, Slug: result.Check.Slug, Title: result.Check.Title,
		Status: result.Status.String(), Coverage: "complete", Unseen: result.Unseen, Reason: result.Reason,
	}
	for i := range result.Findings {
		if result.Findings[i].Suppressed == nil {
			c.Findings++
		}
	}
	if result.Partial || result.Status == check.Skipped { // what could not look saw no more than a part
		c.Coverage = PartialCoverage
	}
	counts := &r.Summary.Checks
	switch result.Status {
	case check.Failed:
		counts.Failed++
	case check.Skipped:
		counts.Skipped++
	case check.NotApplicable:
		counts.NotApplicable++
	default:
		counts.Passed++
	}
	r.Checks = append(r.Checks, c)
}

// itemOf is a finding as reports have it; the user may give the findings of a check another severity.
func itemOf(f *check.Reported, source string, c *check.Check) Item {
	item := Item{
		APIVersion: APIVersion, Kind: "Finding", Metadata: Name{f.Fingerprint()}, Source: source,
		Check: f.Check, Slug: f.Slug, Severity: f.Severity.String(), Certainty: f.Certainty.String(),
		Object: f.Object, Field: f.Field, Message: f.Message, Evidence: []Evidence{}, Related: f.Related,
		Affected: f.Affected(), CausedBy: f.CausedBy, Docs: checks.PageURL(f.Check),
		Consequence: c.Consequence.String(), subject: f.Subject, brief: f.Brief, follows: f.Follows, app: f.App,
		confirming: f.Confirming,
	}
	if !f.Since.IsZero() {
		item.Since = new(f.Since.UTC())
	}
	if at := f.Location(); at != (snapshot.Location{}) {
		item.Location = &at
	}
	if !f.Hop.IsZero() {
		item.Hop = f.Hop.String()
	}
	if c.Severity != nil {
		item.Severity = c.Severity.String()
	}
	if w := f.Suppressed; w != nil {
		item.Suppression = &Suppression{string(w.By), w.Reason, w.Owner, w.Until}
	}
	for i, intent := range f.Fixes {
		one := Fix{Title: fix.TraitsOf(intent).Title, Risk: fix.TraitsOf(intent).Risk.String(), Undo: "none"}
		if fix.UndoOf(intent).Exact {
			one.Undo = "exact"
		}
		if i < len(f.Barred) && f.Barred[i] != nil {
			one.Blocked = f.Barred[i].Text()
		}
		if !slices.Contains(item.Fixes, one) {
			item.Fixes = append(item.Fixes, one)
		}
	}
	for _, e := range f.Evidence {
		item.Evidence = append(item.Evidence, Evidence(e))
	}
	return item
}

// Severities are worst first.
func Severities() []string { return []string{"error", "warning", "info"} }

// Rank orders severities: 0 is the worst.
func Rank(severity string) int { return slices.Index(Severities(), severity) }

// Incomplete reports whether a selected check could not look, or only in part, or whether none could judge.
func (r *Report) Incomplete() bool {
	undecided := r.Gate != nil && len(r.Gate.Values) > 0
	return undecided || len(r.NotRead()) > 0 || r.Judged() == 0 || slices.ContainsFunc(r.Checks, r.incomplete)
}

// incomplete reports whether a check could not look, or only in part. What plain files do not hold is no fault of theirs: a
// check that it keeps from judging some subjects is as complete as one that is not applicable.
func (r *Report) incomplete(c Check) bool {
	switch {
	case r.Scope.Level == ScopeNamespace && r.needsClusterRead(c):
		return false
	case c.Status == check.Skipped.String():
		return true
	case c.Status == check.NotApplicable.String() || c.Coverage != PartialCoverage:
		return false
	default:
		return len(c.Unseen) > 0 || !r.ofFiles(c)
	}
}

// ofFiles reports whether a check was asked about plain files.
func (r *Report) ofFiles(c Check) bool {
	i := slices.IndexFunc(r.Sources, func(s Source) bool { return c.Source == "" || s.Name == c.Source })
	return i >= 0 && r.Sources[i].Type == "files"
}

// Failed reports whether a part of what was selected does not exist, or a file could not be read, so that the run fails
// whatever else was found.
func (r *Report) Failed() bool {
	return slices.ContainsFunc(r.Sources, func(s Source) bool { return s.Empty || len(s.Unreadable) > 0 })
}

// NotRead are the clusters and files that could not be read, while others could, the templates, and copies.
func (r *Report) NotRead() []Fact {
	var out []Fact
	for _, s := range r.Sources {
		if s.Error != "" {
			out = append(out, Fact{"not scanned", s.Name + ": " + s.Error})
		}
		for _, text := range s.Unreadable {
			out = append(out, Fact{"not read", text})
		}
		for _, text := range s.NotJudged {
			out = append(out, Fact{"not judged", text})
		}
		if text := s.Templates(r.command()); text != "" {
			out = append(out, Fact{RenderLabel, text})
		}
	}
	return out
}

// Judged returns how many checks came to a verdict.
func (r *Report) Judged() int { return r.Summary.Checks.Passed + r.Summary.Checks.Failed }

// AtLeast returns how many findings count at or above a severity: neither those that somebody accepts nor those that the
// baseline has.
func (r *Report) AtLeast(severity string) int {
	n := 0
	for _, item := range r.Items {
		if item.Judged() && Rank(item.Severity) <= Rank(severity) {
			n++
		}
	}
	return n
}
