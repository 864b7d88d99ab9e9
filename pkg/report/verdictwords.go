package report

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
)

// Block is a root of the verdict in words: what is broken, and rows with what follows and what to do. Texts may hold names from a
// cluster.
type Block struct {
	Severity, Text, Check string
	Short                 string // Text where there is room for little: of several findings what they have in common
	Rows                  []Row
}

// Row is a line below a root. A command is copied: no format may break it.
type Row struct {
	Label   string // so, do, run or hop
	Text    string
	Checks  string // of an effect
	Command bool
}

// The labels of rows.
const (
	LabelEffect  = "so"
	LabelNext    = "do"
	LabelCommand = "run"
	LabelHop     = "hop"
)

// shownEffects bounds the effects of a root that are told one by one.
const shownEffects = 3

// Blocks are the roots in words.
func (r *Report) Blocks() []Block {
	if r.Verdict == nil {
		return nil
	}
	out := make([]Block, 0, len(r.Verdict.Roots))
	for i := range r.Verdict.Roots {
		out = append(out, r.Verdict.Roots[i].block(r.Metadata.CreationTimestamp))
	}
	return out
}

func (t *Root) block(now time.Time) Block {
	b := Block{Severity: t.Severity, Text: t.Message + age(now, t.aged, t.objects), Check: t.Check, Short: t.short}
	if b.Short == "" {
		b.Short = b.Text
	}
	if t.Follows != "" {
		b.Rows = append(b.Rows, Row{Label: LabelEffect, Text: t.Follows})
	}
	for i, e := range t.effects {
		if i == shownEffects {
			b.Rows = append(b.Rows, rest(t.effects[i:]))
			break
		}
		b.Rows = append(b.Rows, Row{Label: LabelEffect, Text: e.message + age(now, e.aged, e.objects), Checks: e.check})
	}
	for _, n := range t.Next {
		if n.Text != "" {
			b.Rows = append(b.Rows, Row{Label: LabelNext, Text: n.Text})
		}
		if n.Command != "" {
			b.Rows = append(b.Rows, Row{Label: LabelCommand, Text: n.Command, Command: true})
		}
	}
	return b
}

// rest names the checks of the effects that are not told one by one.
func rest(list []effect) Row {
	names := make([]string, 0, len(list))
	n := 0
	for _, e := range list {
		names, n = append(names, e.check), n+e.objects
	}
	return Row{Label: LabelEffect, Text: fmt.Sprintf("%s more", phrase.Counted(n, "object")), Checks: strings.Join(names, " ")}
}

// shownRoots bounds the roots in formats whose lines have any length.
const shownRoots = 3

// Lines are the verdict in plain text, a line each, for formats that have no layout of their own.
func (r *Report) Lines() []string {
	if r.Verdict == nil {
		return nil
	}
	var out []string
	if text := r.Verdict.Wellness(); text != "" {
		out = append(out, text)
	}
	blocks, also := r.Shown()
	for _, b := range blocks {
		out = append(out, b.Check+" "+b.Text)
		for _, row := range b.Rows {
			out = append(out, strings.TrimRight("  "+row.Label+" "+row.Text+" "+row.Checks, " "))
		}
	}
	if also != "" {
		out = append(out, also)
	}
	return out
}

// Shown are the roots that formats with a layout of their own show, and what the rest is in one line.
func (r *Report) Shown() (blocks []Block, also string) {
	blocks = r.Blocks()
	blocks = blocks[:min(len(blocks), shownRoots)]
	if r.Verdict != nil {
		also = r.Verdict.Also(len(blocks))
		blocks = append(blocks, r.Verdict.Failed()...)
	}
	return blocks, also
}

// Also says what the first few roots leave out: how many findings, and in which namespaces.
func (v *Verdict) Also(shown int) string {
	var list []member
	for i := range v.Roots[shown:] {
		list = append(list, v.Roots[shown+i].members...)
	}
	list = append(list, v.notes...)
	if len(list) == 0 {
		return ""
	}
	var counts FindingCounts
	in := map[string]int{}
	for _, m := range list {
		counts.add(m.severity)
		in[m.namespace]++
	}
	if shown > 0 {
		return "also, with other causes: " + counts.text() + places(in)
	}
	return "also: " + counts.text() + places(in)
}

