package scan

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"slices"
	"strings"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/collect/manifests"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// Files are manifests, dumps, or one archive of Record.
type Files struct {
	Paths     []string  // files, directories, URLs, or - for Stdin
	FS        fs.FS     // where files and directories are; nil: on this machine
	Recursive bool      // the directories below, too
	Exclude   []string  // patterns of files in directories that are not read: of paths below them, or of names
	Stdin     io.Reader // nil unless a path is -
	Complete  bool      // the files are everything there is: what is not in them does not exist
	AsOf      time.Time // when they show the cluster; zero: the latest time in them

	raw    map[snapshot.GroupKind]bool // kinds whose objects are kept as they stand in the files
	noLogs bool                        // beside what is kept in full
}

func (f Files) read(ctx context.Context, r *run) (input, error) {
	if q, one := r.subject(); one {
		return f.readWith(ctx, r, q.Concerns)
	}
	return f.readWith(ctx, r, nil)
}

// readWith also keeps objects in full, for a case file.
func (f Files) readWith(ctx context.Context, r *run, inFull func(*snapshot.Whole) bool) (input, error) {
	var crds func() []byte
	if r.schemas == nil {
		crds = operator.NewestCRDs
	}
	s, in, err := manifests.Read(ctx, manifests.Options{
		Paths: f.Paths, FS: f.FS, Recursive: f.Recursive, Exclude: f.Exclude, Stdin: f.Stdin, Complete: f.Complete, AsOf: f.AsOf,
		Now:            time.Now().Truncate(time.Second),
		SkipUnreadable: true, Raw: f.raw, InFull: inFull, NoLogs: f.noLogs, Schemas: r.schemas, CRDs: crds,
	})
	if err != nil {
		return input{}, noObjects(err)
	}
	if in.Archive != nil {
		if f.Complete || !f.AsOf.IsZero() {
			const archived = "%s is an archive, which knows its time and what it holds: --as-of and --complete do not go with it"
			return input{}, fmt.Errorf(archived, in.Files[0])
		}
		return r.replay(in)
	}
	if in.Dated {
		r.note("ages are relative to %s, the latest time in the files (--as-of changes it)", s.TakenAt.Format(time.RFC3339))
	}
	r.noteCopies(in)
	for _, pattern := range in.Aside.Unmatched {
		r.note("--exclude %q leaves out no file: a pattern is of a path below the directory of -f, such as charts/*/templates, or of a name",
			pattern)
	}
	for _, text := range in.Unreadable {
		r.note("error: %s; sparkdoctor checks the other files without it", text)
	}
	source := sourceOf(in)
	if inFull != nil || f.raw != nil { // the answer is no report, which says it
		r.noteAside(source)
	}
	return input{snapshot: s, whole: s, dated: in.Dated, raw: in.Raw, source: source}, nil
}

// sourceOf says what was read.
func sourceOf(in manifests.Input) report.Source {
	s := report.Source{Name: "files", Type: "files", Files: in.Files, Objects: in.Objects,
		Unread: in.Unread, Duplicates: in.Duplicates, Unreadable: in.Unreadable}
	s.SetAside(in.Aside)
	for _, d := range in.Differing {
		if d.Matters && !d.Both {
			s.NotJudged = append(s.NotJudged, fmt.Sprintf("%s of %s, which differs from %s; nothing tells which is newer: pass one of them",
				place(d.Before), d.Ref(), place(d.Last)))
		}
	}
	return s
}

// noteAside says which files were not judged as they are meant.
func (o Options) noteAside(s report.Source) {
	for _, text := range []string{s.Templates(""), s.Kustomized("")} {
		if text != "" {
			o.note("%s", text)
		}
	}
}

// noObjects adds to the error about an input without objects what it holds instead.
func noObjects(err error) error {
	var none *manifests.NoObjectsError
	if !errors.As(err, &none) {
		return err
	}
	var s report.Source
	s.SetAside(none.Aside)
	instead := slices.DeleteFunc([]string{s.Templates(""), s.Kustomized("")}, func(text string) bool { return text == "" })
	if len(instead) == 0 {
		return err
	}
	return fmt.Errorf("%w; %s", err, strings.Join(instead, "; "))
}

// noteCopies says which objects the files hold more than once.
func (o Options) noteCopies(in manifests.Input) {
	differ := 0
	for _, d := range in.Differing {
		if !d.Both {
			differ++
		}
	}
	if n := in.Duplicates - differ; n == 1 {
		o.note("ignored 1 older or equal copy of an object")
	} else if n > 1 {
		o.note("ignored %d older or equal copies of objects", n)
	}
	inReport := func(d manifests.Differing) bool { return d.Matters && !d.Both }
	all := slices.DeleteFunc(slices.Clone(in.Differing), inReport)
	for i, d := range all {
		if i == fewNames {
			o.note("%d more objects have copies that differ", len(all)-i)
			return
		}
		which := "the last one"
		if d.Both {
			which = "both"
		}
		o.note("%s differs between %s and %s, and nothing tells which is newer: judging %s", d.Ref(), place(d.Before), place(d.Last), which)
	}
}

func place(l snapshot.Location) string { return fmt.Sprintf("%s:%d", l.File, l.Line) }
