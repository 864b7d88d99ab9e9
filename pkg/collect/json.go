package collect

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// jsonReader walks a stream of JSON values. A value with "items" is a list, whose items are handed out one by one.
type jsonReader struct {
	dec     *jsontext.Decoder
	lines   *lineCounter
	name    string
	doc     int
	compact []byte // reused
	fn      func(document) error
}

func readJSON(name string, in *bufio.Reader, fn func(document) error) error {
	lines := &lineCounter{in: in, line: 1}
	j := &jsonReader{dec: jsontext.NewDecoder(lines, lenient()), lines: lines, name: name, fn: fn}
	for {
		kind := j.dec.PeekKind()
		j.doc++
		var err error
		switch kind {
		case '{':
			err = j.object()
		case '[':
			err = j.array(listType{})
		case '0':
			y, ok := j.yamlFollows()
			if ok {
				return readYAML(y)
			}
			err = &inputError{snapshot.Location{File: name, Document: j.doc, Line: y.line + 1}, errNoObject}
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
	in := bufio.NewReaderSize(io.MultiReader(bytes.NewReader(rest), j.lines.in), 256<<10)
	for {
		next, _ := in.Peek(1)
		if len(next) == 0 || next[0] != ' ' && next[0] != '\t' && next[0] != '\r' && next[0] != '\n' {
			break
		}
		if next[0] == '\n' {
			line++
		}
		_, _ = in.Discard(1)
	}
	next, _ := in.Peek(len("---"))
	return &yamlReader{name: j.name, in: in, fn: j.fn, doc: j.doc, line: line - 1}, string(next) == "---"
}

// object reads one value. Its members other than "items" are put together again as the object that it is.
func (j *jsonReader) object() error {
	if _, err := j.dec.ReadToken(); err != nil {
		return err
	}
	start := j.location(len("{"))
	object, list, of := []byte{'{'}, false, listType{}
	for j.dec.PeekKind() != '}' {
		raw, err := j.dec.ReadValue()
		if err != nil {
			return err
		}
		name := string(raw)
		if name == `"items"` && j.dec.PeekKind() == '[' {
			list = true
			if err := j.array(of); err != nil {
				return err
			}
			continue
		}
		value, err := j.dec.ReadValue()
		if err != nil {
			return err
		}
		of.set(name, value)
		if len(object) > 1 {
			object = append(object, ',')
		}
		object = append(append(append(object, name...), ':'), value...)
		if len(object) > maxDocument {
			return errTooLarge
		}
	}
	if _, err := j.dec.ReadToken(); err != nil {
		return err
	}
	return j.emit(append(object, '}'), document{Location: start, IsList: list})
}

func (j *jsonReader) array(of listType) error {
	if _, err := j.dec.ReadToken(); err != nil {
		return err
	}
	for j.dec.PeekKind() != ']' {
		value, err := j.dec.ReadValue()
		if err != nil {
			return err
		}
		if err := j.emit(value, document{Location: j.location(len(value)), List: of}); err != nil {
			return err
		}
	}
	_, err := j.dec.ReadToken()
	return err
}

func (j *jsonReader) emit(value jsontext.Value, d document) error {
	var err error
	j.compact, err = jsontext.AppendFormat(j.compact[:0], value, lenient(), jsontext.PreserveRawStrings(true))
	if err != nil {
		return err
	}
	d.JSON = j.compact
	if d.IsList {
		return j.fn(d)
	}
	if err := splitLists(d, 0, j.fn); err != nil {
		return located(err, d.Location)
	}
	return nil
}

// location is where the last n bytes that were read start.
func (j *jsonReader) location(n int) snapshot.Location {
	return snapshot.Location{File: j.name, Document: j.doc, Line: j.lines.at(j.dec.InputOffset() - int64(n))}
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
		if errors.Is(j.lines.err, errTooLarge) {
			err = errTooLarge
		}
	case errors.Is(err, io.ErrUnexpectedEOF):
		at, err = j.lines.read, errors.New("not valid JSON: the input ends in the middle of a value")
	case errors.As(err, &syntactic) && syntactic.Err != nil:
		at, err = max(at, syntactic.ByteOffset), errors.New("not valid JSON: "+syntactic.Err.Error())
	}
	return &inputError{snapshot.Location{File: j.name, Document: j.doc, Line: j.lines.at(at)}, err}
}
