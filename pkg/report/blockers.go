package report

import (
	"cmp"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
)

// shownBlockers bounds what stands at the head of a gate; its runbook has all.
const shownBlockers = 5

// Blockers are what keeps a gate from a go, in words, and what the rest is in one line: the findings that fail it, each with what follows
// from it and what to do; where nothing fails it, what could not be looked at.
func (r *Report) Blockers() (blocks []Block, also string) {
	if r.Gate == nil {
		return nil, ""
	}
	switch r.Gate.Verdict {
	case VerdictNoGo:
		return r.failing()
	case VerdictIncomplete:
		return r.blind(), ""
	default:
		return nil, ""
	}
}

func (r *Report) failing() (blocks []Block, also string) {
	v := &Verdict{}
	least := Rank(cmp.Or(r.Gate.failOn, check.Error.String()))
	for _, c := range r.causes() {
		root := r.root(c.severity, c.own, c.below)
		v.Roots = append(v.Roots, root)
		if Rank(c.severity) > least || len(blocks) == shownBlockers {
			continue
		}
		b := root.block(r.Metadata.CreationTimestamp)
		if hops := r.hopsOf(c.own); len(hops) > 0 {
			b.Rows = slices.Insert(b.Rows, 0, Row{Label: LabelHop, Text: strings.Join(hops, ", ")})
		}
		blocks = append(blocks, b)
	}
	return blocks, v.Also(len(blocks))
}

// hopsOf are the hops of findings, by their places among Items, where there are several to tell apart.
func (r *Report) hopsOf(places []int) []string {
	var out []string
	for _, item := range r.at(places) {
		if hop := r.HopOf(item); hop != "" && !slices.Contains(out, hop) {
			out = append(out, hop)
		}
	}
	return out
}

// blind are the checks for which a gate is incomplete.
func (r *Report) blind() []Block {
	var out []Block
	for _, l := range limits(slices.DeleteFunc(slices.Clone(r.Checks), func(c Check) bool { return !r.incomplete(c) })) {
		out = append(out, Block{Severity: check.Warning.String(), Text: l.Reason, Short: l.Reason, Check: l.Subject()})
	}
	return out
}
