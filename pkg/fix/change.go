package fix

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/api/equality"
)

// Change is one field before and after. Nil is a field that is not there.
type Change struct {
	Path Path `json:"path"`
	Old  any  `json:"old,omitempty"`
	New  any  `json:"new,omitempty"`
	// Hidden values may quote a manifest with secrets: they are shown by size, planned by their hash, and not recorded.
	Hidden bool `json:"hidden,omitempty"`
}

// MarshalJSON writes hidden values as hashes.
func (c Change) MarshalJSON() ([]byte, error) {
	type plain Change
	if c.Hidden {
		c.Old, c.New = hashed(c.Old), hashed(c.New)
	}
	return json.Marshal(plain(c))
}

const hashPrefix = "sha256:"

// hashed returns the hash of a text, or the value itself if it is none, or a hash already.
func hashed(v any) any {
	text, ok := v.(string)
	if !ok || strings.HasPrefix(text, hashPrefix) {
		return v
	}
	return fmt.Sprintf("%s%x", hashPrefix, sha256.Sum256([]byte(text)))
}

// same reports whether two changes do the same.
func (c Change) same(o Change) bool {
	if c.Hidden || o.Hidden {
		return equal(hashed(c.Old), hashed(o.Old)) && equal(hashed(c.New), hashed(o.New))
	}
	return equal(c.Old, o.Old) && equal(c.New, o.New)
}

// equal compares values of fields, most of which are strings.
func equal(a, b any) bool {
	if text, ok := a.(string); ok {
		other, ok := b.(string)
		return ok && text == other
	}
	return equality.Semantic.DeepEqual(a, b)
}

// reversed is the change that takes this one back.
func (c Change) reversed() Change { return Change{Path: c.Path, Old: c.New, New: c.Old} }

// String returns the field with what happens to it: "metadata.finalizers[=x]: removed".
func (c Change) String() string {
	switch {
	case c.Hidden:
		return fmt.Sprintf("%s: %s", c.Path, verbOf(c))
	case c.New == nil:
		return fmt.Sprintf("%s: removed (was %s)", c.Path, compact(c.Old))
	case c.Old == nil:
		return fmt.Sprintf("%s: set to %s", c.Path, compact(c.New))
	default:
		return fmt.Sprintf("%s: %s becomes %s", c.Path, compact(c.Old), compact(c.New))
	}
}

// shownValue bounds a value in a line, in bytes.
const shownValue = 40

// Short is String with long values left out.
func (c Change) Short() string {
	long := func(v any) bool { return len(compact(v)) > shownValue }
	if !c.Hidden && (long(c.Old) || long(c.New)) {
		c.Hidden = true
	}
	return c.String()
}

func verbOf(c Change) string {
	switch {
	case c.New == nil:
		return "removed"
	case c.Old == nil:
		return "set"
	default:
		return "changed"
	}
}

func compact(v any) string {
	if s, ok := v.(string); ok {
		return s
	}
	text, err := json.Marshal(v)
	if err != nil {
		return fmt.Sprint(v)
	}
	return string(text)
}

// Apply makes the change in an object.
func (c Change) Apply(object map[string]any) error {
	written, err := written(object, c.Path, c.New)
	if err == nil && written == nil {
		return fmt.Errorf("%s: the object itself cannot be removed", c.Path)
	}
	return err
}

// written returns a value with the field at a path set, or removed if it is nil.
func written(at any, path Path, value any) (any, error) {
	if len(path) == 0 {
		return value, nil
	}
	step := path[0]
	if at == nil {
		at = emptyFor(step)
	}
	next, exists, _, err := child(at, step)
	if err != nil {
		return nil, err
	}
	below, err := written(next, path[1:], value)
	if err != nil {
		return nil, err
	}
	if list, ok := at.([]any); ok {
		switch i := find(list, step); {
		case below == nil && exists:
			return slices.Delete(list, i, i+1), nil
		case exists:
			list[i] = below
		case below != nil:
			list = append(list, keyed(below, step))
		}
		return list, nil
	}
	fields, ok := at.(map[string]any)
	switch {
	case !ok:
		return nil, fmt.Errorf("%s is in no map", step)
	case below == nil:
		delete(fields, step)
	default:
		fields[step] = below
	}
	return fields, nil
}

// keyed gives a new element the key by which it is found.
func keyed(value any, step string) any {
	key, name, _ := strings.Cut(step[1:len(step)-1], "=")
	if fields, ok := value.(map[string]any); ok && key != "" && fields[key] == nil {
		fields[key] = name
	}
	return value
}
