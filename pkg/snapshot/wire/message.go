package wire

import (
	"fmt"
	"time"

	"google.golang.org/protobuf/encoding/protowire"
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
		m.field, m.bytes, m.number, m.rest = protowire.Number(b[0]>>3), b[2:end], 0, b[end:]
		return true
	}
	field, wireType, n := protowire.ConsumeTag(m.rest)
	if n < 0 {
		return m.broken(n)
	}
	m.field, m.bytes, m.number, m.rest = field, nil, 0, m.rest[n:]
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
	return time.Unix(at, 0).UTC(), m.err
}
