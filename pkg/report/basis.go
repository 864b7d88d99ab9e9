package report

import (
	"cmp"
	"fmt"
)

// fact is one thing that the result rests on. Its text may hold names from a cluster.
type fact struct{ label, text string }

const (
	checksLabel     = "checks"
	suppressedLabel = "suppressed"
	baselineLabel   = "baseline"
)

// facts say what the result rests on: the checks, the baseline, what is accepted, the verdict on admission, the operators and the input.
func (r *Report) facts() []fact {
	c := r.Summary.Checks
	text := fmt.Sprintf("%d passed, %d failed", c.Passed, c.Failed)
	if c.Skipped > 0 {
		text += fmt.Sprintf(", %d skipped", c.Skipped)
	}
	if c.NotApplicable > 0 {
		text += fmt.Sprintf(", %d not applicable", c.NotApplicable)
	}
	out := []fact{{checksLabel, text}}
	if b := r.Baseline; b != nil {
		text := fmt.Sprintf("%d new, %d unchanged, %d resolved since %s", b.Findings.New, b.Findings.Unchanged, b.Findings.Resolved, b.CreationTimestamp.UTC().Format("2006-01-02 15:04:05 UTC"))
		if n := b.Findings.NotComparable; n > 0 {
			text += fmt.Sprintf("; %d not comparable", n)
		}
		out = append(out, fact{baselineLabel, text})
	}
	if n := r.Summary.Findings.Suppressed; n > 0 {
		out = append(out, fact{suppressedLabel, count(n, "finding")})
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
		if in.JudgedAs != "" {
			text += ", judged as " + in.JudgedAs
		}
		out = append(out, fact{"operator", text})
	}
	out = append(out, r.notRead()...)
	for _, src := range r.Sources {
		if src.NoOperator && src.Error == "" {
			out = append(out, fact{"no operator", src.Name})
		}
		if src.Type == "files" {
			text := fmt.Sprintf("%s in %s", count(src.Objects, "object"), count(len(src.Files), "file"))
			if src.Duplicates > 0 {
				text += fmt.Sprintf(", %s dropped", count(src.Duplicates, "duplicate"))
			}
			out = append(out, fact{"input", text})
		}
		if src.Type == "archive" {
			out = append(out, fact{"input", fmt.Sprintf("archive of %s as of %s", src.Name, r.Metadata.CreationTimestamp.UTC().Format("2006-01-02 15:04:05 UTC"))})
		}
	}
	return out
}
