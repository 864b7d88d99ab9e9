package manifests

import (
	"bytes"
	"errors"
	"fmt"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/input"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot/wire"
)

// yamlText is a piece of YAML that knows which lines of the input it is made of: one run of lines, or two where the
// items of a list were cut out between them.
type yamlText struct {
	bytes []byte
	lines int
	first int // line of the input where the first run starts
	split int // lines in the first run; 0: there is only one
	next  int // line of the input where the second run starts
}

func (t *yamlText) append(line []byte, at int) {
	if t.lines == 0 {
		t.first = at
	}
	t.lines++
	t.bytes = append(t.bytes, line...)
}

// resumeAt starts the second run.
func (t *yamlText) resumeAt(line int) {
	if t.lines > 0 {
		t.split, t.next = t.lines, line
	}
}

// reset keeps the memory for the next piece.
func (t *yamlText) reset() { *t = yamlText{bytes: t.bytes[:0]} }

// at returns the line of the input of the n-th line of the text, from 1.
func (t *yamlText) at(n int) int {
	if t.split > 0 && n > t.split {
		return t.next + n - t.split - 1
	}
	return t.first + max(n, 1) - 1
}

// start returns the line of the input where the text says something.
func (t *yamlText) start() int {
	n := 1
	for line := range bytes.Lines(t.bytes) {
		if !saysNothing(line) {
			break
		}
		n++
	}
	return t.at(min(n, t.lines))
}

// blank reports whether the text has nothing but comments and directives.
func (t *yamlText) blank() bool {
	for line := range bytes.Lines(t.bytes) {
		if !saysNothing(line) {
			return false
		}
	}
	return true
}

func saysNothing(line []byte) bool {
	text := bytes.TrimSpace(line)
	return len(text) == 0 || text[0] == '#' || line[0] == '%'
}

// listType reads what the text says of the list whose items are to come. A text that does not parse is reported when
// it is complete.
func (t *yamlText) listType(spent *input.Budget) listType {
	if spent.YAML(t.bytes) != nil {
		return listType{}
	}
	raw, err := wire.YAMLToJSON(t.bytes)
	if err != nil {
		return listType{}
	}
	var of listType
	_ = readObject(spent, raw, document{IsList: true}, func(d document) error { of = d.Head.listType(); return nil })
	return of
}

var (
	// yamlLine finds the line in an error of the YAML library, which counts from the start of what it was given.
	yamlLine = regexp.MustCompile(`^yaml: (?:line (\d+): )?`)
	// helmAction finds what only Helm understands. An expression of Argo, such as {{inputs.parameters.x}}, is none.
	helmAction = regexp.MustCompile(`\{\{-?\s*(?:[.$"(]|/\*|` +
		`(?:if|else|end|range|with|define|template|include|tpl|toYaml|required|printf|quote|default|lookup|block)\b|\w+\s+[.$"(])`)
	// parserProblem matches what its parser reports, with a line that is one too low; its scanner counts right
	// (func fail in decode.go of go.yaml.in/yaml/v2@v2.4.4).
	parserProblem = regexp.MustCompile(`^(?:did not find expected (?:<|node content|'-' indicator|key$|',' or)|` +
		`found undefined tag handle|found duplicate %)`)
)

// renderFirst is what to do with a template of Helm.
const renderFirst = " (this looks like a Helm template; render it first with helm template, and pass the output)"

// problem words an error of the YAML library and finds its line.
func (t *yamlText) problem(err error) (int, error) {
	message, line := err.Error(), t.start()
	if errors.Is(err, wire.ErrAliases) {
		return line, err
	}
	if m := yamlLine.FindStringSubmatch(message); m != nil {
		message = message[len(m[0]):]
		if n, err := strconv.Atoi(m[1]); err == nil {
			if parserProblem.MatchString(message) {
				n++
			}
			line = t.at(min(n, t.lines))
		}
	}
	switch n, what := t.unreadable(); {
	case n > 0:
		return t.at(n), errors.New("not valid YAML: " + what)
	case strings.HasPrefix(message, "did not find expected <document start>"):
		message += " (two documents need a line --- between them)"
	}
	switch {
	case helmAction.Match(t.bytes):
		return line, &templateError{fmt.Errorf("not valid YAML: %s%s", message, renderFirst), bareAction(t.bytes)}
	case bytes.Contains(t.bytes, []byte("{{")):
		return line, &templateError{fmt.Errorf("not valid YAML: %s", message), false}
	}
	return line, fmt.Errorf("not valid YAML: %s", message)
}

// forbidden reports whether a character is a control character that YAML does not allow.
func forbidden(r rune) bool {
	if r == '\t' || r == '\r' || r == '\n' {
		return false
	}
	return r < ' ' || r == 0x7f
}

// unreadable finds the first line with bytes that YAML does not allow; the library names no line for them.
func (t *yamlText) unreadable() (int, string) {
	n := 0
	for line := range bytes.Lines(t.bytes) {
		n++
		if !utf8.Valid(line) {
			return n, "bytes that are no UTF-8 text"
		}
		if bytes.ContainsFunc(line, forbidden) {
			return n, "a control character"
		}
	}
	return 0, ""
}
