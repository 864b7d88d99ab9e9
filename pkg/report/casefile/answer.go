package casefile

import (
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// Statement is one of the few that answer why: what happened, the line that proves it, the exact change, the command, and what more there
// is.
type Statement struct {
	Label   string // proven, likely, unknown; change, run, do, or, more
	Text    string // folded at words where it does not fit
	Said    string // of a proof: what is quoted. Text is its place, a dot, and this
	Beneath string // a line below it that says less
	Command string // to copy: never folded
	Most    int    // lines that the text may take; the rest is in the wide form; 0: all of it
	Proof   bool   // it is quoted, and stands below a bar
	Verdict bool
	Unread  bool // it counts something that could not be read
}

// The labels of statements that a format may show in a way of its own.
const (
	ChangeLabel = "change"
	DoLabel     = "do"
	MoreLabel   = "more"
)

// How much of an answer is shown: five statements, ten lines of 80 columns.
const (
	mostChanges = 2
	proofLines  = 2
	briefLines  = 4
	moreLines   = 1
)

// Answer is what a reader needs first. Whatever is left out is counted in its last statement.
func (d *Document) Answer() []Statement {
	out := []Statement{{Label: d.sureness(), Text: quiet(d.Verdict.Short()), Most: briefLines, Verdict: true}}
	lines := d.Telling
	if len(lines) == 0 {
		lines = slices.DeleteFunc(slices.Clone(d.Verdict.Evidence), func(e Evidence) bool { return e.Beside })
		lines = lines[:min(len(lines), 1)]
		if d.Verdict.Shows != nil {
			lines = []Evidence{*d.Verdict.Shows}
		}
	}
	for i := range lines {
		most := proofLines
		if len(lines) == 1 {
			most++
		}
		place, said := d.proof(&lines[i])
		out = append(out, Statement{Text: place + " · " + said, Said: said, Most: most, Proof: true})
	}
	if len(lines) == 1 {
		if short, is := unrepeated(out[0].Text, out[1].Text); is {
			out[0].Text, out[0].Most, out[1].Most = short, briefLines-1, out[1].Most+1
		} else if said := d.located(out[0].Text, out[1].Said); said != "" {
			out[1].Text, out[1].Said = strings.TrimSuffix(out[1].Text, out[1].Said)+said, said
		}
	}
	if d.Verdict.Follows != "" {
		for i := range out[1:] { // which leaves less room for what proves it
			out[i+1].Most = max(1, out[i+1].Most-proofLines)
		}
		out = append(out, Statement{Label: "so", Text: sentenceOf(d.Verdict.Follows), Most: moreLines + proofLines})
	}
	if list := d.Alternatives(); len(list) > 0 {
		out = append(out, Statement{Label: "or", Text: list[0].Short() + " (" + list[0].Certainty + ")", Most: proofLines})
	}
	out = append(out, d.remedy()...)
	if more := d.more(); more != "" {
		out = append(out, Statement{Label: MoreLabel, Text: "-o wide: " + more, Most: moreLines, Unread: len(d.Unseen) > 0})
	}
	if slices.ContainsFunc(out, func(s Statement) bool { return s.Command != "" || s.Label == ChangeLabel }) {
		out[0].Most-- // what to do is more useful
		if len(lines) == 1 {
			out[1].Most--
		}
	}
	return out
}

func (d *Document) sureness() string {
	if sure := d.Verdict.Sure(); sure != "" {
		return sure
	}
	return "unknown"
}

// notFound begins what is said where nothing tells why.
const notFound = "Cause not found"

// Title is the answer in a few words, and the statement that begins it without them.
func (d *Document) Title() (title, says string) {
	title, says = d.Verdict.title(), d.Answer()[0].Text
	if !d.Answered() {
		title = notFound
	}
	if rest, is := strings.CutPrefix(says, title+": "); is {
		says = sentenceOf(rest)
	}
	return title, says
}

// Short is what a reader needs first of a cause, as a sentence.
func (v *Verdict) Short() string {
	text := v.Message
	if v.Brief != "" {
		text = v.Brief
	}
	if v.Class == string(cause.Unknown) {
		return notFound + ": " + text
	}
	return sentenceOf(text)
}

// proof is a piece of evidence and its place: "pod etl-driver 03:12:44", "state.terminated: OOMKilled (137)".
func (d *Document) proof(e *Evidence) (place, said string) {
	place = d.display(e.Object)
	if !e.Time.IsZero() {
		place += " " + d.clock(e.Time)
	}
	said = quiet(oneLine(e.Value))
	if field := brief(e.Field); field != "" && !strings.HasPrefix(field, "log") {
		said = field + ": " + said
	}
	return place, said
}

// remedy is what to change, and the command that prints it, or what else to do.
func (d *Document) remedy() []Statement {
	var out []Statement
	for i, c := range d.Verdict.Change {
		if i < mostChanges {
			s := Statement{Label: ChangeLabel, Text: c.Text(), Beneath: c.Because, Most: proofLines}
			if i+1 < min(len(d.Verdict.Change), mostChanges) && d.Verdict.Change[i+1].Because == c.Because {
				s.Beneath = "" // the next one says it
			}
			out = append(out, s)
		}
	}
	if d.Patchable() && d.patchLine != "" {
		return append(out, Statement{Label: "run", Command: d.patchLine})
	}
	if len(out) > 0 {
		return out
	}
	now := d.Verdict.Now
	healthy := []string{string(cause.SlowButProgressing), string(cause.Succeeded)} // of which something may be left to do
	if len(now) == 0 || !d.Verdict.Fault() && !slices.Contains(healthy, d.Verdict.Class) {
		return nil
	}
	out = []Statement{{Label: DoLabel, Text: sentenceOf(now[0].Text), Most: proofLines}}
	if at := slices.IndexFunc(now, func(n report.Next) bool { return n.Command != "" }); at >= 0 {
		out = append(out, Statement{Label: "run", Command: now[at].Command})
	}
	return out
}

// sentenceOf begins a text with a capital letter, but for what must stay as it is written: a field, a name, a flag.
func sentenceOf(text string) string {
	word, _, _ := strings.Cut(text, " ")
	if strings.ContainsFunc(strings.TrimPrefix(strings.TrimRight(word, ",:;."), "re-"), func(r rune) bool { return !unicode.IsLetter(r) }) {
		return text
	}
	first, size := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(first)) + text[size:]
}

