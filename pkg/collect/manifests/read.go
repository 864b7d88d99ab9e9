// Package manifests reads files, directories, URLs, stdin and archives into a snapshot: YAML and JSON documents and Lists, packed or
// not. It knows no API server.
package manifests

import (
	"archive/tar"
	"compress/flate"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/archive"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/input"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot/wire"
)

// Options say what to read instead of a cluster.
type Options struct {
	Paths     []string // files, directories, URLs, "-"
	Exclude   []string // patterns of files in directories that are not read
	FS        fs.FS    // where files and directories are; nil: on this machine
	Recursive bool
	Stdin     io.Reader
	Complete  bool      // the files are everything: what is not there is absent
	AsOf      time.Time // zero: the latest time in the input, or Now if it has none
	Now       time.Time
	Namespace string // of objects of namespaced kinds that name none; empty: they stay without
	// Schemas are those against which objects are read; nil: none.
	Schemas snapshot.Schemas
	// CRDs returns those against which objects are held that no API server has seen, as YAML or JSON; nil: none. It does not go with Schemas.
	CRDs func() []byte
	// SkipUnreadable reads the other files where one of several cannot be read.
	SkipUnreadable bool
	// Raw are kinds whose objects Input has as they stand in the files.
	Raw map[snapshot.GroupKind]bool
	// InFull keeps the objects for which it reports true in full, and reads the logs of containers, for a case file; nil: none. It must
	// not keep what it is given.
	InFull func(*snapshot.Whole) bool
	NoLogs bool // with InFull: no logs are read
}

// logs reports whether logs of containers are read.
func (o *Options) logs() bool { return o.InFull != nil && !o.NoLogs }

// Input tells what was read.
type Input struct {
	Files   []string // what was read, in order
	Objects int
	Unread  int  // objects of kinds that no check reads, and documents in directories that are no objects
	Dated   bool // TakenAt is the latest time in the input

	Unreadable []string    // files that could not be read to their end, each with the place and the reason
	Aside      input.Aside // files of directories that hold nothing to judge
	Duplicates int         // objects that were dropped, because the input holds an equal or a newer copy
	Differing  []Differing // of these, what was dropped although nothing tells which copy is newer

	Raw map[snapshot.Key][]byte // JSON of the objects of Options.Raw that are judged

	Archive *archive.Archive // the input is one; nil: plain files
}

// Read reads plain files, or one archive, into a snapshot. Text that does not parse is an error that names the place; of several
// files the others are read all the same if that is asked for, and the snapshot then does not hold everything. The same is true of
// templates in directories, which are no error.
func Read(ctx context.Context, o Options) (*snapshot.Snapshot, Input, error) {
	sources, left, err := expand(o)
	if err != nil {
		return nil, Input{}, err
	}
	b := &builder{
		Builder: snapshot.NewBuilder(time.Time{}), decoder: wire.NewDecoder(), byKind: sourcesByKind(), namespace: o.Namespace,
		present: map[snapshot.View]bool{}, bad: map[snapshot.View][]undecoded{}, badOwners: map[snapshot.GroupKind][]undecoded{},
		copies: newCopies(), clock: clock{now: o.Now}, raw: o.Raw, inFull: newInFull(o.InFull), withLogs: o.logs(),
		custom: customKinds{defined: map[snapshot.GroupKind]definition{}, seen: map[snapshot.GroupKind]bool{}},
	}
	b.input.Aside.Excluded, b.input.Aside.Unmatched = left.files, left.without(o.Exclude)
	sources = b.withoutPatches(disk{o.FS}, sources)
	b.Against(o.Schemas)
	b.decoder.Compare(o.Schemas)
	if o.CRDs != nil {
		b.decoder.CompareManifests(func() snapshot.Schemas { return b.schemas(o.CRDs) })
	}
	for _, s := range sources {
		err := b.read(ctx, s)
		if err == nil {
			continue
		}
		if !o.SkipUnreadable || len(sources) == 1 || ctx.Err() != nil {
			return nil, b.input, err
		}
		b.input.Unreadable = append(b.input.Unreadable, err.Error())
	}
	if len(b.misnamed) > 0 && !o.SkipUnreadable {
		return nil, b.input, errors.New(b.misnamed[0])
	}
	b.input.Unreadable = append(b.input.Unreadable, b.misnamed...)
	if len(b.input.Unreadable)+len(b.input.Aside.Templates) > 0 {
		o.Complete = false // what is missing may be in them
	}
	b.FromFiles(o.Complete)
	if b.input.Archive != nil {
		if len(b.input.Files) > 1 {
			other := slices.IndexFunc(b.input.Files, func(name string) bool { return name != b.saved })
			return nil, b.input, fmt.Errorf("%s is an archive of a whole cluster and is read alone, but there is %s, too: pass -f %s, or "+
				"the other files without it", b.saved, b.input.Files[max(other, 0)], b.saved)
		}
		return b.input.Archive.Snapshot, b.input, nil
	}
	if b.input.Objects+b.lists == 0 && len(b.input.Unreadable) > 0 {
		return nil, b.input, errors.New(b.input.Unreadable[0])
	}
	if b.input.Objects+b.lists == 0 {
		return nil, b.input, &NoObjectsError{o.Paths, b.input.Aside}
	}
	if err := b.addLogs(); err != nil {
		return nil, b.input, err
	}
	b.input.Raw = b.copies.raw()
	return b.seal(o), b.input, nil
}

