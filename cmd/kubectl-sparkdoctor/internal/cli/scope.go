package cli

import (
	"fmt"
	"strings"

	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// scope is what the findings are about, for the report.
func (o *scanOptions) scope(s *snapshot.Snapshot) report.Scope {
	scope := report.Scope{Namespaces: append([]string{}, o.namespaces...), Selector: o.selector, Installations: []report.Installation{}}
	for _, key := range o.selection.Objects {
		scope.Objects = append(scope.Objects, strings.ToLower(key.Kind)+"/"+key.Name)
	}
	for _, in := range operator.Find(s.Deployments()) {
		one := report.Installation{Namespace: in.Namespace, Name: in.Name, Version: in.Stated}
		if !in.Recognised {
			one.JudgedAs = in.Judged().String()
		}
		scope.Installations = append(scope.Installations, one)
	}
	return scope
}

// sayScope tells people on stderr what is judged, and what is assumed about the operator.
func (o *scanOptions) sayScope(streams genericiooptions.IOStreams, in input) {
	if o.offline && in.archive == nil {
		return
	}
	what := "all namespaces"
	if o.namespaces != nil {
		what = "namespace " + few(o.namespaces)
	}
	if o.selector != "" {
		what += ", objects with " + o.selector
	}
	say(streams, "scope: %s of %s", report.Escape(what), report.Escape(in.source.Name))
	for _, one := range operator.Find(in.snapshot.Deployments()) {
		watches := "all namespaces"
		if list := one.Namespaces(); list != nil {
			watches = few(list)
		}
		text := fmt.Sprintf("operator %s in %s watches %s", one.Stated, one.Namespace, watches)
		if !one.Recognised {
			text += fmt.Sprintf("; no release that this build knows, so it is judged as %s and what depends on the version is at most likely", one.Judged())
		}
		say(streams, "%s", report.Escape(text))
	}
}

// fewNames is how many names a line for people has at most.
const fewNames = 10

// few lists names, of hundreds the first ten.
func few(names []string) string {
	if len(names) <= fewNames {
		return strings.Join(names, ", ")
	}
	return fmt.Sprintf("%s and %d more", strings.Join(names[:fewNames], ", "), len(names)-fewNames)
}
