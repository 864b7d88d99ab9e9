package manifests

import (
	"archive/tar"
	"bufio"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/archive"
)

// maxUnpack bounds archives within archives; some unpack to themselves.
const maxUnpack = 4

// unpacker is told what is in a stream.
type unpacker struct {
	text  func(name string, r io.Reader) error // YAML or JSON, it is hoped
	log   func(name string, r io.Reader) error // of a container, if its name says so
	logs  bool                                 // they are read
	saved func(name string, from *archive.Limited, t *tar.Reader, manifest *tar.Header) error
}

// unpack looks at the first bytes of a stream and hands it on, or, if it is compressed or an archive, what is in it. It
// returns how many streams were handed on.
func (u unpacker) unpack(name string, r io.Reader, depth int) (int, error) {
	in := bufio.NewReaderSize(r, 64<<10)
	head, _ := in.Peek(512) // an error comes again when it is read
	switch {
	case depth > maxUnpack:
		return 0, fmt.Errorf("%s: archives are nested more than %d deep", name, maxUnpack)
	case bytes.HasPrefix(head, []byte("\x1f\x8b")):
		packed := &counter{Reader: in}
		z, err := gzip.NewReader(packed)
		if err != nil {
			return 0, fmt.Errorf("%s: not valid gzip: %w", name, err)
		}
		return u.unpack(name, &gunzip{Reader: z, packed: packed}, depth+1)
	case len(head) > 262 && string(head[257:262]) == "ustar":
		return u.untar(name, in, depth+1)
	case u.logs && isLog(strings.TrimSuffix(name, ".gz")):
		return 1, u.log(strings.TrimSuffix(name, ".gz"), in)
	default:
		return 1, u.text(name, in)
	}
}

func (u unpacker) untar(name string, in io.Reader, depth int) (int, error) {
	total, from := 0, &archive.Limited{R: in}
	t := tar.NewReader(from)
	for first := true; ; first = false {
		header, err := t.Next()
		if errors.Is(err, io.EOF) {
			return total, nil
		}
		if err != nil {
			return total, fmt.Errorf("%s: not a valid tar archive: %w", name, err)
		}
		if first && header.Name == archive.ManifestName {
			return 1, u.saved(name, from, t, header)
		}
		// macOS packs its own attributes as ._name beside each file.
		if header.Typeflag != tar.TypeReg || !u.reads(header.Name) || strings.HasPrefix(path.Base(header.Name), "._") {
			continue
		}
		n, err := u.unpack(name+"/"+header.Name, t, depth)
		if total += n; err != nil {
			return total, err
		}
	}
}

// reads reports whether a file of an archive is read, by its name.
func (u unpacker) reads(name string) bool { return readable(name) || u.logs && isLog(name) }

// gunzip says of its errors that they are about gzip, so that nobody takes the text in it for cut short, and stops at
// what unpacks to so much that it can only be meant to harm. Dumps of a fleet unpack to twenty to fifty times their size.
type gunzip struct {
	*gzip.Reader
	packed   *counter
	unpacked int64
}

const (
	maxRatio   = 300
	ratioAfter = 64 << 20 // bytes, below which nobody is harmed
)

func (g *gunzip) Read(p []byte) (int, error) {
	n, err := g.Reader.Read(p)
	g.unpacked += int64(n)
	switch {
	case err != nil && !errors.Is(err, io.EOF):
		err = fmt.Errorf("not valid gzip: %v", err) //nolint:errorlint // must not be io.ErrUnexpectedEOF to whoever reads
	case g.unpacked > ratioAfter && g.unpacked > maxRatio*g.packed.n:
		return 0, fmt.Errorf("not unpacked: it grows to more than %d times its size", maxRatio)
	}
	return n, err
}

// counter counts what is read. It reads ahead of nobody.
type counter struct {
	*bufio.Reader
	n int64
}

func (c *counter) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.n += int64(n)
	return n, err
}

// ReadByte makes it what gzip reads from without a buffer of its own.
func (c *counter) ReadByte() (byte, error) {
	b, err := c.Reader.ReadByte()
	if err == nil {
		c.n++
	}
	return b, err
}
