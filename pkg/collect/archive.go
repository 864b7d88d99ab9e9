package collect

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
)

// maxUnpack bounds archives within archives; some unpack to themselves.
const maxUnpack = 4

// unpack looks at the first bytes of a stream and calls fn for it, or, if it is compressed or an archive, for what
// is in it. It returns how often fn was called.
func unpack(name string, r io.Reader, depth int, fn func(name string, r io.Reader) error) (int, error) {
	in := bufio.NewReaderSize(r, 64<<10)
	head, _ := in.Peek(512) // an error comes again when it is read
	switch {
	case depth > maxUnpack:
		return 0, fmt.Errorf("%s: archives are nested more than %d deep", name, maxUnpack)
	case bytes.HasPrefix(head, []byte("\x1f\x8b")):
		z, err := gzip.NewReader(in)
		if err != nil {
			return 0, fmt.Errorf("%s: not valid gzip: %w", name, err)
		}
		return unpack(name, gunzip{z}, depth+1, fn)
	case len(head) > 262 && string(head[257:262]) == "ustar":
		return untar(name, in, depth+1, fn)
	default:
		return 1, fn(name, in)
	}
}

func untar(name string, in io.Reader, depth int, fn func(string, io.Reader) error) (int, error) {
	total := 0
	for t := tar.NewReader(in); ; {
		header, err := t.Next()
		if errors.Is(err, io.EOF) {
			return total, nil
		}
		if err != nil {
			return total, fmt.Errorf("%s: not a valid tar archive: %w", name, err)
		}
		// macOS packs its own attributes as ._name beside each file.
		if header.Typeflag != tar.TypeReg || !readable(header.Name) || strings.HasPrefix(path.Base(header.Name), "._") {
			continue
		}
		n, err := unpack(name+"/"+header.Name, t, depth, fn)
		if total += n; err != nil {
			return total, err
		}
	}
}

// gunzip says of its errors that they are about gzip, so that nobody takes the text in it for cut short.
type gunzip struct{ *gzip.Reader }

func (g gunzip) Read(p []byte) (int, error) {
	n, err := g.Reader.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		err = fmt.Errorf("not valid gzip: %v", err) //nolint:errorlint // must not be io.ErrUnexpectedEOF to whoever reads
	}
	return n, err
}
