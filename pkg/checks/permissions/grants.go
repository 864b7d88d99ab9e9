package permissions

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
)

// granting gives the operator what it lacks: the chart grants what its release needs, but for a feature that it forgot.
func granting(in *operator.Installation, f *check.Finding, feature string) []check.Command {
	grants := grantsOf(f, f.Object.Name)
	again := command.Again(in, "the chart's roles and bindings")
	switch {
	case in.Judged().Unreleased: // whose chart may grant it or not: that of next does not grant events of events.k8s.io
		return []check.Command{command.Do("allow the service account what it may not do, with a Role of your own if the chart has none")}
	case len(grants) == 0 || len(grants) > mostGrants:
		return []check.Command{again}
	case feature == "":
		grants[0].Text = "or " + grants[0].Text
		return append([]check.Command{again}, grants...)
	default:
		return grants
	}
}

// mostGrants bounds the commands that make roles: more are for a manifest.
const mostGrants = 4

// grantsOf make a role and a binding for what an account lacks, one for each resource and place.
func grantsOf(f *check.Finding, name string) []check.Command {
	var rules []command.Rule
	for _, r := range f.Reviews {
		resource := r.Request.Resource
		if r.Request.Group != "" {
			resource += "." + r.Request.Group
		}
		if r.Request.Subresource != "" {
			resource += "/" + r.Request.Subresource
		}
		i := slices.IndexFunc(rules, func(o command.Rule) bool {
			return o.Namespace == r.Request.Namespace && o.Resource == resource && o.Name == r.Request.Name
		})
		if i < 0 {
			rules, i = append(rules, command.Rule{Namespace: r.Request.Namespace, Resource: resource, Name: r.Request.Name}), len(rules)
		}
		if !slices.Contains(rules[i].Verbs, r.Request.Verb) {
			rules[i].Verbs = append(rules[i].Verbs, r.Request.Verb)
		}
	}
	var out []check.Command
	for i, r := range rules {
		plain, _, _ := strings.Cut(r.Resource, ".")
		role := fmt.Sprintf("%s-%s", name, plain)
		if i > 0 && rules[i-1].Resource == r.Resource && rules[i-1].Namespace == r.Namespace {
			role += fmt.Sprintf("-%d", i+1) // the one before is for one object
		}
		account := f.Reviews[0].Account
		out = append(out, command.Grant("let service account "+account.Name+" "+strings.Join(r.Verbs, ", ")+" "+r.Resource, role, account, r)...)
	}
	return out
}
