package archive

import (
	"archive/tar"
	"bufio"
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"path"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/input"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot/wire"
)

// perEntry is what an entry takes at least: its name is remembered.
const perEntry = 128

// rawRecord is a record that is decoded later, when its type is known.
type rawRecord = jsontext.Value

// Read reads the rest of an archive of which the first header, the manifest's, was just read. from is what the tar reads
// from. Nothing is written anywhere, and any doubt is an error.
func Read(ctx context.Context, spent *input.Budget, from *Limited, t *tar.Reader, first *tar.Header) (*Archive, error) {
	return readWithin(ctx, defaultLimits(), spent, from, t, first)
}

func readWithin(ctx context.Context, l limits, spent *input.Budget, from *Limited, t *tar.Reader, first *tar.Header) (*Archive, error) {
	// Headers and padding take less than 2 KiB an entry.
	from.Bounded, from.Left = true, l.bytes+l.bytes/8
	r := &reader{ctx: ctx, tar: t, budget: newBudget(l), spent: spent, seen: map[string]bool{}}
	for h := first; ; {
		if err := r.entry(h); err != nil {
			return nil, err
		}
		var err error
		if h, err = t.Next(); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, fmt.Errorf("not a valid tar archive: %w", err)
		}
	}
	// The end of the tar is not that of the stream, whose checksum comes last.
	if _, err := io.Copy(io.Discard, from); err != nil {
		return nil, err
	}
	return r.end()
}

type reader struct {
	ctx     context.Context //nolint:containedctx // of one call of Read
	tar     *tar.Reader
	budget  *budget
	spent   *input.Budget
	seen    map[string]bool
	archive Archive
	loader  *Loader
	unknown []string
}

func (r *reader) entry(h *tar.Header) error {
	if err := r.admit(h); err != nil {
		return err
	}
	if h.Name == ManifestName {
		return r.manifest(h)
	}
	if r.loader == nil {
		return fmt.Errorf("it does not begin with %s", ManifestName)
	}
	if h.Name == answersName {
		return r.lines(h.Name, r.answer)
	}
	v, known := viewOf(h.Name, r.archive.Manifest.Snapshot.Views)
	if !known {
		r.unknown = append(r.unknown, h.Name)
		return nil
	}
	if !r.loader.Knows(v) {
		return nil // the loader says so
	}
	return r.lines(h.Name, func(line []byte) error { return r.loader.Add(v, line) })
}

// admit refuses what no writer of archives makes: nothing here is ever written to a disk, but somebody may unpack it.
func (r *reader) admit(h *tar.Header) error {
	switch {
	case h.Typeflag != tar.TypeReg:
		return fmt.Errorf("entry %.80q is not a regular file", h.Name)
	case path.IsAbs(h.Name) || path.Clean(h.Name) != h.Name || h.Name == ".." || strings.HasPrefix(h.Name, "../") ||
		strings.ContainsAny(h.Name, "\\:\x00"):
		return fmt.Errorf("entry %.80q has a name that leads elsewhere", h.Name)
	case r.seen[h.Name]:
		return fmt.Errorf("entry %.80q is there twice", h.Name)
	case h.Size > maxEntry:
		return fmt.Errorf("entry %.80q declares %d bytes, more than %d", h.Name, h.Size, maxEntry)
	}
	r.seen[h.Name] = true
	if err := r.spent.Keep(perEntry + int64(len(h.Name))); err != nil {
		return err
	}
	return r.budget.entry(h.Size + 512)
}

func (r *reader) manifest(h *tar.Header) error {
	text, err := io.ReadAll(r.tar)
	if err != nil {
		return fmt.Errorf("reading %s: %w", h.Name, err)
	}
	if err := cmp.Or(r.spent.JSON(text), r.spent.Keep(int64(len(text)))); err != nil {
		return err
	}
	if _, err := head(text); err != nil {
		return err
	}
	m := &r.archive.Manifest
	if err := json.Unmarshal(text, m, jsontext.AllowInvalidUTF8(true)); err != nil {
		return errors.New(h.Name + " is not the JSON that it should be: " + wire.Problem(err))
	}
	r.loader = NewLoader(m.Snapshot)
	return m.check()
}

// lines calls fn for every line of an entry.
func (r *reader) lines(name string, fn func([]byte) error) error {
	in := bufio.NewReaderSize(r.tar, 64<<10)
	var long []byte
	for n := 1; ; n++ {
		line, err := in.ReadSlice('\n')
		if errors.Is(err, bufio.ErrBufferFull) {
			for long = long[:0]; errors.Is(err, bufio.ErrBufferFull); line, err = in.ReadSlice('\n') {
				long = append(long, line...)
			}
			long = append(long, line...)
			line = long
		}
		if err != nil && !errors.Is(err, io.EOF) {
			return fmt.Errorf("reading %s: %w", name, err)
		}
		if line = bytes.TrimSpace(line); len(line) > 0 {
			if err := cmp.Or(r.budget.record(line), r.spent.JSON(line)); err != nil {
				return err
			}
			if err := cmp.Or(fn(line), r.spent.Keep(r.loader.Size())); err != nil {
				return fmt.Errorf("%s: line %d: %w", name, n, err)
			}
		}
		if err != nil {
			return r.ctx.Err()
		}
	}
}

func (r *reader) answer(text []byte) error {
	var line answerLine
	if err := json.Unmarshal(text, &line, jsontext.AllowInvalidUTF8(true)); err != nil {
		return errors.New(wire.Problem(err))
	}
	a := Answer{View: line.View, Ref: line.Ref, Failed: line.Failed}
	switch {
	case len(line.Record) > 0:
		var err error
		if a.Record, err = r.loader.Answer(line.View, line.Ref, line.Record); err != nil {
			return err
		}
	case !line.Gone && line.Failed == "":
		return errors.New("an answer says nothing")
	}
	r.archive.Answers = append(r.archive.Answers, a)
	return nil
}

func (r *reader) end() (*Archive, error) {
	s, notes, err := r.loader.Seal()
	if err != nil {
		return nil, err
	}
	a := &r.archive
	if len(a.Answers) != a.Manifest.Answers {
		return nil, fmt.Errorf("%d answers instead of %d", len(a.Answers), a.Manifest.Answers)
	}
	a.Snapshot, a.Notes = s, notes
	if len(r.unknown) > 0 {
		a.Notes = append(a.Notes, fmt.Sprintf("%d entries are not known to this build, the first is %.80q", len(r.unknown), r.unknown[0]))
	}
	return a, nil
}
