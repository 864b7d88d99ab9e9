package cli

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// emptyError says that the user selected what does not exist: "no findings" about nothing would look like health.
type emptyError struct{ message string }

func (e *emptyError) Error() string { return e.message }

func empty(format string, args ...any) error { return &emptyError{fmt.Sprintf(format, args...)} }

// lookUp makes a selection of nothing an error, before anything is waited for. Where the user may not look, nothing is
// claimed: the checks say what they could not see.
func (o *scanOptions) lookUp(ctx context.Context, streams genericiooptions.IOStreams, in input) error {
	err := errors.Join(o.lookUpNamespace(ctx, in), o.lookUpSelector(in), o.lookUpObjects(ctx, streams, in))
	if err != nil {
		return o.unlessAllowed(streams, err)
	}
	for _, ns := range o.namespaces {
		if !in.snapshot.Holds(ns) {
			say(streams, "no Spark object was seen in namespace %s", report.Escape(ns))
		}
	}
	return nil
}

// unlessAllowed turns the error for an empty selection into a line, where --allow-empty says so.
func (o *scanOptions) unlessAllowed(streams genericiooptions.IOStreams, err error) error {
	var none *emptyError
	if o.allowEmpty && errors.As(err, &none) {
		say(streams, "%s (--allow-empty)", report.Escape(strings.TrimSuffix(firstLine(err.Error()), allowHint)))
		return nil
	}
	return err
}

// allowHint ends the error for a selection that a fleet may want to accept.
const allowHint = " (--allow-empty accepts that)"

func (o *scanOptions) lookUpNamespace(ctx context.Context, in input) error {
	namespace, s := *o.kube.Namespace, in.snapshot
	if in.archive != nil {
		s = in.archive.Snapshot // with what the selected checks do not need
	}
	if namespace == "" || o.allNamespaces || len(o.selection.Objects) > 0 || s.InNamespace(namespace) {
		return nil
	}
	switch {
	case in.confirm == nil:
		return empty("namespace %q: the input holds nothing of it"+allowHint, namespace)
	case s.Coverage(snapshot.Namespaces).State != snapshot.Complete:
		ref := snapshot.Ref{APIVersion: "v1", Kind: "Namespace", Name: namespace}
		if found, err := in.confirm.Fetch(ctx, snapshot.Namespaces, ref); found != nil || err != nil {
			return nil // it exists, or nobody here may say
		}
	}
	return empty("namespace %q not found"+allowHint, namespace)
}

func (o *scanOptions) lookUpSelector(in input) error {
	if o.selection.Selector == nil {
		return nil
	}
	for _, v := range selectable() {
		switch in.snapshot.CoverageFor(snapshot.Need{View: v, Scope: snapshot.InNamespace}).State {
		case snapshot.Complete, snapshot.NotServed, snapshot.NotInput:
		default:
			return nil // what matches may be in what was not seen
		}
	}
	if in.snapshot.Any(func(obj *snapshot.Object) bool { return o.selection.Holds(obj) }) {
		return nil
	}
	where := ""
	if len(o.selection.Namespaces) > 0 {
		where = " in namespace " + few(o.selection.Namespaces)
	}
	return empty("-l %s: no object matches%s"+allowHint, o.selector, where)
}

// selectable are the views whose labels -l is about.
func selectable() []snapshot.View {
	return []snapshot.View{snapshot.SparkApplications, snapshot.ScheduledSparkApplications, snapshot.SparkConnects}
}

func (o *scanOptions) lookUpObjects(ctx context.Context, streams genericiooptions.IOStreams, in input) error {
	for _, key := range o.selection.Objects {
		if in.snapshot.Has(key) {
			continue
		}
		view := snapshot.ViewOf(key.GroupKind)
		src, _ := snapshot.SourceOf(view)
		name := strings.ToLower(key.Kind) + " " + key.Namespace + "/" + key.Name
		var found snapshot.Record
		var err error
		if in.confirm != nil {
			found, err = in.confirm.Fetch(ctx, view, snapshot.Ref{APIVersion: src.APIVersion(), Kind: key.Kind, Namespace: key.Namespace, Name: key.Name})
		}
		switch {
		case found != nil:
		case err != nil && !in.snapshot.Covers(view, key.Namespace):
			say(streams, "cannot tell whether %s exists: %s", report.Escape(name), report.Escape(err.Error()))
		default:
			return empty("%s not found", name)
		}
	}
	return nil
}
