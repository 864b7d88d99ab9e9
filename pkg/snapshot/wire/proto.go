package wire

import (
	"fmt"
	"time"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// message walks over the fields of a protobuf message without decoding what nobody asks for. Values point into the
// message.
type message struct {
	rest   []byte
	field  protowire.Number
	bytes  []byte // value of a length-delimited field
	number uint64 // value of a varint
	err    error
}

// next goes on to the next field and reports whether there is one.
func (m *message) next() bool {
	if len(m.rest) == 0 || m.err != nil {
		return false
	}
	// Nine of ten fields are short texts and messages: their tag and their length take a byte each.
	if b := m.rest; len(b) > 1 && b[0]&0x87 == byte(protowire.BytesType) && b[0] > 7 && b[1] < 0x80 && len(b)-2 >= int(b[1]) {
		end := 2 + int(b[1])
		m.field = protowire.Number(b[0] >> 3)
		m.bytes = b[2:end]
		m.number = 0
		m.rest = b[end:]
		return true
	}
	field, wireType, n := protowire.ConsumeTag(m.rest)
	if n < 0 {
		return m.broken(n)
	}
	m.field = field
	m.bytes = nil
	m.number = 0
	m.rest = m.rest[n:]
	switch wireType {
	case protowire.BytesType:
		m.bytes, n = protowire.ConsumeBytes(m.rest)
	case protowire.VarintType:
		m.number, n = protowire.ConsumeVarint(m.rest)
	default:
		n = protowire.ConsumeFieldValue(field, wireType, m.rest)
	}
	if n < 0 {
		return m.broken(n)
	}
	m.rest = m.rest[n:]
	return true
}

func (m *message) broken(n int) bool {
	m.err = fmt.Errorf("not valid protobuf: %w", protowire.ParseError(n))
	return false
}

// first returns the first length-delimited field of a number, nil if there is none.
func first(raw []byte, field protowire.Number) ([]byte, error) {
	m := message{rest: raw}
	for m.next() {
		if m.field == field {
			return m.bytes, nil
		}
	}
	return nil, m.err
}

// entry returns key and value of an entry of a map.
func entry(raw []byte) (key, value []byte, err error) {
	m := message{rest: raw}
	for m.next() {
		switch m.field {
		case 1:
			key = m.bytes
		case 2:
			value = m.bytes
		}
	}
	return key, value, m.err
}

// protoTime reads a metav1.Time, which has whole seconds (Time.Unmarshal,
// apimachinery/pkg/apis/meta/v1/time_proto.go).
func protoTime(raw []byte) (time.Time, error) {
	if len(raw) == 0 {
		return time.Time{}, nil
	}
	m := message{rest: raw}
	var at int64
	for m.next() {
		if m.field == 1 {
			at = int64(m.number) //nolint:gosec // int64 is how it was written
		}
	}
	if t := time.Unix(at, 0).UTC(); snapshot.Writable(t) || m.err != nil {
		return t, m.err
	}
	return time.Time{}, fmt.Errorf("is %d seconds since 1970, which is out of range", at)
}

func appendProtoName(list []wireNamedThing, raw []byte) ([]wireNamedThing, error) {
	name, err := first(raw, 1)
	return append(list, wireNamedThing{name}), err
}

func appendProtoPair(list wirePairs, raw []byte) (wirePairs, error) {
	key, value, err := entry(raw)
	return append(list, wirePair{key, value}), err
}

// appendProtoQuantity reads an entry of a ResourceList; a Quantity is a message with a text.
func appendProtoQuantity(list wireQuantities, raw []byte) (wireQuantities, error) {
	key, value, err := entry(raw)
	if err != nil {
		return list, err
	}
	text, err := first(value, 1)
	return append(list, wirePair{key, text}), err
}

// protoReference reads a message whose first field is a LocalObjectReference.
func protoReference(raw []byte) (present[wireNamedThing], error) {
	out := present[wireNamedThing]{Set: true}
	local, err := first(raw, 1)
	if err != nil {
		return out, err
	}
	out.Value.Name, err = first(local, 1)
	return out, err
}

func (v *wireVolume) readProto(raw []byte) (err error) {
	*v = wireVolume{}
	m := message{rest: raw}
	for err == nil && m.next() {
		switch m.field {
		case 1:
			v.Name = m.bytes
		case 2:
			err = v.readProtoSource(m.bytes)
		}
	}
	if err != nil {
		return err
	}
	return m.err
}

func (v *wireVolume) readProtoSource(raw []byte) (err error) {
	m := message{rest: raw}
	for err == nil && m.next() {
		if m.field == 19 {
			v.ConfigMap, err = protoReference(m.bytes)
		}
	}
	if err != nil {
		return err
	}
	return m.err
}

func (e *wirePodEnvFrom) readProto(raw []byte) (err error) {
	*e = wirePodEnvFrom{}
	m := message{rest: raw}
	for err == nil && m.next() {
		switch m.field {
		case 2:
			e.ConfigMap, err = protoReference(m.bytes)
		case 3:
			e.Secret, err = protoReference(m.bytes)
		}
	}
	if err != nil {
		return err
	}
	return m.err
}

func (p *wirePort) readProto(raw []byte) error {
	*p = wirePort{}
	m := message{rest: raw}
	for m.next() {
		switch m.field {
		case 1:
			p.Name = m.bytes
		case 3:
			p.ContainerPort = int32(m.number) //nolint:gosec // int32 is how it was written
		}
	}
	return m.err
}

func (t *wirePodToleration) readProto(raw []byte) error {
	*t = wirePodToleration{}
	m := message{rest: raw}
	for m.next() {
		switch m.field {
		case 1:
			t.Key = m.bytes
		case 2:
			t.Operator = m.bytes
		case 3:
			t.Value = m.bytes
		case 4:
			t.Effect = m.bytes
		}
	}
	return m.err
}
