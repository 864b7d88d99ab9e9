package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
)

// because is what a verdict rests on: the findings that fail the run, those that do not and why, and what could not be looked at.
func (r *Report) because(failOn string) string {
	var fails, rest, known, suppressed FindingCounts
	for _, item := range slices.Concat(r.Items, r.suppressed) {
		switch {
		case item.Suppression != nil:
			suppressed.add(item.Severity)
		case !item.Judged():
			known.add(item.Severity)
		case failOn != "none" && Rank(item.Severity) <= Rank(failOn):
			fails.add(item.Severity)
		default:
			rest.add(item.Severity)
		}
	}
	var parts []string
	switch {
	case fails != (FindingCounts{}):
		parts = append(parts, r.NewText()+fails.text())
	case rest != (FindingCounts{}):
		parts = append(parts, r.NewText()+rest.text()+" ("+passes(failOn)+")")
	case r.Baseline != nil && r.Judged() > 0:
		parts = append(parts, "nothing new")
	case r.Judged() > 0 && !r.Incomplete() && suppressed == (FindingCounts{}):
		parts = append(parts, "nothing found that speaks against it")
	}
	if known != (FindingCounts{}) {
		parts = append(parts, known.text()+phrase.Verb(known.total(), " is", " are")+" in the baseline")
	}
	if suppressed != (FindingCounts{}) {
		parts = append(parts, suppressed.text()+" suppressed")
	}
	parts = append(parts, r.blindness()...)
	if r.Gate.foreign {
		parts = append(parts, "the values that were given hold none of the operator's chart")
	}
	if len(r.Gate.Values) > 0 {
		values := strings.Join(r.Gate.Values, ", ")
		if r.Gate.contradicted {
			parts = append(parts, "the values that were given are not of this installation ("+values+"), and the answer depends on them: pass "+
				"--target-manifests")
		} else {
			parts = append(parts, "values not known: "+values+" (pass --helm-values or --target-manifests)")
		}
	}
	if len(r.Gate.Only) > 0 {
		parts = append(parts, "asked only about "+strings.Join(r.Gate.Only, ", "))
	}
	if r.Gate.Unreleased != "" {
		parts = append(parts, "the target is unreleased, and may change before its release")
	}
	return strings.Join(parts, "; ")
}

// passes says why findings do not fail a run.
func passes(failOn string) string {
	if failOn == "none" {
		return "--fail-on none lets every finding pass"
	}
	return "below --fail-on " + failOn
}

// blindness says how many checks could not look, or only in part.
func (r *Report) blindness() []string {
	if r.Judged() == 0 {
		return []string{"no check could judge anything"}
	}
	skipped, partial := 0, 0
	for _, c := range r.Checks {
		switch {
		case c.Status == check.Skipped.String():
			skipped++
		case r.incomplete(c):
			partial++
		}
	}
	var out []string
	if skipped > 0 {
		out = append(out, phrase.Counted(skipped, "check")+" could not look")
	}
	if partial > 0 {
		out = append(out, phrase.Counted(partial, "check")+" could only look in part")
	}
	for _, s := range r.Sources {
		if n := len(s.Unreadable); n > 0 {
			out = append(out, phrase.Counted(n, "file")+" could not be read")
		}
		if n := len(s.NotJudged); n > 0 {
			out = append(out, phrase.Counted(n, "object")+phrase.Verb(n, " has a copy that differs", " have copies that differ"))
		}
		if n := len(s.HelmTemplates); n > 0 {
			out = append(out, phrase.Counted(n, "Helm template")+phrase.Verb(n, " was", " were")+" not rendered")
		}
	}
	return out
}

func (c FindingCounts) total() int { return c.Error + c.Warning + c.Info }

// text names the severities of which there are findings.
func (c FindingCounts) text() string {
	var parts []string
	for _, one := range []struct {
		n    int
		noun string
	}{{c.Error, "error"}, {c.Warning, "warning"}, {c.Info, "info"}} {
		if one.n > 0 {
			parts = append(parts, phrase.Counted(one.n, one.noun))
		}
	}
	return strings.Join(parts, ", ")
}

// Title names the upgrade. It may hold names from a cluster, as all texts of a gate may.
func (g *Gate) Title() string {
	text := g.Versions()
	if g.Controller != "" {
		text += " of " + g.Controller
	}
	return text
}

