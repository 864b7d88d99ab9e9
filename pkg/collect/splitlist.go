package collect

import (
	"bytes"
	"errors"
	"fmt"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// errNoObject is reported with the place of the document.
var errNoObject = errors.New("not a Kubernetes object: it has no apiVersion or no kind")

// splitLists hands out the items of a List that arrived as one document (YAML lists in flow style, a List within a
// List) and then its head, and everything else as it is.
func splitLists(d document, depth int, fn func(document) error) error {
	if !bytes.Contains(d.JSON, []byte(`"items":[`)) {
		return fn(d)
	}
	head, items, err := cutItems(d.JSON)
	switch {
	case err != nil:
		return err
	case items == nil:
		return fn(d)
	case depth == maxListDepth:
		return fmt.Errorf("lists within lists are nested more than %d deep", maxListDepth)
	}
	h, err := headOf(head)
	if err != nil {
		return err
	}
	of := listType{APIVersion: h.APIVersion, Kind: h.Kind}
	dec := jsontext.NewDecoder(bytes.NewReader(items), lenient())
	if _, err := dec.ReadToken(); err != nil {
		return err
	}
	for dec.PeekKind() != ']' {
		item, err := dec.ReadValue()
		if err != nil {
			return err
		}
		if err := splitLists(document{JSON: item, Location: d.Location, List: of}, depth+1, fn); err != nil {
			return err
		}
	}
	return fn(document{JSON: head, Location: d.Location, IsList: true})
}

// cutItems takes the member "items" out of an object. Items are nil if it has none that is a list.
func cutItems(raw []byte) (head, items []byte, err error) {
	head = []byte{'{'}
	err = members(raw, func(name string, value jsontext.Value) {
		if name == `"items"` && value.Kind() == '[' {
			items = bytes.Clone(value)
			return
		}
		if len(head) > 1 {
			head = append(head, ',')
		}
		head = append(append(append(head, name...), ':'), value...)
	})
	return append(head, '}'), items, err
}

// members calls fn for every member of an object, with its name as it is written; anything else has none.
func members(raw []byte, fn func(name string, value jsontext.Value)) error {
	dec := jsontext.NewDecoder(bytes.NewReader(raw), lenient())
	if tok, err := dec.ReadToken(); err != nil || tok.Kind() != '{' {
		return err
	}
	for dec.PeekKind() != '}' {
		raw, err := dec.ReadValue()
		if err != nil {
			return err
		}
		name := string(raw)
		value, err := dec.ReadValue()
		if err != nil {
			return err
		}
		fn(name, value)
	}
	return nil
}

// located gives an error a place, unless it has one.
func located(err error, loc snapshot.Location) error {
	if known := new(inputError); errors.As(err, &known) {
		return err
	}
	return &inputError{loc, err}
}
