package main

import (
	"bytes"
	"compress/gzip"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strings"
)

// The API server writes where a list goes on before its items, in protobuf and in JSON of its own kinds, and after them in
// JSON of custom resources, whose members are in alphabetical order. Neither end is longer than this.
const edge = 2 << 10

// answer is the page of a list that has begun to arrive.
type answer struct {
	body io.ReadCloser // as it was before it was compressed
	head []byte        // its beginning, which is read
}

func newAnswer(resp *http.Response) (*answer, error) {
	a := &answer{body: resp.Body}
	if resp.Header.Get("Content-Encoding") == "gzip" {
		z, err := gzip.NewReader(resp.Body)
		if err != nil {
			return nil, errors.Join(fmt.Errorf("reading a compressed page: %w", err), resp.Body.Close())
		}
		a.body = struct {
			io.Reader
			io.Closer
		}{z, resp.Body}
	}
	a.head = make([]byte, edge)
	n, err := io.ReadFull(a.body, a.head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return nil, errors.Join(fmt.Errorf("reading the beginning of a page: %w", err), resp.Body.Close())
	}
	a.head = a.head[:n]
	return a, nil
}

// ahead returns where the list goes on, if its beginning says so, and "" if it says that it ends here.
func (a *answer) ahead() (token string, known bool) {
	if message, ok := bytes.CutPrefix(a.head, []byte("k8s\x00")); ok {
		return protobufToken(message)
	}
	metadata, _, found := bytes.Cut(a.head, []byte(`"items":[`))
	_, metadata, ok := bytes.Cut(metadata, []byte(`"metadata":{`))
	return jsonToken(metadata), found && ok
}

// rest throws away what follows. It returns where the list goes on according to its end, unless that is known.
func (a *answer) rest(known bool) (token string, err error) {
	tail := &lastBytes{kept: a.head}
	_, err = io.Copy(tail, a.body)
	if err = errors.Join(err, a.body.Close()); err != nil {
		return "", fmt.Errorf("reading a page: %w", err)
	}
	if known {
		return "", nil
	}
	at := bytes.LastIndex(tail.kept, []byte(`],"kind":`))
	_, metadata, found := bytes.Cut(tail.kept[max(at, 0):], []byte(`"metadata":{`))
	if at < 0 || !found {
		return "", errors.New("neither the beginning nor the end of a page says whether the list goes on")
	}
	return jsonToken(metadata), nil
}

// discard throws an answer away as it comes.
func discard(resp *http.Response) error {
	_, err := io.Copy(io.Discard, resp.Body)
	return errors.Join(err, resp.Body.Close())
}

func jsonToken(metadata []byte) string {
	_, rest, _ := strings.Cut(string(metadata), `"continue":"`)
	token, _, _ := strings.Cut(rest, `"`)
	return token
}

// protobufToken reads runtime.Unknown, whose field 2 is the list, of which field 1 is metav1.ListMeta, of which field 3 is
// the token (generated.proto of k8s.io/apimachinery@v0.37.2).
func protobufToken(message []byte) (token string, known bool) {
	for _, field := range []uint64{2, 1} {
		if message, known = protobufField(message, field); !known {
			return "", false
		}
	}
	text, _ := protobufField(message, 3)
	return string(text), true
}

// protobufField returns the first field of a number among fields of bytes, as much of it as there is.
func protobufField(message []byte, number uint64) (value []byte, found bool) {
	for len(message) > 0 {
		tag, n := binary.Uvarint(message)
		if n <= 0 {
			return nil, false
		}
		size, m := binary.Uvarint(message[n:])
		if m <= 0 {
			return nil, false
		}
		message = message[n+m:]
		switch wire := tag & 7; {
		case wire == 0: // a number, which was read as the size
			continue
		case wire != 2:
			return nil, false
		}
		size = min(size, uint64(len(message)))
		if tag>>3 == number {
			return message[:size], true
		}
		message = message[size:]
	}
	return nil, false
}

// lastBytes keeps the end of what is written to it.
type lastBytes struct{ kept []byte }

func (l *lastBytes) Write(p []byte) (int, error) {
	if len(p) >= edge {
		l.kept = append(l.kept[:0], p[len(p)-edge:]...)
		return len(p), nil
	}
	l.kept = append(l.kept, p...)
	l.kept = append(l.kept[:0], l.kept[max(0, len(l.kept)-edge):]...)
	return len(p), nil
}
