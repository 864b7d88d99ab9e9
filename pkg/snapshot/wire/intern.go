package wire

import (
	"bytes"
	"encoding/binary"
	"fmt"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
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
	labels     recent[*snapshot.LabelSet]
	own        map[string]*snapshot.Label
	owners     recent[[]snapshot.OwnerReference]
	packed     map[string]snapshot.Features
	roles      map[string]*snapshot.RoleSpec
	quantities map[string]resource.Quantity
	problems   map[string]*snapshot.PodProblem
	key        []byte // scratch
}

func newSharer() sharer {
	return sharer{
		strings: map[string]string{}, own: map[string]*snapshot.Label{},
		packed: map[string]snapshot.Features{}, roles: map[string]*snapshot.RoleSpec{},
		quantities: map[string]resource.Quantity{}, problems: map[string]*snapshot.PodProblem{},
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

// intern returns a copy of a text that records share.
func intern[T ~string | ~[]byte](s *sharer, text T) string {
	if len(text) == 0 {
		return ""
	}
	if len(text) > maxShared {
		return string(text)
	}
	if known, ok := s.strings[string(text)]; ok {
		return known
	}
	if len(s.strings) >= maxStrings {
		clear(s.strings)
	}
	made := string(text)
	s.strings[made] = made
	return made
}

// Text returns a copy of a text that records share.
func (d *Decoder) Text(text []byte) string { return intern(&d.sharer, text) }

// Features returns a packed set of features that records share.
func (d *Decoder) Features(raw []byte) snapshot.Features {
	f, _ := shared(d.packed, maxSets, raw, func() (snapshot.Features, error) { return snapshot.Features(raw), nil })
	return f
}

// Share replaces what an object has in common with others that were decoded by what these have.
func (d *Decoder) Share(o *snapshot.Object) { d.object(o) }

// object shares what a decoded object has in common with others.
func (s *sharer) object(o *snapshot.Object) {
	o.APIVersion = intern(s, o.APIVersion)
	o.Kind = intern(s, o.Kind)
	o.Namespace = intern(s, o.Namespace)
	for i, name := range o.Finalizers() {
		o.Seldom.Finalizers[i] = intern(s, name)
	}
	o.Labels = s.labelsOf(o.Labels.Sorted())
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
	o.Owners, _ = s.owners.of(key, func() ([]snapshot.OwnerReference, error) { return o.Owners, nil })
}

// labelsOf shares a sorted list of labels.
func (s *sharer) labelsOf(list []snapshot.Label) snapshot.Labels {
	if len(list) == 0 {
		return snapshot.Labels{}
	}
	var out snapshot.Labels
	key, count := s.key[:0], 0
	for _, l := range list {
		if l.Key == snapshot.ExecutorIDLabel {
			out.Own = s.ownLabel([]byte(l.Value))
			continue
		}
		key, count = appendSized(appendSized(key, l.Key), l.Value), count+1
	}
	if s.key = key; count == 0 {
		return out
	}
	out.Shared, _ = s.labels.of(key, func() (*snapshot.LabelSet, error) {
		kept := make([]snapshot.Label, 0, count)
		for _, l := range list {
			if l.Key != snapshot.ExecutorIDLabel {
				kept = append(kept, snapshot.Label{Key: intern(s, l.Key), Value: intern(s, l.Value)})
			}
		}
		return snapshot.NewLabelSet(kept), nil
	})
	return out
}

// ownLabel is the number of an executor: the only label in which those of an application differ.
func (s *sharer) ownLabel(value []byte) *snapshot.Label {
	l, _ := shared(s.own, maxStrings, value, func() (*snapshot.Label, error) {
		return &snapshot.Label{Key: snapshot.ExecutorIDLabel, Value: snapshot.Redact(string(value))}, nil
	})
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
	rest := bytes.TrimRight(text, "+-0123456789")
	if digits := len(text) - len(rest); digits <= 3 {
		return false
	}
	return bytes.HasSuffix(rest, []byte("e")) || bytes.HasSuffix(rest, []byte("E"))
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
