package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/archive"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/collect"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// replay is what was read from an archive: as if it came from the cluster, at that moment.
func (o *scanOptions) replay(streams genericiooptions.IOStreams, in collect.Input) (input, error) {
	a, m := in.Archive, in.Archive.Manifest
	name := in.Files[0]
	if o.complete || !o.asOf.IsZero() {
		return input{}, fmt.Errorf("%s is an archive, which knows its time and what it holds: --as-of and --complete do not go with it", name)
	}
	say(streams, "archive: %s as of %s, saved by sparkdoctor %s", report.Escape(m.Source.Name), m.Snapshot.TakenAt.Format(time.RFC3339), report.Escape(m.Tool.Version))
	for _, note := range a.Notes {
		say(streams, "archive: %s", report.Escape(note))
	}
	if err := o.within(m.Snapshot.Namespaces); err != nil {
		return input{}, fmt.Errorf("%s: %w", name, err)
	}
	waited := m.Reading.Waited()
	confirmer := &checks.Confirmer{Fetch: fetched(a.Answers), Wait: func(_ context.Context, d time.Duration) error {
		if d > waited {
			say(streams, "archive: what was missing was looked at again after %s, not %s", waited, d)
		}
		return nil
	}}
	s := a.Snapshot.In(o.namespaces).Only(o.checkNeeds())
	source := report.Source{Name: m.Source.Name, Type: "archive", Context: m.Source.Context, Server: m.Source.Server, Files: in.Files, Resumed: s.Resumed()}
	return input{snapshot: s, confirm: confirmer, archive: a, source: source}, nil
}

// within narrows the scan to the namespaces that an archive holds, if those are not all.
func (o *scanOptions) within(saved []string) error {
	switch {
	case saved == nil:
		return nil
	case o.namespaces == nil && o.selection.Objects == nil:
		o.selection.Namespaces = saved
	}
	for _, ns := range o.namespaces {
		if !slices.Contains(saved, ns) {
			return fmt.Errorf("the archive is of namespace %s only", strings.Join(saved, ", "))
		}
	}
	if o.namespaces == nil {
		o.namespaces = saved
	}
	return nil
}

// asked is an object that was fetched again.
type asked struct {
	view snapshot.View
	ref  snapshot.Ref
}

// fetched answers as the cluster did. What it was not asked nobody knows.
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
// did not know: nobody read for them.
func (o *scanOptions) known(in input) (ask []checks.Check, later []checks.Result) {
	if in.archive == nil {
		return o.selected, nil
	}
	m := in.archive.Manifest
	for _, c := range o.selected {
		if slices.Contains(m.Checks, c.ID) {
			ask = append(ask, c)
			continue
		}
		later = append(later, checks.Result{Check: c, Status: checks.Skipped, Reason: fmt.Sprintf("%s: sparkdoctor %s, which saved it, had no such check", snapshot.NotSaved, m.Tool.Version)})
	}
	return ask, later
}
