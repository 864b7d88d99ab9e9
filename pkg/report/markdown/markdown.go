// Package markdown writes a report for a pull request, an issue or a chat.
package markdown

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
)

// Write writes the report for a pull request, an issue or a chat, in GitHub's flavour. That of a gate is made for a
// comment, of which GitHub takes 65536 characters.
func Write(w io.Writer, r *report.Report) error {
	if r.Gate != nil {
		return gate(w, r, 60<<10)
	}
	return scan(w, r, 0)
}

// StepSummary is Markdown that fits into a step summary of GitHub Actions, which takes 1 MiB and drops more.
func StepSummary(w io.Writer, r *report.Report) error {
	if r.Gate != nil {
		return gate(w, r, 900<<10)
	}
	return scan(w, r, 900<<10)
}

// scan leaves out the findings that do not fit into so many bytes and says how many; 0 is no limit.
func scan(w io.Writer, r *report.Report, limit int) error {
	var b bytes.Buffer
	fmt.Fprintf(&b, "# Spark on Kubernetes: %s\n\n", r.Headline())
	writeVerdict(&b, r)
	for _, text := range r.BrokenHead() {
		fmt.Fprintf(&b, "> **%s**: %s\n\n", report.BrokenTitle, inert(text))
	}
	for _, f := range r.Facts() {
		fmt.Fprintf(&b, "- %s: %s\n", f.Label, inert(f.Text))
	}
	writeFindings(&b, r, limit)
	writeEnd(&b, r)
	_, err := w.Write(b.Bytes())
	return err
}

// writeFindings are all of them, group by group; those that do not fit are counted.
func writeFindings(b *bytes.Buffer, r *report.Report, limit int) {
	var group []report.Item
	for i, item := range r.Items {
		if limit > 0 && b.Len() > limit {
			fmt.Fprintf(b, "\n%d more findings are left out here.\n", len(r.Items)-i)
			break
		}
		if r.Begins(i) {
			group = r.Group(i)
			writeGroup(b, r, group)
		}
		writeRow(b, r, item)
		if i+1 == len(r.Items) || r.Begins(i+1) {
			writeNext(b, group)
		}
	}
}

// writeEnd says what is no finding, and who says so.
func writeEnd(b *bytes.Buffer, r *report.Report) {
	writeGone(b, r)
	writeLimits(b, r)
	fmt.Fprintf(b, "\nkubectl sparkdoctor %s, as of %s\n", inert(r.Tool.Version),
		r.Metadata.CreationTimestamp.UTC().Format("2006-01-02 15:04:05 UTC"))
}

func writeGroup(b *bytes.Buffer, r *report.Report, items []report.Item) {
	item := items[0]
	fmt.Fprintf(b, "\n## %s [%s](%s) %s\n\n", item.Word(), item.Check, item.Docs, item.Slug)
	if command := r.FixCommand(items); command != "" {
		fmt.Fprintf(b, "Fix: `%s`\n\n", command)
	}
	b.WriteString("| object | finding | file |\n| --- | --- | --- |\n")
}

func writeRow(b *bytes.Buffer, r *report.Report, item report.Item) {
	object, file := code(item.Subject()), ""
	if more := item.Others(); more > 0 {
		object += fmt.Sprintf(" and %d more", more)
	}
	if name, line := item.FilePlace(); name != "" {
		file = code(fmt.Sprintf("%s:%d", name, line))
	}
	fmt.Fprintf(b, "| %s | %s | %s |\n", object, inert(r.Lead(&item)+item.Message+item.Aside()), file)
}

// writeGone lists what the older report has and this one has not.
func writeGone(b *bytes.Buffer, r *report.Report) {
	if r.Baseline == nil || len(r.Baseline.Gone) == 0 {
		return
	}
	b.WriteString("\n## In the baseline only\n\n| | object | finding |\n| --- | --- | --- |\n")
	for _, item := range r.Baseline.Gone {
		fmt.Fprintf(b, "| %s | %s | %s %s%s |\n", item.GoneWord(), code(item.Subject()), item.Check, item.Slug, inert(item.Aside()))
	}
}

func writeLimits(b *bytes.Buffer, r *report.Report) {
	list := r.Limits(true)
	lacks := r.Lacks()
	if len(list)+len(lacks) == 0 {
		return
	}
	b.WriteString("\n## What could not be judged\n\n")
	for _, l := range lacks {
		fmt.Fprintf(b, "%s\n\n", inert(l.Text))
	}
	if len(list) == 0 {
		return
	}
	b.WriteString("| | checks | why |\n| --- | --- | --- |\n")
	for _, l := range list {
		fmt.Fprintf(b, "| %s | %s | %s |\n", l.Word, l.Subject(), inert(l.Reason))
	}
}

// inert makes text from a cluster mean nothing in Markdown: no markup, no HTML, no cell of a table, no link,
// and, on a site that has them, no mention of a person and no reference to an issue: a comment parts the sign from the name.
func inert(s string) string {
	var b strings.Builder
	for _, r := range report.Escape(s) {
		switch {
		case strings.ContainsRune("\\`*_{}[]<>|~$&!^", r):
			b.WriteRune('\\')
			b.WriteRune(r)
		case r == '@' || r == '#':
			b.WriteRune(r)
			b.WriteString("<!-- -->")
		default:
			b.WriteRune(r)
		}
	}
	return strings.NewReplacer("://", `\://`, "www.", `www\.`, "WWW.", `WWW\.`).Replace(b.String())
}

// code is a name as code. What would end the code or the cell is written as the escape of its character.
func code(s string) string {
	return "`" + strings.NewReplacer("`", `\x60`, "|", `\x7c`).Replace(report.Escape(s)) + "`"
}
