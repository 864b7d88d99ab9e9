package installation

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// The remains of a template: a shell puts nothing for $appName between double quotes, and Go's templates write <no value> for a key that a
// map does not have, and what fmt says of nil (text/template and fmt of go@1.24).
var (
	emptyBraces = regexp.MustCompile(`\{\{\s*\}\}`)
	noValue     = regexp.MustCompile(`<no value>|%!\w\(<nil>\)|<nil>`)
)

func flagValueEaten() check.Check {
	return check.Check{
		ID: "SD5013", Slug: "flag-value-eaten", Since: "0.1.0", Consequence: check.ChangesJobs,
		Title:    "a shell or Helm took the value out of a flag of the operator",
		Needs:    []snapshot.Need{{View: snapshot.Deployments, Role: snapshot.Subject, Scope: snapshot.Everywhere}},
		Unscoped: true,
		Requires: []check.Requirement{facts.Installations()},
		Run: func(p *check.Pass) check.Answer {
			var a check.Answer
			installations := facts.Installations().Of(p)
			for i := range installations {
				in := &installations[i]
				for part, d := range []*snapshot.Deployment{in.Controller, in.Webhook} {
					if d == nil || part > 0 && d == in.Controller { // one Deployment is both in 1.x
						continue
					}
					a.Judged++
					flags := operator.FlagsOf(d)
					for _, name := range slices.Sorted(maps.Keys(flags)) {
						if what := eaten(flags[name]); what != "" {
							a.Findings = append(a.Findings, eatenFlag(d, name, flags[name], what))
						}
					}
				}
			}
			return a
		},
	}
}

// eaten says what is left of a value that a shell or Helm has taken; empty: nothing speaks for that.
func eaten(value string) string {
	switch {
	case emptyBraces.MatchString(value):
		return "the name between the braces is gone: a shell put nothing for it"
	case noValue.MatchString(value):
		return "Helm found no value for it"
	default:
		return ""
	}
}

func eatenFlag(d *snapshot.Deployment, name, value, what string) check.Finding {
	f := check.Finding{
		About: check.Of(d), Severity: check.Warning, Field: "spec.template.spec.containers", Identity: check.Identity{What: name},
		Message:  fmt.Sprintf("--%s is %s; %s", name, strings.TrimSpace(value), what),
		Evidence: []check.Evidence{{Object: d.Ref, Field: "--" + name, Value: value}},
	}
	if name == "ingress-url-format" {
		f.Message += ", so the web UI of every application gets the same Ingress path"
		f.Then(command.Do("put controller.uiIngress.urlFormat with {{$appName}} into a values file, or between single quotes"))
		return f
	}
	f.Then(command.Do("set the value of --%s in a values file of the Helm release, and upgrade the release with it", name))
	return f
}