// Versions are the release that is installed and the target.
func (g *Gate) Versions() string { return g.Installed + " → " + cmp.Or(g.Unreleased, g.To) }

// VerdictText is the verdict and what it rests on.
func (g *Gate) VerdictText() string { return g.Verdict + ": " + g.Because }

// Tone is the class of the verdict; its word says the same.
func (g *Gate) Tone() string {
	switch g.Verdict {
	case VerdictNoGo:
		return "error"
	case VerdictIncomplete:
		return "warning"
	default:
		return "good"
	}
}

// HopsText names the hops, where several are crossed.
func (g *Gate) HopsText() string {
	if len(g.Hops) < 2 {
		return ""
	}
	return strings.Join(g.Hops, ", ")
}

// Facts are what a gate is about, for formats that list facts; a scan has none.
func (g *Gate) Facts() []Fact {
	if g == nil {
		return nil
	}
	var out []Fact
	if g.Controller != "" {
		out = append(out, Fact{"upgraded", g.Controller})
	}
	if way := g.HopsText(); way != "" {
		out = append(out, Fact{"hops", way})
	}
	if g.Release != nil {
		out = append(out, Fact{"Helm release", g.Release.Text()})
	}
	return out
}

// Origin says which check a step comes from, and which hop where there are several; nothing for what every upgrade has.
func (g *Gate) Origin(s *GateStep) string {
	var parts []string
	if s.Check != "" {
		parts = append(parts, s.Check)
	}
	if s.Hop != "" && len(g.Hops) > 1 {
		parts = append(parts, "hop "+s.Hop)
	}
	if len(parts) == 0 {
		return ""
	}
	return " (" + strings.Join(parts, ", ") + ")"
}

// HopOf is the hop of a finding, where there are several to tell apart.
func (r *Report) HopOf(i *Item) string {
	if r.Gate == nil || len(r.Gate.Hops) < 2 {
		return ""
	}
	return i.Hop
}

// Lead is what a message begins with: the hop, and that it is not proven.
func (r *Report) Lead(i *Item) string {
	if hop := r.HopOf(i); hop != "" {
		return "hop " + hop + ": " + i.Likely()
	}
	return i.Likely()
}

// Break is what one check found of one hop.
type Break struct {
	Hop, Check, Slug, Docs string
	Items                  []Item
}

// Breaks are the findings that count, by hop and then check; what belongs to no hop comes last.
func (r *Report) Breaks() []Break {
	var out []Break
	for _, item := range r.Items {
		if !item.Judged() {
			continue
		}
		i := slices.IndexFunc(out, func(b Break) bool { return b.Hop == item.Hop && b.Check == item.Check })
		if i < 0 {
			out, i = append(out, Break{Hop: item.Hop, Check: item.Check, Slug: item.Slug, Docs: item.Docs}), len(out)
		}
		out[i].Items = append(out[i].Items, item)
	}
	at := func(hop string) int {
		if i := slices.Index(r.Gate.Hops, hop); i >= 0 {
			return i
		}
		return len(r.Gate.Hops)
	}
	slices.SortStableFunc(out, func(a, b Break) int {
		return cmp.Or(cmp.Compare(at(a.Hop), at(b.Hop)), cmp.Compare(a.Check, b.Check))
	})
	return out
}

// Counts names the severities of what breaks.
func (b *Break) Counts() string {
	var c FindingCounts
	for i := range b.Items {
		c.add(b.Items[i].Severity)
	}
	return c.text()
}

// Numbered yields the steps of a time with their numbers, which run through the whole runbook.
func (g *Gate) Numbered(when string) (steps []GateStep, first int) {
	for i := range g.Runbook {
		if g.Runbook[i].When == when {
			if steps == nil {
				first = i + 1
			}
			steps = append(steps, g.Runbook[i])
		}
	}
	return steps, first
}

// Stage is a part of a runbook.
type Stage struct{ When, Title string }

// Stages are the stages of a runbook, in order.
func Stages() []Stage {
	return []Stage{
		{check.Before.String(), "Before"}, {check.During.String(), "During"}, {check.After.String(), "After"},
		{check.Rollback.String(), "If it goes wrong"},
	}
}
