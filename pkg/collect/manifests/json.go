package manifests

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/input"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// jsonReader walks JSON values. A value with "items" is a list, whose items are handed out one by one.
type jsonReader struct {
	dec     *jsontext.Decoder
	lines   *lineCounter // nil: all of it stands at one place
	spent   *input.Budget
	place   snapshot.Location
	base    int                      // depth of lists around the value
	cut     bool                     // the value is a list without its items, which were handed out before
	list    listType                 // that the value is, where it says so after its items
	objects [maxListDepth + 2][]byte // at each depth of lists, reused
	head    *jsontext.Decoder        // reused
	fn      func(document) error
}

func readJSON(spent *input.Budget, name string, in *bufio.Reader, fn func(document) error) error {
	lines := &lineCounter{in: in, line: 1, most: func() int64 { return spent.Document(maxDocument) }}
	j := &jsonReader{
		dec: jsontext.NewDecoder(lines, lenient()), head: jsontext.NewDecoder(lines), lines: lines,
		place: snapshot.Location{File: name}, fn: fn, spent: spent,
	}
	for {
		kind := j.dec.PeekKind()
		j.place.Document++
		var err error
		switch kind {
		case '{':
			err = j.object(listType{}, 0)
		case '[':
			err = j.array(listType{}, 1)
		case '0':
			y, ok := j.yamlFollows()
			if ok {
				return readYAML(y)
			}
			err = &inputError{snapshot.Location{File: name, Document: j.place.Document, Line: y.line + 1}, errNoObject}
		default:
			if _, err = j.dec.ReadToken(); errors.Is(err, io.EOF) && !errors.Is(err, io.ErrUnexpectedEOF) {
				return nil
			}
			if err == nil {
				err = errNoObject
			}
		}
		if err != nil {
			return j.fail(err)
		}
	}
}

// lenient accepts what Kubernetes itself accepts: equal keys, of which the last wins, and bytes that are no UTF-8.
func lenient() json.Options {
	return json.JoinOptions(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
}

// yamlFollows returns a reader of what follows JSON values, and whether that is "---" and so YAML, as kubectl takes it.
func (j *jsonReader) yamlFollows() (*yamlReader, bool) {
	rest := bytes.Clone(j.dec.UnreadBuffer())
	line := j.lines.at(j.dec.InputOffset())
	in := bufio.NewReaderSize(io.MultiReader(bytes.NewReader(rest), j.lines.in), buffered)
	for {
		next, _ := in.Peek(1)
		if len(next) == 0 || bytes.IndexByte([]byte(" \t\r\n"), next[0]) < 0 {
			break
		}
		if next[0] == '\n' {
			line++
		}
		_, _ = in.Discard(1)
	}
	next, _ := in.Peek(len("---"))
	return &yamlReader{spent: j.spent, name: j.place.File, in: in, fn: j.fn, doc: j.place.Document, line: line - 1}, string(next) == "---"
}

// location is where the last n bytes that were read start.
func (j *jsonReader) location(n int) snapshot.Location {
	if j.lines == nil {
		return j.place
	}
	return snapshot.Location{File: j.place.File, Document: j.place.Document, Line: j.lines.at(j.dec.InputOffset() - int64(n))}
}

func (j *jsonReader) fail(err error) error {
	var known *inputError
	if errors.As(err, &known) {
		return err
	}
	at := j.dec.InputOffset()
	var syntactic *jsontext.SyntacticError
	switch {
	case j.lines.err != nil:
		err = fmt.Errorf("reading: %w", j.lines.err)
		if large := tooLarge(0); errors.As(j.lines.err, &large) {
			err = large
		}
	case errors.Is(err, io.ErrUnexpectedEOF):
		at, err = j.lines.read, errors.New("not valid JSON: the input ends in the middle of a value")
	case errors.As(err, &syntactic) && syntactic.Err != nil:
		at, err = max(at, syntactic.ByteOffset), errors.New("not valid JSON: "+syntactic.Err.Error())
	}
	return &inputError{snapshot.Location{File: j.place.File, Document: j.place.Document, Line: j.lines.at(at)}, err}
}