// more counts what the short form leaves out.
func (d *Document) more() string {
	var parts []string
	if len(d.Timeline) > 0 {
		parts = append(parts, "timeline")
	}
	if n := len(d.RuledOut); n > 0 {
		parts = append(parts, fmt.Sprintf("%d ruled out", n))
	}
	if n := len(d.Verdict.NotRuledOut); n > 0 {
		parts = append(parts, fmt.Sprintf("%d not ruled out", n))
	}
	if n := len(d.Unseen); n > 0 {
		parts = append(parts, fmt.Sprintf("%d not read", n))
	}
	return strings.Join(parts, ", ")
}

// Headline says how the application stands, with its parts apart: "FAILED 12 min ago · attempt 3 of 3 · ran 41 min".
func (d *Document) Headline() string {
	s := d.State
	parts := []string{d.stateWord()}
	switch {
	case s.MaxAttempts == 1: // it had the one that everything has
	case s.Attempt > 0 && s.MaxAttempts > 0:
		parts = append(parts, fmt.Sprintf("attempt %d of %d", s.Attempt, s.MaxAttempts))
	case s.Attempt > 1:
		parts = append(parts, fmt.Sprintf("attempt %d", s.Attempt))
	}
	if s.RanSeconds > 0 && (ended(s.State) || s.Since.IsZero()) {
		parts = append(parts, "ran "+phrase.Span(time.Duration(s.RanSeconds)*time.Second))
	}
	return strings.Join(parts, " · ")
}
