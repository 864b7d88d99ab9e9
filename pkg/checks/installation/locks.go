package installation

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
)

// sharedLocks reports Deployments that compete for one lease although they do different work: only one of them works at a
// time. Charts name a lease for each; the binary's own default is one for all.
func sharedLocks(installations []operator.Installation) []check.Finding {
	type competitor struct {
		operator.Candidate
		in *operator.Installation
	}
	var all []competitor
	for i := range installations {
		for _, c := range installations[i].Candidates() {
			if c.Deployment.Replicas > 0 {
				all = append(all, competitor{c, &installations[i]})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b competitor) int {
		return cmp.Or(a.Deployment.Created.Compare(b.Deployment.Created), a.Deployment.Compare(b.Deployment.Ref))
	})
	var out []check.Finding
	for i, c := range all {
		var others []string
		d := c.Deployment
		f := check.Finding{
			About: check.Of(d), Severity: check.Error, Certainty: facts.VersionCertainty(c.in), Identity: check.Identity{Kind: "shared"},
			Field:    "spec.template.spec.containers",
			Evidence: []check.Evidence{{Object: d.Ref, Field: "--leader-election-lock-name", Value: c.Lease.Namespace + "/" + c.Lease.Name}},
		}
		for _, other := range all[:i] {
			if other.Lease == c.Lease {
				others = append(others, "Deployment "+other.Deployment.Namespace+"/"+other.Deployment.Name)
				f.Related = append(f.Related, other.Deployment.Ref)
				f.Saw(other.Deployment.Ref, "--leader-election-lock-name", c.Lease.Namespace+"/"+c.Lease.Name)
			}
		}
		if len(others) == 0 {
			continue
		}
		if c.in.Legacy() {
			f.Then(command.Set(c.in, command.Value{Path: "leaderElection.lockName", Flag: "leader-election-lock-name"}))
		} else {
			f.Then(command.Do("give %s a lease of its own: --leader-election-lock-name", d.Name).On("edit", d.Ref))
		}
		f.Message = fmt.Sprintf("competes with %s for lease %s/%s, so only one of them works at a time", strings.Join(others, ", "),
			c.Lease.Namespace, c.Lease.Name)
		out = append(out, f)
	}
	return out
}
