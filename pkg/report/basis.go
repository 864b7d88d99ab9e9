package report

import (
	"cmp"
	"fmt"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
)

// Fact is one thing that the result rests on. Its text may hold names from a cluster.
type Fact struct{ Label, Text string }

// The labels of facts that a format may add a hint to.
const (
	ChecksLabel     = "checks"
	SuppressedLabel = "suppressed"
	BaselineLabel   = "baseline"
)

// The labels of facts that end with a command to copy.
const (
	RenderLabel = "not rendered"
	BuildLabel  = "not built"
)

// Facts say what the result rests on: the checks, the baseline, what is accepted, the verdict on admission, the operators and the input.
func (r *Report) Facts() []Fact {
	c := r.Summary.Checks
	text := fmt.Sprintf("%d passed%s, %d failed", c.Passed, r.passedInPart(), c.Failed)
	if c.Skipped > 0 {
		text += fmt.Sprintf(", %d skipped", c.Skipped)
	}
	if c.NotApplicable > 0 {
		text += fmt.Sprintf(", %d not applicable", c.NotApplicable)
	}
	out := []Fact{{ChecksLabel, text}}
	if r.hidden > 0 {
		out = append(out, Fact{"not shown", phrase.Counted(r.hidden, "finding") + " below --min-severity"})
	}
	if text := r.spread(); text != "" {
		out = append(out, Fact{"namespaces", text})
	}
	if b := r.Baseline; b != nil {
		text := fmt.Sprintf("%d new, %d unchanged, %d resolved since %s", b.Findings.New, b.Findings.Unchanged, b.Findings.Resolved,
			b.CreationTimestamp.UTC().Format("2006-01-02 15:04:05 UTC"))
		if n := b.Findings.NotComparable; n > 0 {
			text += fmt.Sprintf("; %d not comparable", n)
		}
		out = append(out, Fact{BaselineLabel, text})
	}
	if n := r.Summary.Findings.Suppressed; n > 0 {
		out = append(out, Fact{SuppressedLabel, phrase.Counted(n, "finding")})
	}
	out = append(out, r.admitted()...)
	for _, in := range r.Scope.Installations {
		text := cmp.Or(in.Version, "unknown version")
		if in.Namespace != "" {
			text += " in " + in.Namespace
		}
		if in.Source != "" {
			text += " of " + in.Source
		}
		if in.JudgedAs != "" && operator.StatesNewer(in.Version) {
			text += ", newer than what this build knows (" + operator.Known() + ")"
		}
		if in.JudgedAs != "" {
			text += ", judged as " + cmp.Or(in.Unreleased, in.JudgedAs)
		}
		out = append(out, Fact{"operator", text})
	}
	if r.Gate != nil && r.Gate.ApplicationsOnly {
		out = append(out, Fact{"runbook", "what concerns applications; the input holds no operator, so its upgrade is left out"})
	}
	out = append(out, r.NotRead()...)
	for _, src := range r.Sources {
		if src.NoOperator && src.Error == "" {
			out = append(out, Fact{"no operator", src.Name})
		}
		if src.Type == "files" {
			if text := src.Kustomized(r.command()); text != "" {
				out = append(out, Fact{BuildLabel, text})
			}
			out = append(out, Fact{"input", src.input()})
		}
		if src.Type == "archive" {
			out = append(out, Fact{"input", fmt.Sprintf("archive of %s as of %s", src.Name,
				r.Metadata.CreationTimestamp.UTC().Format("2006-01-02 15:04:05 UTC"))})
		}
	}
	return out
}

// passedInPart says how many of the checks that passed saw only a part; empty where there is none. What plain files do not hold is not
// meant: there, checks judge what is in the input.
func (r *Report) passedInPart() string {
	n := 0
	for _, c := range r.Checks {
		if c.Status == check.Passed.String() && c.Coverage == PartialCoverage {
			n++
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf(" (%d partially)", n)
}
