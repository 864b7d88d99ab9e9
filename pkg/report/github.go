package report

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
)

// GitHub writes workflow commands, which GitHub Actions shows as annotations, and the counts below them
// (docs.github.com, Workflow commands for GitHub Actions).
func GitHub(w io.Writer, r *Report) error {
	b := bufio.NewWriter(w)
	if g := r.Gate; g != nil {
		level := map[string]string{VerdictNoGo: "error", VerdictIncomplete: "warning"}[g.Verdict]
		fmt.Fprintf(b, "%s\n", annotation(cmp.Or(level, "notice"), g.Verdict+": upgrade "+g.title(), g.Because, nil))
	}
	for _, text := range r.broken() {
		fmt.Fprintf(b, "%s\n", annotation("error", "admission broken", text, nil))
	}
	for _, item := range r.Items {
		if item.word() == unchangedWord {
			continue
		}
		level := item.Severity
		if level == check.Info.String() || item.Suppression != nil {
			level = "notice"
		}
		for _, o := range item.affected() {
			text := item.named(o.Ref) + ": " + r.lead(&item) + item.Message + item.aside()
			fmt.Fprintf(b, "%s\n", annotation(level, item.Check+" "+item.Slug, text, &o))
		}
	}
	for _, f := range r.notRead() {
		fmt.Fprintf(b, "%s\n", annotation("warning", f.label, f.text, nil))
	}
	for _, l := range r.limits(r.judged() == 0) {
		level := "warning"
		if l.word == "NOT APPLICABLE" {
			level = "notice"
		}
		fmt.Fprintf(b, "%s\n", annotation(level, strings.ToLower(l.word)+": "+l.subject(), l.reason, nil))
	}
	if r.Gate != nil {
		fmt.Fprintf(b, "%s\n", Escape(r.Gate.verdictText()))
	}
	fmt.Fprintf(b, "%s\n", r.headline())
	for _, f := range r.facts() {
		fmt.Fprintf(b, "%s: %s\n", f.label, Escape(f.text)) // the label keeps a text from being taken for a command
	}
	return b.Flush()
}

func annotation(level, title, message string, o *Affected) string {
	var properties []string
	if o != nil && o.Location != nil && o.Location.File != "" {
		properties = append(properties, "file="+escapeProperty(o.Location.File), "line="+strconv.Itoa(o.line()))
	}
	properties = append(properties, "title="+escapeProperty(title))
	return "::" + level + " " + strings.Join(properties, ",") + "::" + escapeData(message)
}

// escapeData and escapeProperty are those of actions/toolkit (packages/core/src/command.ts); the runner takes them
// back. Control characters are made visible before: annotations and logs show them.
func escapeData(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(Escape(s))
}

func escapeProperty(s string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(escapeData(s))
}
