package scan

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/archive"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/collect/manifests"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// replay is what was read from an archive: as if it came from the cluster, at that moment.
func (r *run) replay(in manifests.Input) (input, error) {
	a, m := in.Archive, in.Archive.Manifest
	r.note("archive: %s as of %s, saved by sparkdoctor %s", m.Source.Name, m.Snapshot.TakenAt.Format(time.RFC3339), m.Tool.Version)
	for _, text := range a.Notes {
		r.note("archive: %s", text)
	}
	if err := r.within(m.Snapshot.Namespaces); err != nil {
		return input{}, fmt.Errorf("%s: %w", in.Files[0], err)
	}
	waited := m.Reading.Waited()
	confirmer := &check.Confirmer{Fetch: fetched(a.Answers), Wait: func(_ context.Context, d time.Duration) error {
		if d > waited {
			r.note("archive: what was missing was looked at again after %s, not %s", phrase.Span(waited), phrase.Span(d))
		}
		return nil
	}}
	s := a.Snapshot.In(r.namespaces).Only(r.checkNeeds())
	return input{snapshot: s, whole: a.Snapshot, confirm: confirmer, archive: a, source: report.Source{
		Name: m.Source.Name, Type: "archive", Context: m.Source.Context, Server: m.Source.Server, Files: in.Files, Resumed: s.Resumed(),
	}}, nil
}

// within narrows the scan to the namespaces that an archive holds, if those are not all.
func (r *run) within(saved []string) error {
	switch {
	case saved == nil:
		return nil
	case r.namespaces == nil && r.selection.Objects == nil:
		r.selection.Namespaces = saved
	}
	for _, ns := range r.namespaces {
		if !slices.Contains(saved, ns) {
			return fmt.Errorf("the archive is of namespace %s only", strings.Join(saved, ", "))
		}
	}
	if r.namespaces == nil {
		r.namespaces = saved
	}
	return nil
}

// asked is an object that was fetched again.
type asked struct {
	view snapshot.View
	ref  snapshot.Ref
}

// fetched answers as the cluster did. For what was not asked then, it returns an error.
func fetched(answers []archive.Answer) func(context.Context, snapshot.View, snapshot.Ref) (snapshot.Record, error) {
	byAsked := map[asked]archive.Answer{}
	for _, a := range answers {
		byAsked[asked{a.View, a.Ref}] = a
	}
	return func(_ context.Context, v snapshot.View, ref snapshot.Ref) (snapshot.Record, error) {
		a, found := byAsked[asked{v, ref}]
		switch {
		case !found:
			return nil, errors.New(snapshot.NotSaved)
		case a.Failed != "":
			return nil, errors.New(a.Failed)
		default:
			return a.Record, nil
		}
	}
}

// known splits the selected checks into those to ask, and the results of those that the build which saved an archive
// did not know: what they need was not saved.
func (r *run) known(in input) (ask []check.Check, later []check.Result) {
	if in.archive == nil {
		return r.selected, nil
	}
	m := in.archive.Manifest
	for _, c := range r.selected {
		if slices.Contains(m.Checks, c.ID) {
			ask = append(ask, c)
			continue
		}
		reason := fmt.Sprintf("%s: sparkdoctor %s, which saved it, had no such check", snapshot.NotSaved, m.Tool.Version)
		later = append(later, check.Result{Check: c, Status: check.Skipped, Reason: reason})
	}
	return ask, later
}
