package snapshot

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"k8s.io/apimachinery/pkg/api/resource"
)

// Objects of a fleet repeat each other: a namespace, the labels and owners of an application's executors. What is the
// same is kept once. Neighbours in a listing are the most alike, so that the tables may be forgotten when they are full.
const (
	maxStrings = 8192
	maxSets    = 512
	maxShared  = 128 // bytes of a string that is worth looking up
)

// sharer hands out one copy of what is equal.
type sharer struct {
	strings    map[string]string
	labels     recent[*labelSet]
	own        map[string]*Label
	owners     recent[[]OwnerReference]
	features   map[string]Features
	quantities map[string]resource.Quantity
	troubles   map[string]*Trouble
	key        []byte // scratch
}

func newSharer() sharer {
	return sharer{
		strings: map[string]string{}, own: map[string]*Label{},
		features: map[string]Features{}, quantities: map[string]resource.Quantity{}, troubles: map[string]*Trouble{},
	}
}

// shared returns the value that a table has for a key, and makes it if there is none.
func shared[V any](table map[string]V, most int, key []byte, build func() (V, error)) (V, error) {
	if v, known := table[string(key)]; known {
		return v, nil
	}
	v, err := build()
	if err != nil {
		return v, err
	}
	if len(table) >= most {
		clear(table)
	}
	table[string(key)] = v
	return v, nil
}

// recent are the last few values of a kind that is alike among neighbours only: labels and owners are those of one
// application. A table would make a string of each key, which are longer than the values.
type recent[V any] struct {
	list [8]struct {
		key   []byte
		value V
	}
	last int
}

// of returns the value that was made of a key, and makes it if that is long ago.
func (r *recent[V]) of(key []byte, build func() (V, error)) (V, error) {
	for i := range r.list {
		one := &r.list[(r.last+len(r.list)-i)%len(r.list)]
		if one.key != nil && bytes.Equal(one.key, key) {
			return one.value, nil
		}
	}
	v, err := build()
	if err == nil {
		r.last = (r.last + 1) % len(r.list)
		one := &r.list[r.last]
		one.key, one.value = append(one.key[:0], key...), v
	}
	return v, err
}

// newest returns the value that was made last, or none.
func (r *recent[V]) newest() V { return r.list[r.last].value }

// text returns bytes as a string.
func (s *sharer) text(b []byte) string {
	if len(b) == 0 {
		return ""
	}
	if len(b) > maxShared {
		return string(b)
	}
	if known, ok := s.strings[string(b)]; ok {
		return known
	}
	if len(s.strings) >= maxStrings {
		clear(s.strings)
	}
	made := string(b)
	s.strings[made] = made
	return made
}

// again is text where the same comes again and again.
func (s *sharer) again(b []byte, last *string) string {
	*last = s.like(b, *last)
	return *last
}

// like is text that is probably another one.
func (s *sharer) like(b []byte, other string) string {
	if string(b) == other {
		return other
	}
	return s.text(b)
}

func (s *sharer) string(text string) string {
	if known, ok := s.strings[text]; ok {
		return known
	}
	return s.text([]byte(text))
}

// object shares what a decoded object has in common with others.
func (s *sharer) object(o *Object) {
	o.APIVersion, o.Kind, o.Namespace = s.string(o.APIVersion), s.string(o.Kind), s.string(o.Namespace)
	for i, name := range o.Finalizers() {
		o.Seldom.Finalizers[i] = s.string(name)
	}
	o.Labels = s.labelsOf(o.Labels.sorted())
	if len(o.Owners) == 0 {
		return
	}
	key := s.key[:0]
	for i := range o.Owners {
		r := &o.Owners[i]
		for _, text := range []string{r.APIVersion, r.Kind, r.Name, r.UID} {
			key = appendSized(key, text)
		}
		key = append(key, oneIf(r.Controller), oneIf(r.BlockOwnerDeletion))
	}
	s.key = key
	o.Owners, _ = s.owners.of(key, func() ([]OwnerReference, error) { return o.Owners, nil })
}

// labelsOf shares a sorted list of labels.
func (s *sharer) labelsOf(list []Label) Labels {
	if len(list) == 0 {
		return Labels{}
	}
	var out Labels
	key, count := s.key[:0], 0
	for _, l := range list {
		if l.Key == ExecutorIDLabel {
			out.own = s.ownLabel([]byte(l.Value))
			continue
		}
		key, count = appendSized(appendSized(key, l.Key), l.Value), count+1
	}
	if s.key = key; count == 0 {
		return out
	}
	out.shared, _ = s.labels.of(key, func() (*labelSet, error) {
		kept := make([]Label, 0, count)
		for _, l := range list {
			if l.Key != ExecutorIDLabel {
				kept = append(kept, Label{s.string(l.Key), s.string(l.Value)})
			}
		}
		return newLabelSet(kept), nil
	})
	return out
}

// ownLabel is the number of an executor: the only label in which those of an application differ.
func (s *sharer) ownLabel(value []byte) *Label {
	l, _ := shared(s.own, maxStrings, value, func() (*Label, error) { return &Label{ExecutorIDLabel, Redact(string(value))}, nil })
	return l
}

func (s *sharer) quantity(text []byte) (resource.Quantity, error) {
	if len(text) == 0 {
		return resource.Quantity{}, nil
	}
	return shared(s.quantities, maxSets, text, func() (resource.Quantity, error) {
		if hugeExponent(text) {
			return resource.Quantity{}, fmt.Errorf("%.40q is no amount that can be", text)
		}
		return resource.ParseQuantity(string(text))
	})
}

// hugeExponent reports whether a quantity has an exponent of four digits or more: resource.ParseQuantity writes such a
// number out in full, which takes minutes and gigabytes.
func hugeExponent(text []byte) bool {
	digits := 0
	for i := len(text) - 1; i >= 0 && (text[i] >= '0' && text[i] <= '9' || text[i] == '+' || text[i] == '-'); i-- {
		digits++
	}
	rest := text[:len(text)-digits]
	return digits > 3 && len(rest) > 0 && (rest[len(rest)-1] == 'e' || rest[len(rest)-1] == 'E')
}

// appendSized appends a text in such a way that texts one after the other cannot be mistaken for others.
func appendSized[T string | []byte](to []byte, text T) []byte {
	return append(binary.AppendUvarint(to, uint64(len(text))), text...)
}

// cutSized undoes appendSized.
func cutSized(from []byte) (text, rest []byte) {
	size, n := binary.Uvarint(from)
	end := n + int(size) //nolint:gosec // the length of a text in memory
	return from[n:end], from[end:]
}

func oneIf(set bool) byte {
	if set {
		return 1
	}
	return 0
}
