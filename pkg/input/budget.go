// Package input bounds what is read from elsewhere: files, archives, logs, standard input, configuration. None of it is trusted, and few
// bytes may mean much work: zeros that are packed, values that take a hundred times their text.
package input

import (
	"errors"
	"fmt"
	"io"
)

// Budget is what one input may take: all files of a command together. What is small may not grow much; what is large, as the dump of a
// fleet, may take what that needs. The dump of a fleet whose pods are alike unpacks to 60 times its size, and what is kept of it takes
// 3 times its size; the archive of one takes 50 times, as it holds little else, and a log 40 times.
//
// The zero value is a budget of which nothing is spent.
type Budget struct{ packed, unpacked, kept int64 }

// The allowance of an input of any size, and the additional allowance for each of its bytes.
const (
	freeUnpacked, unpackedRatio = 32 << 20, 200
	freeKept, keptRatio         = 16 << 20, 80
	freeValues, valuesRatio     = 64 << 20, 32 // of one document, while it is decoded
	freeDocument, documentRatio = 8 << 20, 8
)

// Packed counts what is read as it arrives.
func (b *Budget) Packed(r io.Reader) io.Reader { return &packed{r, b} }

type packed struct {
	io.Reader
	of *Budget
}

func (p *packed) Read(to []byte) (int, error) {
	n, err := p.Reader.Read(to)
	p.of.packed += int64(n)
	return n, err
}

// Unpacked counts what a stream unpacks to, and ends it with an error at what can only be meant to harm.
func (b *Budget) Unpacked(r io.Reader) io.Reader { return &unpacked{r, b} }

type unpacked struct {
	io.Reader
	of *Budget
}

func (u *unpacked) Read(to []byte) (int, error) {
	n, err := u.Reader.Read(to)
	u.of.unpacked += int64(n)
	if grown, most := u.of.Grown(); grown > most {
		return 0, errGrows
	}
	return n, err
}

var errGrows = fmt.Errorf("not unpacked: it grows to more than %d times its size", unpackedRatio)

// Keep spends what something takes that is kept: see Size.
func (b *Budget) Keep(size int64) error {
	b.kept += size
	if kept, most := b.Kept(); kept > most {
		return fmt.Errorf("not read further: what it holds takes more than %d MiB of memory, too much for its %s", most>>20, bytes(b.packed))
	}
	return nil
}

// Kept returns what was spent of what may be kept, in bytes.
func (b *Budget) Kept() (spent, most int64) { return b.kept, freeKept + keptRatio*b.packed }

// Grown returns what was unpacked of what may be.
func (b *Budget) Grown() (unpacked, most int64) {
	return b.unpacked, freeUnpacked + unpackedRatio*b.packed
}

// Document is how many bytes one document may have, of those that may have most.
func (b *Budget) Document(most int64) int64 { return min(most, freeDocument+documentRatio*b.packed) }

// JSON fails for a document whose values would take too much memory once they are decoded, or lie too deep.
func (b *Budget) JSON(text []byte) error { return b.values(text, valuesOfJSON) }

// YAML does the same.
func (b *Budget) YAML(text []byte) error { return b.values(text, valuesOfYAML) }

func (b *Budget) values(text []byte, of func([]byte) (int64, int)) error {
	if len(text) < plainText {
		return nil
	}
	size, depth := of(text)
	return b.admit(size, depth)
}

// Values counts the values of a document in JSON that is kept whole, as it arrives, and ends it with an error where they are too many.
func (b *Budget) Values(r io.Reader) io.Reader { return &arriving{Reader: r, of: b} }

type arriving struct {
	io.Reader
	of     *Budget
	values jsonValues
}

func (a *arriving) Read(to []byte) (int, error) {
	n, err := a.Reader.Read(to)
	a.values.count(to[:n])
	if refused := a.of.admit(a.values.size, a.values.deepest); refused != nil {
		return n, refused
	}
	return n, err
}

func (b *Budget) admit(size int64, depth int) error {
	most := freeValues + valuesRatio*b.packed
	switch {
	case depth > maxDepth:
		return errDeep
	case size > most:
		return fmt.Errorf("its values would take more than %d MiB of memory, too much for %s", most>>20, bytes(b.packed))
	}
	return nil
}

var errDeep = fmt.Errorf("its values are nested more than %d deep", maxDepth)

// Values fails for a text in YAML that is not part of a larger input.
func Values(text []byte) error { return (&Budget{packed: int64(len(text))}).YAML(text) }

// ValuesOfJSON does the same for JSON.
func ValuesOfJSON(text []byte) error { return (&Budget{packed: int64(len(text))}).JSON(text) }

// ErrTooLarge is the error for a file that is larger than one of its kind may be.
var ErrTooLarge = errors.New("too large")

func bytes(n int64) string {
	if n < 10<<10 {
		return fmt.Sprintf("%d bytes", n)
	}
	return fmt.Sprintf("%d KiB", n>>10)
}
