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
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/input"
)

// maxUnpack bounds archives within archives; some unpack to themselves.
const maxUnpack = 4

// unpacker is told what is in a stream.
type unpacker struct {
	text  func(name string, r io.Reader) error // YAML or JSON, it is hoped
	log   func(name string, r io.Reader) error // of a container, if its name says so
	logs  bool                                 // they are read
	spent *input.Budget
	saved func(name string, from *archive.Limited, t *tar.Reader, manifest *tar.Header) error
}

// buffered is how much of a stream is read at once. An archive may hold many that are shorter.
const buffered = 64 << 10

// unpack looks at the first bytes of a stream of so many bytes and hands it on, or, if it is compressed or an archive, what is in it. It
// returns how many streams were handed on.
func (u unpacker) unpack(name string, r io.Reader, size int64, depth int) (int, error) {
	in := bufio.NewReaderSize(r, int(max(512, min(size, buffered))))
	head, _ := in.Peek(512) // an error comes again when it is read
	switch {
	case depth > maxUnpack:
		return 0, fmt.Errorf("%s: archives are nested more than %d deep", name, maxUnpack)
	case bytes.HasPrefix(head, []byte("\x1f\x8b")):
		z, err := gzip.NewReader(in)
		if err != nil {
			return 0, fmt.Errorf("%s: not valid gzip: %w", name, err)
		}
		return u.unpack(name, u.spent.Unpacked(gunzip{z}), buffered, depth+1)
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
		if err := u.spent.Keep(perEntry + int64(len(header.Name))); err != nil {
			return total, fmt.Errorf("%s: %w", name, err)
		}
		n, err := u.unpack(name+"/"+header.Name, t, header.Size, depth)
		if total += n; err != nil {
			return total, err
		}
	}
}

// reads reports whether a file of an archive is read, by its name.
func (u unpacker) reads(name string) bool { return readable(name) || u.logs && isLog(name) }

// perEntry is what a file in an archive takes at least: it is named among what was read.
const perEntry = 256

// gunzip says of its errors that they are about gzip, so that they do not read as text that was cut short.
type gunzip struct{ *gzip.Reader }

func (g gunzip) Read(p []byte) (int, error) {
	n, err := g.Reader.Read(p)
	if err != nil && !errors.Is(err, io.EOF) {
		err = fmt.Errorf("not valid gzip: %v", err) //nolint:errorlint // must not be io.ErrUnexpectedEOF to whoever reads
	}
	return n, err
}
