package cli

import (
	"errors"
	"slices"

	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// lookUpPicks makes an argument that names no object an error: "nothing to do" would look as if it were well. An object
// that exists and has no finding is well.
func (o *fixOptions) lookUpPicks(streams genericiooptions.IOStreams, in input) error {
	var list []error
	for _, p := range o.picks {
		if p.name == "" || in.snapshot.Any(func(one *snapshot.Object) bool { return p.names(one.Ref) }) || p.namespace == "" && in.snapshot.InNamespace(p.name) {
			continue
		}
		results := checks.Run(in.snapshot, o.scan.selected, o.scan.params)
		// A finding may be about what does not exist. What a check could not see may hold the object.
		if slices.ContainsFunc(results, func(r checks.Result) bool { return r.Check.ID == p.check && (blind(r) != "" || finds(r, p)) }) {
			continue
		}
		object := p.name
		if p.namespace != "" {
			object = p.namespace + "/" + p.name
		}
		list = append(list, empty("%s=%s: no object that %s looks at has this name"+allowHint, p.check, object, p.check))
	}
	return o.scan.unlessAllowed(streams, errors.Join(list...))
}

// finds reports whether a finding is about the object that an argument names.
func finds(r checks.Result, p pick) bool {
	return slices.ContainsFunc(r.Findings, func(f checks.Finding) bool { return p.names(f.Object) || slices.ContainsFunc(f.Objects, p.names) })
}

// sayGone names the findings that were asked for and are not there: resolved, or never there.
func (o *fixOptions) sayGone(streams genericiooptions.IOStreams, results []checks.Result) {
	for _, p := range o.picks {
		there := func(f checks.Finding) bool { return f.Fingerprint() == p.finding }
		if p.finding != "" && !slices.ContainsFunc(results, func(r checks.Result) bool { return slices.ContainsFunc(r.Findings, there) }) {
			say(streams, "no finding %s: it is resolved, or never existed", report.Escape(p.finding))
		}
	}
}
