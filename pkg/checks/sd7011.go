package checks

import (
	"fmt"
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func serviceAccountVanishes() Check {
	return Check{
		ID: "SD7011", Slug: "service-account-vanishes", Since: "0.1.0",
		Title: "drivers run as a service account that goes, or loses its rights, with the upgrade",
		Next:  "set spark.serviceAccount.name and spark.jobNamespaces in the values for the target so that the account stays",
		Needs: append([]snapshot.Need{
			{View: snapshot.SparkApplications, Role: snapshot.Subject},
			{View: snapshot.ServiceAccounts, Role: snapshot.Consulted},
			{View: snapshot.RoleBindings, Role: snapshot.Consulted},
			{View: snapshot.ClusterRoleBindings, Role: snapshot.Consulted, Scope: snapshot.Everywhere},
		}, consulted(keeperNeeds())...),
		Run: func(s *snapshot.Snapshot, p Params) Answer {
			u, in, mine := p.Upgrade, installed(s, p.Upgrade), upgraded(s, p.Upgrade)
			list, unjudged := decoded(s)
			a := Answer{Unjudged: unjudged}
			r := newReleaseObjects(s, u, in)
			_, restarts := u.restarts()
			switch {
			case in == nil:
				a.Unjudged = append(a.Unjudged, "which accounts the release made, since no operator was seen")
				return a
			case r.target == nil && !restarts:
				return a // the values of a 2.x release stay
			case r.target != nil && len(r.target.ServiceAccounts()) == 0:
				a.Unjudged = append(a.Unjudged, "which accounts there will be: the rendered manifests hold none")
				return a
			}
			blind := 0
			for _, users := range driverUsers(list, mine) {
				if r.target != nil && !r.bindingsSeen(users.Namespace) {
					blind++
				}
				if f, goes := r.vanishes(users); goes {
					a.Findings = append(a.Findings, f)
				} else if f, weak := r.unbound(users); weak {
					a.Findings = append(a.Findings, f)
				}
			}
			if blind > 0 {
				a.Unjudged = append(a.Unjudged, "what binds "+counted(blind, "service account")+", since not all bindings were seen")
			}
			return a
		},
	}
}

// driverUsers groups the applications of an installation by the account of their drivers, those that are not over first. One
// that ended shows what the next is made with.
func driverUsers(list []*snapshot.SparkApplication, mine func(string) bool) []accountUsers {
	at := map[snapshot.Account]*accountUsers{}
	for _, app := range list {
		if app.Terminating() || app.Driver.Foreign || app.Driver.AccountName == "" || !mine(app.Namespace) {
			continue
		}
		account := app.Driver.Account(app)
		u := at[account]
		if u == nil {
			u = &accountUsers{Account: account}
			at[account] = u
		}
		u.apps = append(u.apps, app)
		if !app.Ended() || app.Labels.Has(snapshot.ScheduledAppLabel) {
			u.live++
		}
	}
	return sortedUsers(at)
}

// releaseObjects are the accounts and bindings of now, and those to come.
type releaseObjects struct {
	s        *snapshot.Snapshot
	u        *Upgrade
	in       *operator.Installation
	accounts map[snapshot.Account]*snapshot.Object
	target   *snapshot.Snapshot // nil: not given
}

func newReleaseObjects(s *snapshot.Snapshot, u *Upgrade, in *operator.Installation) *releaseObjects {
	r := &releaseObjects{s: s, u: u, in: in, accounts: map[snapshot.Account]*snapshot.Object{}, target: u.Target}
	list := s.ServiceAccounts()
	for i := range list {
		r.accounts[snapshot.Account{Namespace: list[i].Namespace, Name: list[i].Name}] = &list[i]
	}
	return r
}

// made reports whether the release that is upgraded made an object, so that Helm takes it away when it is not in the next one.
func (r *releaseObjects) made(o *snapshot.Object) bool {
	return byHelm(o) && o.Labels.Get("app.kubernetes.io/name") == "spark-operator" && o.Labels.Get(releaseLabel) == helmRelease(r.in)
}

// vanishes states that an account of the release will not be there. One that was not seen is taken for the release's if it has the
// name that its chart gives.
func (r *releaseObjects) vanishes(users accountUsers) (Finding, bool) {
	o, release := r.accounts[users.Account], helmRelease(r.in)
	now, then := operator.ChartNamesOf(r.u.From, release, r.in.Name), operator.ChartNamesOf(r.u.To, release, r.in.Name)
	f := users.leaves()
	switch {
	case o != nil && !r.made(o), o == nil && users.Name != now.SparkAccount:
		return f, false
	case o == nil:
		f.Certainty = Likely
	default:
		f.Object, f.Location, f.Labels = o.Ref, o.Location, o.Labels
		f.Evidence = append(f.Evidence, Evidence{Object: o.Ref, Field: "metadata.labels", Value: releaseLabel + "=" + release})
	}
	stays := func(next snapshot.Object) bool { return next.Namespace == users.Namespace && next.Name == users.Name }
	if r.target != nil {
		f.Message = fmt.Sprintf("Helm deletes it with the upgrade, since the rendered manifests do not have it: drivers of %s run as it", counted(len(users.apps), "application"))
		return f, !slices.ContainsFunc(r.target.ServiceAccounts(), stays)
	}
	f.Hop, _ = r.u.restarts()
	f.Severity, f.Certainty = Warning, Likely
	f.Message = fmt.Sprintf("Helm deletes it with the upgrade, unless spark.serviceAccount.name keeps it: %s calls it %s, and drivers of %s run as %s",
		r.u.To, then.SparkAccount, counted(len(users.apps), "application"), users.Name)
	return f, users.Name != then.SparkAccount
}

// unbound states that an account stays, and everything that binds it to a role in its namespace goes.
func (r *releaseObjects) unbound(users accountUsers) (Finding, bool) {
	if r.target == nil || !r.bindingsSeen(users.Namespace) {
		return Finding{}, false
	}
	var going []*snapshot.RoleBinding
	for _, v := range []View{snapshot.RoleBindings, snapshot.ClusterRoleBindings} {
		now, next := r.s.RoleBindings(v), r.target.RoleBindings(v)
		for i := range now {
			b := &now[i]
			if !b.Binds(users.Account) || b.Namespace != "" && b.Namespace != users.Namespace {
				continue
			}
			if !r.made(&b.Object) {
				return Finding{}, false // somebody else's, which stays
			}
			going = append(going, b)
		}
		if slices.ContainsFunc(next, func(b snapshot.RoleBinding) bool {
			return b.Binds(users.Account) && (b.Namespace == "" || b.Namespace == users.Namespace)
		}) {
			return Finding{}, false
		}
	}
	if len(going) == 0 {
		return Finding{}, false
	}
	f := users.leaves()
	if o := r.accounts[users.Account]; o != nil {
		f.Object, f.Location, f.Labels = o.Ref, o.Location, o.Labels
	}
	f.What = "binding"
	for _, b := range going {
		f.Related = append(f.Related, b.Ref)
		f.Evidence = append(f.Evidence, Evidence{Object: b.Ref, Field: "roleRef", Value: b.RoleKind + " " + b.RoleName})
	}
	f.Message = fmt.Sprintf("it stays and may do nothing any more: Helm deletes %s %s, and nothing in the rendered manifests binds it; drivers of %s run as it",
		going[0].Kind, going[0].Name, counted(len(users.apps), "application"))
	return f, true
}

func (r *releaseObjects) bindingsSeen(namespace string) bool {
	return r.s.Covers(snapshot.RoleBindings, namespace) && r.s.Covers(snapshot.ClusterRoleBindings, "")
}

// leaves starts a finding. Without the account no driver is made, and one that runs gets no executors any more.
func (u *accountUsers) leaves() Finding {
	f := Finding{
		Object: snapshot.Ref{APIVersion: "v1", Kind: "ServiceAccount", Namespace: u.Namespace, Name: u.Name}, Severity: Error,
		Steps: []Step{{When: Before, Do: fmt.Sprintf("keep the account: set spark.serviceAccount.name to %s in the values, and list %s in spark.jobNamespaces", u.Name, u.Namespace)}},
	}
	if u.live == 0 {
		f.Severity = Warning // all are over, and nobody knows whether there will be more
	}
	for i, app := range u.apps {
		f.Objects = append(f.Objects, app.Ref)
		if i < shownApps {
			f.Evidence = append(f.Evidence, Evidence{Object: app.Ref, Field: app.Driver.Named, Value: app.Driver.AccountName})
		}
	}
	return f
}
