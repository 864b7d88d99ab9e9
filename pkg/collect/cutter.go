package collect

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

// errSyntax is for what is no JSON.
var errSyntax = errors.New("the answer is no JSON")

// cutter cuts values out of JSON as it arrives, by their brackets and quotes alone. Whoever decodes a value says whether it is
// JSON: to find out here as well would be to read everything twice.
type cutter struct {
	in  io.Reader
	buf []byte // buf[at:] is read and not yet cut; of use to one body after the other
	at  int
}

// reset begins another body.
func (c *cutter) reset(in io.Reader) {
	if c.buf == nil {
		c.buf = make([]byte, 0, readBuffer)
	}
	c.in, c.buf, c.at = in, c.buf[:0], 0
}

// next returns the first byte of what comes next, which stays where it is.
func (c *cutter) next() (byte, error) {
	for blanks := 0; ; {
		from := c.at
		for ; c.at < len(c.buf); c.at++ {
			switch b := c.buf[c.at]; b {
			case ' ', '\t', '\r', '\n':
			default:
				return b, nil
			}
		}
		if blanks += c.at - from; blanks > maxBlanks {
			return 0, errBlanks
		}
		if err := c.fill(); err != nil {
			return 0, err
		}
	}
}

// maxBlanks is how much white space may stand in one place: an API server writes a line break, a proxy may indent.
const maxBlanks = 1 << 20

var errBlanks = fmt.Errorf("the answer has more than %d MiB of white space in one place", maxBlanks>>20)

// take passes over a byte that must come next.
func (c *cutter) take(want byte) error {
	b, err := c.next()
	if err != nil {
		return err
	}
	if b != want {
		return errSyntax
	}
	c.at++
	return nil
}

// elements calls fn before each element of the array or member of the object that comes next and ends with a bracket; fn must
// cut it.
func (c *cutter) elements(end byte, fn func() error) error {
	c.at++
	for first := true; ; first = false {
		b, err := c.next()
		if err != nil {
			return err
		}
		if b == end {
			c.at++
			return nil
		}
		if !first {
			if err := c.take(','); err != nil {
				return err
			}
		}
		if err := fn(); err != nil {
			return err
		}
	}
}

// value cuts the value that comes next. It is valid until something else is cut.
func (c *cutter) value() ([]byte, error) {
	first, err := c.next()
	if err != nil {
		return nil, err
	}
	switch first {
	case ',', ':', ']', '}':
		return nil, errSyntax
	}
	for at, depth := 0, 0; ; {
		var whole bool
		if at, depth, whole = span(c.buf[c.at:], at, depth); whole {
			c.at += at
			return c.buf[c.at-at : c.at], nil
		}
		if err := c.fill(); err != nil {
			return nil, err
		}
	}
}

// span looks for the end of the value that text begins with, from where it stopped before for want of text.
func span(text []byte, from, depthBefore int) (at, depth int, whole bool) {
	at, depth = from, depthBefore
	for at < len(text) {
		switch text[at] {
		case '"':
			n := quoted(text[at:])
			if n == 0 {
				return at, depth, false
			}
			at += n
		case '{', '[':
			depth++
			at++
		case '}', ']':
			depth--
			at++
		default:
			if depth > 0 {
				at++
				continue
			}
			n := bytes.IndexAny(text[at:], ",]} \t\r\n") // of a number, or a word
			return at + max(n, 0), depth, n > 0
		}
		if depth == 0 {
			return at, depth, true
		}
	}
	return at, depth, false
}

// quoted returns how long the string is that text begins with, 0 if it does not end.
func quoted(text []byte) int {
	for end := 1; ; end++ {
		n := bytes.IndexByte(text[end:], '"')
		if n < 0 {
			return 0
		}
		end += n
		slashes := 0
		for text[end-1-slashes] == '\\' {
			slashes++
		}
		if slashes%2 == 0 {
			return end + 1
		}
	}
}

// fill reads more. The end of the input is io.ErrUnexpectedEOF: it is called where something is missing.
func (c *cutter) fill() error {
	if len(c.buf) == cap(c.buf) {
		if c.at == 0 && len(c.buf) >= maxItem {
			return fmt.Errorf("a value of more than %d bytes is larger than any object can be", maxItem)
		}
		room := c.buf[:0]
		if c.at == 0 {
			room = make([]byte, 0, 2*cap(c.buf))
		}
		c.buf, c.at = append(room, c.buf[c.at:]...), 0
	}
	for range maxEmptyReads {
		n, err := c.in.Read(c.buf[len(c.buf):cap(c.buf)])
		c.buf = c.buf[:len(c.buf)+n]
		if n > 0 {
			return nil
		}
		if err != nil {
			return noEOF(err)
		}
	}
	return io.ErrNoProgress
}

// maxEmptyReads is how often a reader may return nothing.
const maxEmptyReads = 100
