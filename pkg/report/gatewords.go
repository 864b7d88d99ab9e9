package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
)

// because is what a verdict rests on: the findings that fail the run, those that do not, and what could not be looked at.
func (r *Report) because(failOn string) string {
	var fails, rest FindingCounts
	for i := range r.Items {
		switch item := &r.Items[i]; {
		case !item.judged():
		case failOn != "none" && rank(item.Severity) <= rank(failOn):
			fails.add(item.Severity)
		default:
			rest.add(item.Severity)
		}
	}
	var parts []string
	switch {
	case fails != (FindingCounts{}):
		parts = append(parts, r.newText()+fails.text())
	case rest != (FindingCounts{}):
		parts = append(parts, r.newText()+rest.text()+", below what fails it")
	case r.judged() > 0 && !r.Incomplete():
		parts = append(parts, "nothing found that speaks against it")
	}
	parts = append(parts, r.blindness()...)
	if len(r.Gate.Only) > 0 {
		parts = append(parts, "asked only about "+strings.Join(r.Gate.Only, ", "))
	}
	return strings.Join(parts, "; ")
}

// blindness says how many checks could not look, or only in part.
func (r *Report) blindness() []string {
	if r.judged() == 0 {
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
		out = append(out, count(skipped, "check")+" could not look")
	}
	if partial > 0 {
		out = append(out, count(partial, "check")+" could only look in part")
	}
	return out
}

// text names the severities of which there are findings.
func (c FindingCounts) text() string {
	var parts []string
	for _, one := range []struct {
		n    int
		noun string
	}{{c.Error, "error"}, {c.Warning, "warning"}, {c.Info, "info"}} {
		if one.n > 0 {
			parts = append(parts, count(one.n, one.noun))
		}
	}
	return strings.Join(parts, ", ")
}

// title names the upgrade. It may hold names from a cluster, as all texts of a gate may.
func (g *Gate) title() string {
	text := g.From + " → " + g.To
	if g.Controller != "" {
		text += " of " + g.Controller
	}
	return text
}

func (g *Gate) verdictText() string { return g.Verdict + ": " + g.Because }

// tone is the class of the verdict; its word says the same.
func (g *Gate) tone() string {
	switch g.Verdict {
	case VerdictNoGo:
		return "error"
	case VerdictIncomplete:
		return "warning"
	default:
		return "good"
	}
}

// way names the hops, where several are crossed.
func (g *Gate) way() string {
	if len(g.Hops) < 2 {
		return ""
	}
	return strings.Join(g.Hops, ", ")
}

// from says which check a step comes from, and which hop where there are several; nothing for what every upgrade has.
func (g *Gate) from(s *GateStep) string {
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

// hop is that of a finding, where there are several to tell apart.
func (r *Report) hop(i *Item) string {
	if r.Gate == nil || len(r.Gate.Hops) < 2 {
		return ""
	}
	return i.Hop
}

// lead is what a message begins with: the hop, and that it is not proven.
func (r *Report) lead(i *Item) string {
	if hop := r.hop(i); hop != "" {
		return "hop " + hop + ": " + i.likely()
	}
	return i.likely()
}

// gateBreak is what one check found of one hop.
type gateBreak struct {
	hop, check, slug, docs string
	items                  []Item
}

// breaks are the findings that count, by hop and then check; what belongs to no hop comes last.
func (r *Report) breaks() []gateBreak {
	var out []gateBreak
	for _, item := range r.Items {
		if !item.judged() {
			continue
		}
		i := slices.IndexFunc(out, func(b gateBreak) bool { return b.hop == item.Hop && b.check == item.Check })
		if i < 0 {
			out, i = append(out, gateBreak{hop: item.Hop, check: item.Check, slug: item.Slug, docs: item.Docs}), len(out)
		}
		out[i].items = append(out[i].items, item)
	}
	at := func(hop string) int {
		if i := slices.Index(r.Gate.Hops, hop); i >= 0 {
			return i
		}
		return len(r.Gate.Hops)
	}
	slices.SortStableFunc(out, func(a, b gateBreak) int {
		return cmp.Or(cmp.Compare(at(a.hop), at(b.hop)), cmp.Compare(a.check, b.check))
	})
	return out
}

func (b *gateBreak) counts() string {
	var c FindingCounts
	for i := range b.items {
		c.add(b.items[i].Severity)
	}
	return c.text()
}

// numbered yields the steps of a time with their numbers, which run through the whole runbook.
func (g *Gate) numbered(when string) (steps []GateStep, first int) {
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

// stage is a part of a runbook.
type stage struct{ when, title string }

// times are the stages of a runbook, in order.
func times() []stage {
	return []stage{
		{check.Before.String(), "Before"}, {check.During.String(), "During"}, {check.After.String(), "After"},
	}
}
