package manifests

import (
	"bytes"
	"fmt"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/input"
)

// errHeld is reported where the type of a list comes too late.
var errHeld = fmt.Errorf("more than %d MiB of items without kind come before the kind of their list", maxDocument>>20)

// untypedItems are items without apiVersion or kind of lists that have not said yet what they hold. A client that sorts the
// members writes "items" before "kind".
type untypedItems struct {
	list []document
	size int

	spent *input.Budget
}

// pass hands a document on, or holds it until the head of its list comes.
func (h *untypedItems) pass(d document, next func(document) error) error {
	typed := d.Head.Kind != "" && d.Head.APIVersion != ""
	switch {
	case d.IsList:
		if err := h.release(d, next); err != nil {
			return err
		}
	case d.depth > 0 && d.List.Kind == "" && !typed:
		if h.size += len(d.JSON); h.size > maxDocument {
			return &inputError{d.Location, errHeld}
		}
		if err := h.spent.Keep(int64(len(d.JSON)) + perEntry); err != nil {
			return &inputError{d.Location, err}
		}
		d.JSON = bytes.Clone(d.JSON)
		h.list = append(h.list, d)
		return nil
	}
	return next(d)
}

// release hands on the items of a list. Those of lists around it wait.
func (h *untypedItems) release(list document, next func(document) error) error {
	all := h.list
	h.list, h.size = nil, 0
	for _, item := range all {
		if item.depth <= list.depth {
			h.list, h.size = append(h.list, item), h.size+len(item.JSON)
			continue
		}
		item.List = list.Head.listType()
		if err := next(item); err != nil {
			return err
		}
	}
	return nil
}

// rest hands on what no list has claimed: the items of a JSON array.
func (h *untypedItems) rest(next func(document) error) error {
	return h.release(document{depth: -1}, next)
}