type builder struct {
	*snapshot.Builder
	decoder *wire.Decoder
	input   Input
	saved   string // name of the archive
	lists   int
	compact []byte                      // reused
	text    []byte                      // reused
	raw     map[snapshot.GroupKind]bool // of Options
	byKind  map[snapshot.GroupKind][]snapshot.Source
	present map[snapshot.View]bool
	bad     map[snapshot.View][]undecoded
	copies  copies
	clock   clock

	namespace string // of Options
	custom    customKinds
	inFull    inFull
	withLogs  bool
	written   snapshot.Schemas // nil: not asked for yet
	misnamed  []string         // objects whose kind is misspelled, each with its place
	logs      int              // that were read
	held      []heldLog        // of these, until it is known whose they are
	packer    *flate.Writer    // reused
	spent     input.Budget
	over      error                              // nothing is left of it
	badOwners map[snapshot.GroupKind][]undecoded // objects outside the views that could not be decoded
}

// readSaved takes an archive of this program.
func (b *builder) readSaved(ctx context.Context, name string, from *archive.Limited, t *tar.Reader, manifest *tar.Header) error {
	b.input.Files, b.saved = append(b.input.Files, name), name
	a, err := archive.Read(ctx, &b.spent, from, t, manifest)
	if err != nil {
		return fmt.Errorf("%s: %w", name, err)
	}
	b.input.Archive = a
	return nil
}

func (b *builder) read(ctx context.Context, s source) error {
	stream, err := s.open(ctx)
	if err != nil {
		return err
	}
	defer stream.Close() //nolint:errcheck // read only
	var held tally
	logs, misnamed := b.logs, len(b.misnamed)
	u := unpacker{spent: &b.spent, logs: b.withLogs, log: b.log}
	u.saved = func(name string, from *archive.Limited, t *tar.Reader, manifest *tar.Header) error {
		return b.readSaved(ctx, name, from, t, manifest)
	}
	patches, in := packedPatches(ctx, s, stream)
	u.text = func(name string, r io.Reader) error {
		if patches[path.Clean(name)] {
			b.input.Aside.Patches = append(b.input.Aside.Patches, name)
			return nil
		}
		return b.readText(s, name, r, &held)
	}
	n, err := u.unpack(s.name, b.spent.Packed(in), buffered, 0)
	b.input.Objects += held.objects
	b.lists += held.lists
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case (b.logs > logs || len(b.misnamed) > misnamed) && err == nil:
		return nil
	case err == nil && n == 0 && s.named:
		return fmt.Errorf("%s: the archive holds no .yaml, .yml or .json file", s.name)
	case err == nil && held.objects+held.lists == 0 && s.named && b.saved == "":
		return &NoObjectsError{[]string{s.name}, b.input.Aside}
	}
	return err
}
