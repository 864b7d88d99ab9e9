package manifests

import (
	"bytes"
	"io"
)

// tally counts what a source holds.
type tally struct{ objects, lists int }

// readText reads one file of YAML or JSON. What is no object is an error in a source that the user named; of a directory it is set aside.
func (b *builder) readText(s source, name string, r io.Reader, n *tally) error {
	b.input.Files = append(b.input.Files, name)
	items := untypedItems{spent: &b.spent}
	before, kustomization := *n, false
	take := func(d document) error {
		if d.Head.kustomization(name) {
			kustomization = true
			return nil
		}
		return b.take(s, d, n)
	}
	err := readDocuments(&b.spent, name, r, func(d document) error { return items.pass(d, take) })
	if err == nil {
		err = items.rest(take)
	}
	aside := &b.input.Aside
	switch {
	case kustomization:
		aside.Kustomizations = append(aside.Kustomizations, name)
	case err == nil && *n == before && !s.named:
		aside.Foreign = append(aside.Foreign, name)
	}
	if !s.named && isTemplate(err, s.chart != "") {
		b.passTemplate(name, s)
		return nil
	}
	return err
}

// take adds a document.
func (b *builder) take(s source, d document, n *tally) error {
	switch {
	case d.Head.template():
		return &inputError{d.Location, errTemplate}
	case s.chart != "" && bytes.Contains(d.JSON, []byte("{{")): // Helm runs every action in it
		return &inputError{d.Location, errInChart}
	}
	if err := b.spent.JSON(d.JSON); err != nil {
		return &inputError{d.Location, err}
	}
	if err := misnamed(&d.Head); err != nil {
		b.misnamed = append(b.misnamed, (&inputError{d.Location, err}).Error())
		return nil
	}
	isObject, err := b.add(d)
	switch {
	case err != nil:
		return &inputError{d.Location, err}
	case isObject && d.IsList:
		n.lists++
	case isObject:
		n.objects++
	case s.named:
		return &inputError{d.Location, errNoObject}
	default:
		b.input.Unread++
	}
	return nil
}
