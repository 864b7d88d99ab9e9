// Package machine writes a report for other programs: CI systems, code scanning and monitoring.
package machine

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
)

// GitHub writes workflow commands, which GitHub Actions shows as annotations, and below them the counts and the page of each check once
// (docs.github.com, Workflow commands for GitHub Actions).
func GitHub(w io.Writer, r *report.Report) error {
	b := bufio.NewWriter(w)
	if g := r.Gate; g != nil {
		level := map[string]string{report.VerdictNoGo: "error", report.VerdictIncomplete: "warning"}[g.Verdict]
		fmt.Fprintf(b, "%s\n", annotation(cmp.Or(level, "notice"), g.Verdict+": upgrade "+g.Title(), g.Because, nil))
	}
	for _, text := range r.BrokenLinks() {
		fmt.Fprintf(b, "%s\n", annotation("error", "admission broken", text, nil))
	}
	for _, item := range r.Items {
		if item.Word() == report.UnchangedWord {
			continue
		}
		level := item.Severity
		if level == check.Info.String() || item.Suppression != nil {
			level = "notice"
		}
		for _, o := range item.Places() {
			text := item.Named(o.Ref) + ": " + r.Lead(&item) + item.Message + item.Aside()
			fmt.Fprintf(b, "%s\n", annotation(level, item.Check+" "+item.Slug, text, &o))
		}
	}
	for _, f := range r.NotRead() {
		fmt.Fprintf(b, "%s\n", annotation("warning", f.Label, f.Text, nil))
	}
	for _, l := range r.Limits(r.Judged() == 0) {
		level := "warning"
		if l.Word == "NOT APPLICABLE" {
			level = "notice"
		}
		fmt.Fprintf(b, "%s\n", annotation(level, strings.ToLower(l.Word)+": "+l.Subject(), l.Reason, nil))
	}
	for _, l := range r.Lacks() {
		fmt.Fprintf(b, "%s\n", annotation("notice", "skipped: "+strings.Join(l.Checks, ", "), l.Text, nil))
	}
	if r.Gate != nil {
		fmt.Fprintf(b, "%s\n", report.Escape(r.Gate.VerdictText()))
	}
	fmt.Fprintf(b, "%s\n", r.Headline())
	for _, f := range r.Facts() {
		fmt.Fprintf(b, "%s: %s\n", f.Label, report.Escape(f.Text)) // the label keeps a text from being taken for a command
	}
	pages := map[string]bool{}
	for _, item := range r.Items {
		if !pages[item.Docs] && item.Word() != report.UnchangedWord {
			pages[item.Docs] = true
			fmt.Fprintf(b, "%s\n", report.Escape(item.Check+" "+item.Slug+": "+item.Docs))
		}
	}
	return b.Flush()
}

func annotation(level, title, message string, o *report.Affected) string {
	var properties []string
	if o != nil && o.Location != nil && o.Location.File != "" {
		properties = append(properties, "file="+escapeProperty(o.Location.File), "line="+strconv.Itoa(o.Line()))
	}
	properties = append(properties, "title="+escapeProperty(title))
	return "::" + level + " " + strings.Join(properties, ",") + "::" + escapeData(message)
}

// escapeData and escapeProperty are those of actions/toolkit (packages/core/src/command.ts); the runner takes them
// back. Control characters are made visible before: annotations and logs show them.
func escapeData(s string) string {
	return strings.NewReplacer("%", "%25", "\r", "%0D", "\n", "%0A").Replace(report.Escape(s))
}

func escapeProperty(s string) string {
	return strings.NewReplacer(":", "%3A", ",", "%2C").Replace(escapeData(s))
}
