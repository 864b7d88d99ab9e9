package scan

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// lookUp makes a selection of nothing an error, before anything is waited for. Where the user may not look, nothing is
// claimed: the checks say what they could not see.
func (r *run) lookUp(ctx context.Context, in input) error {
	err := errors.Join(r.lookUpNamespaces(ctx, in), r.lookUpSelector(in), r.lookUpObjects(ctx, in))
	if err != nil {
		return r.unlessAllowed(err)
	}
	for _, ns := range r.namespaces {
		if !in.snapshot.Holds(ns) && !couldNotLook(in.snapshot, ns) {
			r.note("no Spark object was seen in namespace %s", ns)
		}
	}
	return nil
}

// couldNotLook reports whether applications of a namespace were asked for and could not be read.
func couldNotLook(s *snapshot.Snapshot, namespace string) bool {
	c := s.Coverage(snapshot.SparkApplications)
	return (c.State == snapshot.Unseeable || c.State == snapshot.Partial) && !c.Covers(namespace)
}

// unlessAllowed turns the error for an empty selection into a line, where that is allowed.
func (r *run) unlessAllowed(err error) error {
	var none *EmptyError
	if r.AllowEmpty && errors.As(err, &none) {
		line, _, _ := strings.Cut(err.Error(), "\n")
		r.note("%s (--allow-empty)", strings.TrimSuffix(line, allowHint))
		return nil
	}
	return err
}

// allowHint ends the error for a selection that a fleet may want to accept.
const allowHint = " (--allow-empty accepts that)"

// lookUpNamespaces looks for those that were asked for. Objects that were asked for are looked up themselves.
func (r *run) lookUpNamespaces(ctx context.Context, in input) error {
	if len(r.selection.Objects) > 0 {
		return nil
	}
	var list []error
	for _, ns := range r.Subjects.Namespaces {
		if says := noNamespace(ctx, in, ns); says != "" {
			list = append(list, empty("%s"+allowHint, says))
		}
	}
	return errors.Join(list...)
}

// noNamespace says that a namespace does not exist, as far as the user may look; empty: it exists, or may exist.
func noNamespace(ctx context.Context, in input, namespace string) string {
	s := in.snapshot
	if in.archive != nil {
		s = in.archive.Snapshot // with what the selected checks do not need
	}
	if s.InNamespace(namespace) {
		return ""
	}
	switch {
	case in.confirm == nil:
		return fmt.Sprintf("namespace %q: the input holds nothing of it", namespace)
	case s.Coverage(snapshot.Namespaces).State != snapshot.Complete:
		ref := snapshot.Ref{APIVersion: "v1", Kind: "Namespace", Name: namespace}
		if found, err := in.confirm.Fetch(ctx, snapshot.Namespaces, ref); found != nil || err != nil {
			return "" // it exists, or the user may not read it
		}
	}
	return fmt.Sprintf("namespace %q not found", namespace)
}

func (r *run) lookUpSelector(in input) error {
	if r.selection.Selector == nil {
		return nil
	}
	for _, v := range selectable() {
		switch in.snapshot.CoverageFor(snapshot.Need{View: v, Scope: snapshot.InNamespace}).State {
		case snapshot.Complete, snapshot.NotServed, snapshot.NotInput:
		default:
			return nil // what matches may be in what was not seen
		}
	}
	if in.snapshot.Any(func(obj *snapshot.Object) bool { return r.selection.Holds(obj) }) {
		return nil
	}
	where := ""
	if len(r.selection.Namespaces) > 0 {
		where = " in namespace " + few(r.selection.Namespaces)
	}
	return empty("-l %s: no object matches%s"+allowHint, r.Subjects.Selector, where)
}

// selectable are the views whose labels a selector is about.
func selectable() []snapshot.View {
	return []snapshot.View{snapshot.SparkApplications, snapshot.ScheduledSparkApplications, snapshot.SparkConnects}
}

func (r *run) lookUpObjects(ctx context.Context, in input) error {
	for _, key := range r.selection.Objects {
		if in.snapshot.Has(key) {
			continue
		}
		view := snapshot.ViewOf(key.GroupKind)
		src, _ := snapshot.SourceOf(view)
		name := strings.ToLower(key.Kind) + " " + key.Namespace + "/" + key.Name
		var found snapshot.Record
		var err error
		if in.confirm != nil {
			ref := snapshot.Ref{APIVersion: src.APIVersion(), Kind: key.Kind, Namespace: key.Namespace, Name: key.Name}
			found, err = in.confirm.Fetch(ctx, view, ref)
		}
		switch {
		case found != nil:
		case err != nil && !in.snapshot.Covers(view, key.Namespace):
			r.note("cannot tell whether %s exists: %s", name, err)
		default:
			return empty("%s not found", name)
		}
	}
	return nil
}
