package snapshot

import (
	"bytes"

	"google.golang.org/protobuf/encoding/protowire"
)

// twin is the spec of a pod as it was read. Executors of an application have one spec, but for what nobody here reads:
// their node, their number, the name of the token's volume. A spec that differs from its twin only there says the same,
// and is compared instead of read.
type twin struct {
	whole    bool // it was read to its end
	role     string
	raw      []byte // the spec, into which fields point
	fields   []twinField
	requests Requests
	features Features
}

// twinField is a field that was read, with the parts of it that were not.
type twinField struct {
	number protowire.Number
	value  uint64
	bytes  []byte
	unread []span
}

// span is a part of a text.
type span struct{ from, to int }

// begin starts over with a spec that is to be read from t.raw.
func (t *twin) begin(role string, raw []byte) {
	*t = twin{role: role, raw: append(t.raw[:0], raw...), fields: t.fields[:0]}
}

// field notes one that is read.
func (t *twin) field(m *message) (f *twinField) {
	t.fields, f = more(t.fields)
	*f = twinField{number: m.field, value: m.number, bytes: m.bytes, unread: f.unread[:0]}
	return f
}

// skip notes a part of the field that is not read. Both end where the memory of the spec does, so that what is left
// behind them tells where the part is.
func (f *twinField) skip(part []byte) {
	if len(part) > 0 {
		from := cap(f.bytes) - cap(part)
		f.unread = append(f.unread, span{from, from + len(part)})
	}
}

// same reports whether another field says the same.
func (f *twinField) same(m *message) bool {
	if f.number != m.field || f.value != m.number || len(f.bytes) != len(m.bytes) {
		return false
	}
	at := 0
	for _, part := range f.unread {
		if !bytes.Equal(f.bytes[at:part.from], m.bytes[at:part.from]) {
			return false
		}
		at = part.to
	}
	return bytes.Equal(f.bytes[at:], m.bytes[at:])
}

// same reports whether another spec says the same.
func (t *twin) same(role string, raw []byte) bool {
	if !t.whole || t.role != role {
		return false
	}
	n := 0
	m := message{rest: raw}
	for m.next() {
		if !specIsRead(m.field) {
			continue
		}
		if n == len(t.fields) || !t.fields[n].same(&m) {
			return false
		}
		n++
	}
	return m.err == nil && n == len(t.fields)
}

// twins are the last few specs: neighbours in a listing are drivers and executors of one application.
type twins struct {
	list [4]twin
	last int
}

// find returns the twin of a spec, or nil.
func (t *twins) find(role string, raw []byte) *twin {
	for i := range t.list {
		one := &t.list[(t.last+len(t.list)-i)%len(t.list)]
		if one.same(role, raw) {
			return one
		}
	}
	return nil
}

// oldest returns the one to be forgotten.
func (t *twins) oldest() *twin {
	t.last = (t.last + 1) % len(t.list)
	return &t.list[t.last]
}

// protoSpec takes what a pod's spec says from its twin, or reads it.
func (d *Decoder) protoSpec(raw []byte, p *Pod) error {
	role := p.Role()
	t := d.twins.find(role, raw)
	if t == nil {
		t = d.twins.oldest()
		t.begin(role, raw)
		d.spec.reset()
		err := d.spec.readProto(t)
		if err == nil {
			t.requests, t.features, err = d.fromSpec(&d.spec, role)
		}
		if err != nil {
			return err
		}
		t.whole = true
	}
	p.Requests, p.Features = t.requests, t.features
	return nil
}
