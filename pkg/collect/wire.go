package collect

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"

	"google.golang.org/protobuf/encoding/protowire"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/input"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// protobufMagic starts every protobuf answer (k8s.io/apimachinery/pkg/runtime/serializer/protobuf).
const protobufMagic = "k8s\x00"

// errNoList is for an answer of something that is no API server.
var errNoList = errors.New("the answer is no list")

// maxItem bounds one item of a list, however much arrived. The API server takes no request over 3 MiB.
const maxItem = 64 << 20

// readBuffer is what items are read out of where they lie: most are smaller.
const readBuffer = 64 << 10

// listReader reads one list after the other.
type listReader struct {
	in   *bufio.Reader
	json jsonValues
	item []byte // room for items that are larger than what in reads at once
	most func() int64
}

// newListReader returns a reader of lists, of which items may be as large as a budget allows.
func newListReader(spent *input.Budget) *listReader {
	most := func() int64 { return spent.Document(maxItem) }
	return &listReader{in: bufio.NewReaderSize(nil, readBuffer), most: most, json: jsonValues{largest: most}}
}

// read hands out the items of a list as they arrive and returns the list's own metadata. An item is valid only
// during the call. As soon as the metadata has arrived, more is told where the list goes on: in protobuf before the
// items, in JSON where it stands. A body that ends early is io.ErrUnexpectedEOF.
func (r *listReader) read(body io.Reader, of listKind, more func(token string), fn func(snapshot.Encoding, []byte) error) (
	metav1.ListMeta, error,
) {
	r.in.Reset(body)
	head, err := r.in.Peek(len(protobufMagic))
	if len(head) == 0 {
		return metav1.ListMeta{}, noEOF(err)
	}
	if string(head) == protobufMagic {
		_, _ = r.in.Discard(len(protobufMagic))
		return r.readProtobuf(of, more, fn)
	}
	return r.readJSON(of, more, fn)
}

func (r *listReader) readJSON(of listKind, more func(string), fn func(snapshot.Encoding, []byte) error) (meta metav1.ListMeta, err error) {
	in := &r.json
	in.reset(r.in)
	if first, err := in.token(); errors.Is(err, errSyntax) || err == nil && first.Kind() != '{' {
		return meta, errNoList
	} else if err != nil {
		return meta, err
	}
	isList := false
	var kind metav1.TypeMeta
	for in.next() != '}' {
		name, err := in.token()
		if err != nil {
			return meta, err
		}
		member := name.String()
		if member == "items" {
			isList = true
			if err := readJSONItems(in, fn); err != nil {
				return meta, err
			}
			continue
		}
		raw, err := in.value()
		if err != nil {
			return meta, err
		}
		switch member {
		case "apiVersion":
			_ = utiljson.Unmarshal(raw, &kind.APIVersion) // what is no text names no kind
		case "kind":
			_ = utiljson.Unmarshal(raw, &kind.Kind)
		case "metadata":
			if err := utiljson.Unmarshal(raw, &meta); err != nil {
				return meta, fmt.Errorf("decoding list metadata: %w", err)
			}
			more(meta.Continue)
		}
	}
	if !isList {
		return meta, errNoList // "{}" of some proxy must not pass for an empty list
	}
	return meta, of.check(kind.APIVersion, kind.Kind) // which custom resources have behind the items
}

func readJSONItems(in *jsonValues, fn func(snapshot.Encoding, []byte) error) error {
	if in.next() != '[' {
		raw, err := in.value()
		if err == nil && string(raw) != "null" { // as Go writes a list without items
			err = fmt.Errorf("%w: its items are none", errNoList)
		}
		return err
	}
	if _, err := in.token(); err != nil {
		return err
	}
	for in.next() != ']' {
		raw, err := in.value()
		if err != nil {
			return err
		}
		if err := fn(snapshot.JSON, raw); err != nil {
			return err
		}
	}
	_, err := in.token()
	return err
}

