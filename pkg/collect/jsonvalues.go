package collect

import (
	"errors"
	"fmt"
	"io"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot/wire"
)

// errSyntax is for what is no JSON.
var errSyntax = errors.New("the answer is no JSON")

// jsonValues reads an answer in JSON value by value. The decoder has no bounds of its own.
type jsonValues struct {
	*jsontext.Decoder
	in      io.Reader
	arrived int64 // bytes that were read of in
	ended   error // what reading ended with
	most    int64 // how many may arrive before the decoder is done with what comes next
	tooMuch error
	largest func() int64 // how many one value may have
}

func (v *jsonValues) reset(in io.Reader) {
	if v.Decoder == nil {
		v.Decoder = new(jsontext.Decoder)
	}
	v.in = in
	v.arrived = 0
	v.ended = nil
	v.Reset(v, wire.Options())
}

// maxBlanks is how much white space may stand in one place: an API server writes a line break, a proxy may indent.
const maxBlanks = 1 << 20

var (
	errBlanks    = fmt.Errorf("the answer has more than %d MiB of white space in one place", maxBlanks>>20)
	errLargeItem = errors.New("a value is larger than any object can be")
)

// next returns of what kind the next value is. It is 0 where there is none, and the value that is read next says why.
func (v *jsonValues) next() jsontext.Kind {
	v.most, v.tooMuch = maxBlanks, errBlanks
	return v.PeekKind()
}

// token reads the bracket or the name that comes next.
func (v *jsonValues) token() (jsontext.Token, error) {
	v.next()
	v.most, v.tooMuch = v.largest(), errLargeItem
	token, err := v.ReadToken()
	return token, failure(err)
}

// value reads the value that comes next. It is valid until something else is read.
func (v *jsonValues) value() (jsontext.Value, error) {
	v.next()
	v.most, v.tooMuch = v.largest(), errLargeItem
	value, err := v.ReadValue()
	return value, failure(err)
}

// maxEmptyReads is how often a reader may return nothing.
const maxEmptyReads = 100

// Read is for the decoder, which asks for more until it is done with a value. It moves what it holds of that at each read: few large ones
// cost less than many small ones.
func (v *jsonValues) Read(p []byte) (n int, err error) {
	room := v.most - (v.arrived - v.InputOffset()) + 1
	if room <= 0 {
		return 0, v.tooMuch
	}
	p = p[:min(int64(len(p)), room)]
	for empty := 0; n < len(p) && v.ended == nil; {
		var more int
		more, v.ended = v.in.Read(p[n:])
		if n += more; more > 0 {
			empty = 0
		} else if empty++; empty == maxEmptyReads && v.ended == nil {
			v.ended = io.ErrNoProgress
		}
	}
	if v.arrived += int64(n); n > 0 {
		return n, nil
	}
	return 0, v.ended
}

// failure takes off what the decoder puts around an error.
func failure(err error) error {
	var syntactic *jsontext.SyntacticError
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return io.ErrUnexpectedEOF
	case errors.As(err, &syntactic):
		return errSyntax
	default:
		return errors.Unwrap(err) // of an error in reading
	}
}
