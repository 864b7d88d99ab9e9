package changes

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks/upgrade"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func hooksLeftBehind() check.Check {
	return check.Check{
		ID: "SD7025", Slug: "hooks-left-behind", Since: "0.1.0", Consequence: check.Wastes,
		Title:    "Helm leaves a ClusterRole and an account of 1.x behind, which its chart made as hooks",
		Unscoped: true,
		Gate:     check.Gate{Break: operator.Version{Major: 2}},
		Needs: []snapshot.Need{
			{View: snapshot.Deployments, Role: snapshot.Subject, Scope: snapshot.Everywhere},
			{View: snapshot.ClusterRoleBindings, Role: snapshot.Consulted, Scope: snapshot.Everywhere},
		},
		Requires: []check.Requirement{facts.Installations()},
		Run: func(p *check.Pass) check.Answer {
			u, in := p.Upgrade, upgrade.Installed(p)
			if in == nil {
				return check.Answer{Unjudged: []string{"which account the operator runs as, since no operator was seen"}}
			}
			a := check.Answer{Judged: 1}
			list := p.RoleBindings(snapshot.ClusterRoleBindings)
			for i := range list {
				if b := &list[i]; b.Binds(in.Controller.Account) && madeByHook(&b.Object) && !comesAgain(u, b) {
					a.Findings = append(a.Findings, leftBehind(u, in, b))
				}
			}
			return a
		},
	}
}

// madeByHook reports whether a binding is one of charts 1.1.9 to 1.3.2, which have it, its ClusterRole and the operator's account as hooks
// that are deleted only before they are made again (charts/spark-operator-chart/templates/{rbac,serviceaccount}.yaml@
// spark-operator-chart-1.1.9 and @spark-operator-chart-1.3.2; @spark-operator-chart-1.4.0 has none). Helm does not hold hooks for part of
// a release (helm.sh/docs/topics/charts_hooks).
func madeByHook(o *snapshot.Object) bool {
	chart, ours := strings.CutPrefix(o.Labels.Get(upgrade.ChartLabel), upgrade.OperatorChart+"-")
	v, known := operator.ChartVersion(chart)
	return ours && known && upgrade.ByHelm(o) && !v.Before(1, 1, 9) && v.Before(1, 4, 0)
}

// comesAgain reports whether the manifests have a binding of that name.
func comesAgain(u *check.Upgrade, b *snapshot.RoleBinding) bool {
	return u.Target != nil && slices.ContainsFunc(u.Target.RoleBindings(snapshot.ClusterRoleBindings), func(next snapshot.RoleBinding) bool {
		return next.Name == b.Name
	})
}

func leftBehind(u *check.Upgrade, in *operator.Installation, b *snapshot.RoleBinding) check.Finding {
	account := in.Controller.Account
	f := check.Finding{
		About: check.Of(b), Severity: check.Info, Field: "metadata.labels",
		Message: fmt.Sprintf("Helm will leave it behind with %s %s and service account %s, which may still read Secrets in every namespace: "+
			"the chart made them as hooks", b.RoleKind, b.RoleName, account),
		Evidence: []check.Evidence{{Object: b.Ref, Field: "metadata.labels", Value: upgrade.ChartLabel + "=" + b.Labels.Get(upgrade.ChartLabel)}},
		Related:  []snapshot.Ref{in.Controller.Ref},
	}
	f.Hop, _ = u.Restarts()
	const do = "delete what the hooks of 1.x made, once the new operator runs"
	f.Next = []check.Step{
		{When: check.After, Do: do, Command: command.Line("kubectl delete clusterrolebinding %s --ignore-not-found", b.Name)},
		{When: check.After, Do: do, Command: command.Line("kubectl delete clusterrole %s --ignore-not-found", b.RoleName)},
	}
	kept := func(d *snapshot.Deployment) bool { return d.Account == account }
	if coming := u.Coming(); coming == nil || !slices.ContainsFunc(coming.Deployments(), kept) {
		f.Next = append(f.Next, check.Step{When: check.After, Do: do,
			Command: command.Line("kubectl delete serviceaccount %s -n %s --ignore-not-found", account.Name, account.Namespace)})
	}
	return f
}