// readProtobuf reads runtime.Unknown{typeMeta=1, raw=2, …}, whose raw part is a list {metadata=1, items=2}: every
// list kind has these field numbers (generated.proto of each API group).
func (r *listReader) readProtobuf(of listKind, more func(string), fn func(snapshot.Encoding, []byte) error) (metav1.ListMeta, error) {
	known := fmt.Errorf("%w: it names no kind", errNoList)
	for others := 0; ; others++ {
		field, size, _, err := nextField(r.in)
		if errors.Is(err, io.EOF) {
			return metav1.ListMeta{}, io.ErrUnexpectedEOF // no raw part
		}
		if err != nil {
			return metav1.ListMeta{}, err
		}
		if field == 2 {
			if known != nil {
				return metav1.ListMeta{}, known
			}
			return r.readProtobufItems(int64(size), more, fn)
		}
		if others == maxOthers || size > maxItem {
			return metav1.ListMeta{}, errOthers
		}
		if field == 1 && size < maxKind {
			raw, err := r.in.Peek(size)
			if err != nil {
				return metav1.ListMeta{}, noEOF(err)
			}
			known = of.checkProtobuf(raw)
		}
		if _, err := io.CopyN(io.Discard, r.in, int64(size)); err != nil {
			return metav1.ListMeta{}, noEOF(err)
		}
	}
}

// maxOthers is how many fields may stand beside the items of a list: an API server writes its metadata, once.
const maxOthers = 100

var errOthers = fmt.Errorf("%w: it is full of what is no item", errNoList)

// readProtobufItems reads a list of so many bytes.
func (r *listReader) readProtobufItems(left int64, more func(string), fn func(snapshot.Encoding, []byte) error) (
	meta metav1.ListMeta, err error,
) {
	in, others := r.in, 0
	for left > 0 {
		field, n, head, err := nextField(in)
		if err != nil {
			return meta, noEOF(err)
		}
		if left -= int64(head) + int64(n); left < 0 {
			return meta, fmt.Errorf("%w: an item ends after the list", errNoList)
		}
		if int64(n) > r.most() {
			return meta, fmt.Errorf("an item of %d bytes is larger than any object can be", n)
		}
		var item []byte
		inPlace := n <= in.Size()
		if inPlace {
			item, err = in.Peek(n)
		} else {
			r.item = grow(r.item, n)
			item = r.item
			_, err = io.ReadFull(in, item)
		}
		if err != nil {
			return meta, noEOF(err)
		}
		if field != 2 {
			others++
		}
		switch {
		case others > maxOthers:
			err = errOthers
		case field == 1:
			if err = meta.Unmarshal(item); err == nil {
				more(meta.Continue)
			}
		case field == 2:
			err = fn(snapshot.Protobuf, item)
		}
		if err != nil {
			return meta, err
		}
		if inPlace {
			_, _ = in.Discard(n)
		}
	}
	return meta, nil
}

// nextField reads the tag and length of a length-delimited field, and how many bytes both took. io.EOF means that the
// message ended before it.
func nextField(in *bufio.Reader) (field, size, head int, err error) {
	tag, err := binary.ReadUvarint(in)
	if err != nil {
		return 0, 0, 0, err
	}
	if tag&7 != 2 {
		return 0, 0, 0, fmt.Errorf("%w: wire type %d of field %d", errNoList, tag&7, tag>>3)
	}
	n, err := binary.ReadUvarint(in)
	if err != nil {
		return 0, 0, 0, noEOF(err)
	}
	if n > 1<<40 {
		return 0, 0, 0, fmt.Errorf("a field of %d bytes cannot be", n)
	}
	return int(tag >> 3), int(n), protowire.SizeVarint(tag) + protowire.SizeVarint(n), nil
}

func grow(buf []byte, n int) []byte {
	if cap(buf) < n {
		return make([]byte, n, n+n/2)
	}
	return buf[:n]
}

// noEOF turns an end of input where more was promised into io.ErrUnexpectedEOF.
func noEOF(err error) error {
	if errors.Is(err, io.EOF) {
		return io.ErrUnexpectedEOF
	}
	return err
}
