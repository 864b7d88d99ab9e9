package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/fatih/color"
	"github.com/olekukonko/tablewriter/pkg/twwidth"
)

// unseen says which checks could not look, or only in part.
func (t *table) unseen(r *Report, notApplicable bool) {
	list := r.limits(notApplicable)
	for _, l := range list {
		t.limited(l)
	}
	if len(list) > 0 {
		t.line(0, "")
	}
}

func (t *table) limited(l limit) {
	lines := wrap(l.subject(), t.style.width()-len(l.word)-1)
	t.line(0, t.style.paint(pad(l.word), color.FgYellow)+" "+lines[0])
	for _, line := range lines[1:] {
		t.line(len(pad(l.word))+1, line)
	}
	t.wrapped(2, Escape(l.reason))
}

// summary ends the report with the counts and what they rest on.
func (t *table) summary(r *Report) {
	f := r.judgedCounts()
	if f.Error+f.Warning+f.Info > 0 {
		text := strings.Join([]string{
			t.counted(f.Error, "error", color.FgRed), t.counted(f.Warning, "warning", color.FgYellow), t.counted(f.Info, "info", color.FgCyan),
		}, ", ")
		if of := r.newText(); of != "" && twwidth.Width(of+text) > t.style.width() {
			t.line(0, strings.TrimSpace(of))
			t.line(2, text)
		} else {
			t.line(0, of+text)
		}
	} else {
		attribute := color.FgGreen
		if r.judged() == 0 || r.Incomplete() || r.mostDoNotApply() {
			attribute = color.FgYellow
		}
		t.line(0, t.style.paint(r.headline(), attribute, color.Bold))
	}
	for _, f := range r.facts() {
		t.labelled(0, f.label+": ", Escape(f.text+t.hint(r, f.label)))
	}
	t.gateVerdict(r.Gate)
}

// hint says where the rest is that a fact counts.
func (t *table) hint(r *Report, label string) string {
	switch {
	case label == suppressedLabel && len(r.suppressed) > 0:
		return " (--show-suppressed lists them)"
	case t.wide:
		return ""
	case label == checksLabel && r.Summary.Checks.NotApplicable > 0:
		return " (-o wide says why)"
	case label == baselineLabel && r.Baseline.Findings.Unchanged > 0:
		return " (-o wide lists what is unchanged)"
	default:
		return ""
	}
}

// headline is the result in a few words. Nobody should take what could not be looked at for clean.
func (r *Report) headline() string {
	f := r.judgedCounts()
	switch {
	case f.Error+f.Warning+f.Info > 0:
		return fmt.Sprintf("%s%s, %s, %s", r.newText(), count(f.Error, "error"), count(f.Warning, "warning"), count(f.Info, "info"))
	case r.judged() == 0:
		return "Nothing could be judged"
	case r.Incomplete():
		return "No findings in what could be looked at"
	case r.Baseline != nil:
		return "Nothing new" + r.apply()
	default:
		return "No findings" + r.apply()
	}
}

// apply says how many checks came to a verdict where most did not apply: few checks that find nothing are no clean bill.
func (r *Report) apply() string {
	if !r.mostDoNotApply() {
		return ""
	}
	return fmt.Sprintf(" by the %d of %d checks that apply", r.judged(), len(r.Checks))
}

func (r *Report) mostDoNotApply() bool {
	return 2*r.Summary.Checks.NotApplicable > len(r.Checks)
}

// newText begins the counts where only what is new counts.
func (r *Report) newText() string {
	switch {
	case r.Baseline == nil:
		return ""
	case slices.ContainsFunc(r.Items, func(i Item) bool { return i.Baseline != nil && i.Baseline.Class == classNotComparable }):
		return "new or not comparable: "
	default:
		return "new: "
	}
}

func (t *table) counted(n int, noun string, attribute color.Attribute) string {
	text := count(n, noun)
	if n == 0 {
		return text
	}
	return t.style.paint(text, attribute, color.Bold)
}

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