// Failed is a block about the applications that failed, which is no root: nothing is wrong but with them. None: none failed.
func (v *Verdict) Failed() []Block {
	f := v.failed
	if f == nil {
		return nil
	}
	text := f.first
	if f.n > 1 {
		text = fmt.Sprintf("%s failed lately: %s", phrase.Counted(f.n, "application"), f.first)
	}
	b := Block{Severity: check.Info.String(), Text: text, Short: text, Check: f.check}
	if f.ask != "" {
		b.Rows = []Row{{Label: LabelCommand, Text: f.ask, Command: true}}
	}
	return []Block{b}
}

// shownNamespaces bounds those that are named where findings are counted.
const shownNamespaces = 4

// places says how many findings are in which namespaces, most first.
func places(in map[string]int) string {
	var names []string
	for name := range in {
		if name != "" {
			names = append(names, name)
		}
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(in[b], in[a]), cmp.Compare(a, b)) })
	var out []string
	for _, name := range names {
		out = append(out, fmt.Sprintf("%s %d", name, in[name]))
	}
	if len(out) > shownNamespaces+1 {
		out = append(out[:shownNamespaces], fmt.Sprintf("%d more namespaces", len(out)-shownNamespaces))
	}
	if n := in[""]; n > 0 {
		out = append(out, fmt.Sprintf("cluster-wide %d", n))
	}
	return " (" + strings.Join(out, ", ") + ")"
}

// sentence is what findings of one check say: the first, and how many more there are.
func sentence(items []*Item) string {
	first := items[0]
	subject := of(first.cluster) + cmp.Or(first.subject, Display(first.Object))
	if more := objects(items) - max(1, len(first.Objects)); more > 0 {
		if first.subject != "" {
			subject += fmt.Sprintf(" (and %s%s)", phrase.Counted(more, "more "+first.Object.Kind), across(items))
		} else {
			subject += fmt.Sprintf(" and %d more%s", more, across(items))
		}
	} else if n := first.Others(); first.subject == "" && n > 0 {
		subject += fmt.Sprintf(" and %d more", n)
	}
	likely := ""
	if first.confirming {
		likely = "confirming: "
	} else if first.Certainty == check.Likely.String() {
		likely = "likely "
	}
	return subject + ": " + likely + cmp.Or(first.brief, first.Message)
}

// across says in how many namespaces findings are, if in several.
func across(items []*Item) string {
	seen := map[string]bool{}
	for _, item := range items {
		for _, o := range item.Refs() {
			seen[of(item.cluster)+o.Namespace] = true
		}
	}
	if len(seen) < 2 {
		return ""
	}
	return fmt.Sprintf(" in %d namespaces", len(seen))
}

// Across is across for the findings of a group.
func Across(items []Item) string {
	list := make([]*Item, 0, len(items))
	for i := range items {
		list = append(list, &items[i])
	}
	return across(list)
}

func objects(items []*Item) int {
	n := 0
	for _, item := range items {
		n += len(item.Refs())
	}
	return n
}

func oldest(items []*Item) *time.Time {
	var out *time.Time
	for _, item := range items {
		if item.Since != nil && (out == nil || item.Since.Before(*out)) {
			out = item.Since
		}
	}
	return out
}

// aged is since when findings of one check are so, where what they say leaves it out: a message tells it in its own words.
func aged(items []*Item) *time.Time {
	if items[0].brief == "" || items[0].Since == nil {
		return nil
	}
	return oldest(items)
}

// age says for how long something has been so.
func age(now time.Time, since *time.Time, objects int) string {
	switch {
	case since == nil || !since.Before(now):
		return ""
	case objects > 1:
		return " (the oldest for " + facts.Elapsed(now.Sub(*since)) + ")"
	default:
		return " (for " + facts.Elapsed(now.Sub(*since)) + ")"
	}
}

// shownNext bounds what to do about a root.
const shownNext = 2

// nextOf is what to do about findings of one check: what the first of them asks for, and where a safe repair does that, for all of
// them.
func (r *Report) nextOf(items []*Item) []Next {
	out := append([]Next{}, items[0].Next[:min(len(items[0].Next), shownNext)]...)
	all := make([]Item, 0, len(items))
	for _, item := range items {
		all = append(all, *item)
	}
	one := "kubectl sparkdoctor fix " + items[0].Check + "="
	for i := range out {
		command := r.FixCommand(all)
		if objects(items) > 1 && strings.HasPrefix(out[i].Command, one) && !strings.Contains(command, " CONTEXT") &&
			!strings.Contains(command, " --max-risk ") {
			out[i].Command = command
		}
	}
	return out
}
