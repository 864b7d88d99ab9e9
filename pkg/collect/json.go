package collect

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// jsonReader walks a stream of JSON values. A value with "items" is a list, whose items are handed out one by one.
type jsonReader struct {
	dec   *jsontext.Decoder
	lines *lineCounter
	name  string
	doc   int
	fn    func(document) error
}

func readJSON(name string, in *bufio.Reader, fn func(document) error) error {
	lines := &lineCounter{in: in, line: 1}
	j := &jsonReader{dec: jsontext.NewDecoder(lines, jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)), lines: lines, name: name, fn: fn}
	for {
		kind := j.dec.PeekKind()
		j.doc++
		var err error
		switch kind {
		case '{':
			err = j.object()
		case '[':
			err = j.array("")
		default:
			if _, err = j.dec.ReadToken(); errors.Is(err, io.EOF) {
				return nil
			}
			if err == nil {
				err = errors.New("is no JSON object")
			}
		}
		if err != nil {
			return j.fail(err)
		}
	}
}

// object reads one value. Its members other than "items" are put together again as the object that it is.
func (j *jsonReader) object() error {
	if _, err := j.dec.ReadToken(); err != nil {
		return err
	}
	start := j.location(len("{"))
	object, list, listKind := []byte{'{'}, false, ""
	for j.dec.PeekKind() != '}' {
		name, err := j.dec.ReadValue()
		if err != nil {
			return err
		}
		if string(name) == `"items"` && j.dec.PeekKind() == '[' {
			list = true
			if err := j.array(listKind); err != nil {
				return err
			}
			continue
		}
		if len(object) > 1 {
			object = append(object, ',')
		}
		object = append(append(object, name...), ':')
		value, err := j.dec.ReadValue()
		if err != nil {
			return err
		}
		if strings.Trim(string(name), `"`) == "kind" {
			listKind = strings.Trim(string(value), `"`)
		}
		if object = append(object, value...); len(object) > maxDocument {
			return errTooLarge
		}
	}
	if _, err := j.dec.ReadToken(); err != nil {
		return err
	}
	if list {
		return j.fn(document{JSON: append(object, '}'), Location: start, IsList: true})
	}
	return j.emit(append(object, '}'), start, "")
}

func (j *jsonReader) array(listKind string) error {
	if _, err := j.dec.ReadToken(); err != nil {
		return err
	}
	for j.dec.PeekKind() != ']' {
		value, err := j.dec.ReadValue()
		if err != nil {
			return err
		}
		if err := j.emit(value, j.location(len(value)), listKind); err != nil {
			return err
		}
	}
	_, err := j.dec.ReadToken()
	return err
}

func (j *jsonReader) emit(value jsontext.Value, loc snapshot.Location, listKind string) error {
	if err := value.Compact(jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true)); err != nil {
		return err
	}
	return splitLists(document{JSON: value, Location: loc, ListKind: listKind}, j.fn)
}

// location is where the last n bytes that were read start.
func (j *jsonReader) location(n int) snapshot.Location {
	return snapshot.Location{File: j.name, Document: j.doc, Line: j.lines.at(j.dec.InputOffset() - int64(n))}
}

func (j *jsonReader) fail(err error) error {
	var located *inputError
	if errors.As(err, &located) {
		return err
	}
	loc := j.location(0)
	var syntactic *jsontext.SyntacticError
	switch {
	case errors.Is(err, io.ErrUnexpectedEOF):
		err = errors.New("not valid JSON: the input ends in the middle of a value")
	case errors.As(err, &syntactic) && syntactic.Err != nil:
		err = errors.New("not valid JSON: " + syntactic.Err.Error())
	}
	return &inputError{loc, err}
}

// splitLists hands out the items of a List that arrived as one document (YAML lists in other layouts than
// kubectl's, a List within a List) and then its head, and everything else as it is.
func splitLists(d document, fn func(document) error) error {
	if !bytes.Contains(d.JSON, []byte(`"items":[`)) {
		return fn(d)
	}
	dec := jsontext.NewDecoder(bytes.NewReader(d.JSON), jsontext.AllowDuplicateNames(true), jsontext.AllowInvalidUTF8(true))
	if tok, err := dec.ReadToken(); err != nil || tok.Kind() != '{' {
		return fn(d)
	}
	list, listHead := false, []byte{'{'}
	for dec.PeekKind() != '}' {
		name, err := dec.ReadValue()
		if err != nil {
			return err
		}
		if string(name) == `"items"` && dec.PeekKind() == '[' {
			list = true
			if err := splitItems(dec, d.Location, fn); err != nil {
				return err
			}
			continue
		}
		if len(listHead) > 1 {
			listHead = append(listHead, ',')
		}
		listHead = append(append(listHead, name...), ':')
		value, err := dec.ReadValue()
		if err != nil {
			return err
		}
		listHead = append(listHead, value...)
	}
	if !list {
		return fn(d)
	}
	return fn(document{JSON: append(listHead, '}'), Location: d.Location, IsList: true})
}

func splitItems(dec *jsontext.Decoder, loc snapshot.Location, fn func(document) error) error {
	if _, err := dec.ReadToken(); err != nil {
		return err
	}
	for dec.PeekKind() != ']' {
		item, err := dec.ReadValue()
		if err != nil {
			return err
		}
		if err := splitLists(document{JSON: bytes.Clone(item), Location: loc}, fn); err != nil {
			return err
		}
	}
	_, err := dec.ReadToken()
	return err
}

// lineCounter remembers where newlines are until they have been asked for.
type lineCounter struct {
	in     io.Reader
	read   int64
	breaks []int64 // offsets of newlines that were read and not yet counted
	line   int
}

func (l *lineCounter) Read(p []byte) (int, error) {
	n, err := l.in.Read(p)
	for at := 0; at < n; {
		i := bytes.IndexByte(p[at:n], '\n')
		if i < 0 {
			break
		}
		l.breaks = append(l.breaks, l.read+int64(at+i))
		at += i + 1
	}
	l.read += int64(n)
	return n, err
}

// at returns the line of an offset. Offsets must not go backwards.
func (l *lineCounter) at(offset int64) int {
	i := 0
	for i < len(l.breaks) && l.breaks[i] < offset {
		i++
	}
	l.line += i
	l.breaks = l.breaks[i:]
	return l.line
}
