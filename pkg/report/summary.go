package report

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/fatih/color"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// unseen says which checks could not look, or only in part, and what permission they lack. Checks that have the same
// reason share a paragraph: one missing permission often stops many. Those that are not applicable are told on
// demand: on files that is most of them.
func (t *table) unseen(r *Report, notApplicable bool) {
	var order []string
	at := map[string][]Check{}
	for _, c := range r.Checks {
		key := limits(c)
		if key == "" || c.Status == checks.NotApplicable.String() && !notApplicable {
			continue
		}
		if at[key] == nil {
			order = append(order, key)
		}
		at[key] = append(at[key], c)
	}
	for _, key := range order {
		word, reason, _ := strings.Cut(key, "\n")
		t.limited(word, reason, at[key])
	}
	if len(order) > 0 {
		t.line(0, "")
	}
}

// limits returns in one word how the view of a check was limited, and why: nothing if it was not.
func limits(c Check) string {
	switch {
	case c.Status == checks.Skipped.String():
		return "SKIPPED\n" + c.Reason
	case c.Coverage == "partial":
		return "PARTIAL\n" + unseenText(c.Unseen)
	case c.Reason == "":
		return ""
	case c.Status == checks.NotApplicable.String():
		return "NOT APPLICABLE\n" + c.Reason
	default:
		return "NOTE\n" + c.Reason
	}
}

func (t *table) limited(word, reason string, list []Check) {
	subject := list[0].ID + " " + list[0].Slug
	if len(list) > 1 {
		ids := make([]string, 0, len(list))
		for _, c := range list {
			ids = append(ids, c.ID)
		}
		subject = strings.Join(ids, ", ")
	}
	lines := wrap(subject, t.style.width()-len(word)-1)
	t.line(0, t.style.paint(pad(word), color.FgYellow)+" "+lines[0])
	for _, line := range lines[1:] {
		t.line(len(pad(word))+1, line)
	}
	t.wrapped(2, Escape(reason))
}

func unseenText(list []snapshot.Unseen) string {
	if len(list) == 0 {
		return "a part could not be looked at"
	}
	u := list[0]
	text := fmt.Sprintf("could not %s %s", u.Verb, u.Resource)
	if u.Name != "" {
		text += " " + u.Name
	}
	if u.Namespace != "" {
		text += " in namespace " + u.Namespace
	}
	text += ": " + u.Reason
	if len(list) > 1 {
		text += fmt.Sprintf(" (and %d more, see -o json)", len(list)-1)
	}
	return text
}

// summary ends the report with the counts and what they rest on.
func (t *table) summary(r *Report) {
	f := r.Summary.Findings
	switch {
	case f.Error+f.Warning+f.Info > 0:
		text := strings.Join([]string{
			t.counted(f.Error, "error", color.FgRed), t.counted(f.Warning, "warning", color.FgYellow), t.counted(f.Info, "info", color.FgCyan),
		}, ", ")
		if f.Suppressed > 0 {
			text += fmt.Sprintf(", %d suppressed", f.Suppressed)
		}
		t.line(0, text)
	case r.judged() == 0:
		t.line(0, t.style.paint("Nothing could be judged", color.FgYellow, color.Bold))
	case r.Incomplete():
		t.line(0, t.style.paint("No findings in what could be looked at", color.FgYellow, color.Bold))
	default:
		t.line(0, t.style.paint("No findings", color.FgGreen, color.Bold))
	}
	t.looked(r)
}

func (t *table) counted(n int, noun string, attribute color.Attribute) string {
	text := count(n, noun)
	if n == 0 {
		return text
	}
	return t.style.paint(text, attribute, color.Bold)
}

// looked says what the result rests on.
func (t *table) looked(r *Report) {
	c := r.Summary.Checks
	text := fmt.Sprintf("%d passed, %d failed", c.Passed, c.Failed)
	if c.Skipped > 0 {
		text += fmt.Sprintf(", %d skipped", c.Skipped)
	}
	if c.NotApplicable > 0 {
		text += fmt.Sprintf(", %d not applicable (-o wide says why)", c.NotApplicable)
	}
	t.labelled(0, "checks: ", text)
	t.admitted(r)
	for _, in := range r.Scope.Installations {
		text := cmp.Or(in.Version, "unknown version")
		if in.Namespace != "" {
			text += " in " + in.Namespace
		}
		if in.JudgedAs != "" {
			text += ", judged as " + in.JudgedAs
		}
		t.labelled(0, "operator: ", Escape(text))
	}
	for _, src := range r.Sources {
		if src.Type == "files" {
			t.labelled(0, "input: ", fmt.Sprintf("%s in %s", count(src.Objects, "object"), count(len(src.Files), "file")))
		}
	}
}
