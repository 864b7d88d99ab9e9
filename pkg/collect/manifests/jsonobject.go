package manifests

import (
	"bytes"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/input"
)

// readObject hands out the object that a text is, or the items of the list that it is. A text that was YAML says what it
// is a list of after its items, for its members are in alphabetical order.
func readObject(spent *input.Budget, text []byte, d document, fn func(document) error) error {
	var list listType
	if !d.IsList && bytes.Contains(text, []byte(`"items":[`)) {
		err := readText(spent, text, d, listType{}, func(d document) error { list = d.Head.listType(); return nil })
		if err != nil {
			return err
		}
	}
	return readText(spent, text, d, list, fn)
}

func readText(spent *input.Budget, text []byte, d document, list listType, fn func(document) error) error {
	j := &jsonReader{
		dec: jsontext.NewDecoder(bytes.NewBuffer(text), lenient()), head: jsontext.NewDecoder(bytes.NewBuffer(nil)),
		place: d.Location, base: d.depth, cut: d.IsList, list: list, fn: fn, spent: spent,
	}
	if j.dec.PeekKind() != '{' {
		d.JSON = text
		return fn(d)
	}
	return j.object(d.List, 0)
}

// object reads one value, and its head on the way. If it is a list, its items are handed out before it, which is then
// what it has besides.
func (j *jsonReader) object(of listType, depth int) error {
	if _, err := j.dec.ReadToken(); err != nil {
		return err
	}
	d := document{Location: j.location(len("{")), List: of, IsList: j.cut && depth == 0, depth: j.base + depth}
	object := append(j.objects[depth][:0], '{')
	for j.dec.PeekKind() != '}' {
		before := len(object)
		if before > 1 {
			object = append(object, ',')
		}
		start := len(object)
		raw, err := j.dec.ReadValue()
		if err != nil {
			return err
		}
		object = append(object, raw...)
		name := object[start:]
		if string(name) == `"items"` && j.dec.PeekKind() == '[' {
			object = object[:before]
			switch {
			case depth > maxListDepth:
				return &inputError{d.Location, errNested}
			case j.cut && depth == 0:
				return &inputError{d.Location, errItemsTwice}
			}
			d.IsList = true
			items := d.Head.listType()
			if depth == 0 && j.lines == nil {
				items = j.list
			}
			if err := j.array(items, depth+1); err != nil {
				return err
			}
			continue
		}
		value, err := j.dec.ReadValue()
		if err != nil {
			return err
		}
		d.Head.set(j.head, name, value)
		object = append(append(object, ':'), value...)
		if most := j.spent.Document(maxDocument); int64(len(object)) > most {
			return &inputError{d.Location, tooLarge(most)}
		}
	}
	if _, err := j.dec.ReadToken(); err != nil {
		return err
	}
	d.JSON = append(object, '}')
	j.objects[depth] = d.JSON
	return j.fn(d)
}

func (j *jsonReader) array(of listType, depth int) error {
	if _, err := j.dec.ReadToken(); err != nil {
		return err
	}
	for j.dec.PeekKind() != ']' {
		if j.dec.PeekKind() == '{' {
			if err := j.object(of, depth); err != nil {
				return err
			}
			continue
		}
		value, err := j.dec.ReadValue()
		if err != nil {
			return err
		}
		if err := j.fn(document{JSON: value, Location: j.location(len(value)), List: of, depth: j.base + depth}); err != nil {
			return err
		}
	}
	_, err := j.dec.ReadToken()
	return err
}
