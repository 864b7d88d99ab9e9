package upgrade

import (
	"cmp"
	"fmt"
	"maps"
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/spark"
)

func serviceAccountVanishes() check.Check {
	return check.Check{
		ID: "SD7011", Slug: "service-account-vanishes", Since: "0.1.0", Consequence: check.StopsAll,
		Title: "the upgrade deletes a service account of drivers, or its permissions",
		Needs: []snapshot.Need{
			{View: snapshot.SparkApplications, Role: snapshot.Subject},
			{View: snapshot.ScheduledSparkApplications, Role: snapshot.Subject},
			{View: snapshot.ServiceAccounts, Role: snapshot.Consulted},
			{View: snapshot.RoleBindings, Role: snapshot.Consulted},
			{View: snapshot.ClusterRoleBindings, Role: snapshot.Consulted, Scope: snapshot.Everywhere},
		},
		Requires: []check.Requirement{check.As(snapshot.Consulted, facts.Controllers())},
		Run: func(p *check.Pass) check.Answer {
			u := p.Upgrade
			in := Installed(p)
			mine := upgraded(p)
			list, unjudged := facts.Decoded(p.Snapshot)
			a := check.Answer{Unjudged: unjudged}
			r := newReleaseObjects(p.Snapshot, u, in)
			_, restarts := u.Restarts()
			switch {
			case in == nil:
				a.Unjudged = append(a.Unjudged, "which accounts the release made, since no operator was seen")
				return a
			case u.Coming() == nil && !restarts:
				a.Judged++
				return a // the values of a 2.x release stay
			case r.target != nil && len(r.target.ServiceAccounts()) == 0:
				a.Unjudged = append(a.Unjudged, "which accounts there will be: the rendered manifests hold none")
				return a
			}
			blind := 0
			var open []string
			for _, users := range accountsTaken(p.Snapshot, list, mine) {
				a.Judged++
				if r.target != nil && !r.bindingsSeen(users.Namespace) {
					blind++
				}
				f, goes := r.vanishes(users)
				if u.Coming() == nil && (goes || r.decidedByValues(users)) {
					open = append(open, users.Account.String())
				}
				if goes {
					a.Findings = append(a.Findings, f)
				} else if f, weak := r.unbound(users); weak {
					a.Findings = append(a.Findings, f)
				}
			}
			if len(open) > 0 {
				a.DependsOn("whether Helm deletes "+facts.SomeOf(open, facts.MaxNamed, "service account"), "spark.serviceAccount.name",
					"spark.jobNamespaces")
			}
			a.PassOver(blind, "the bindings of "+phrase.Counted(blind, "service account")+", since not all were seen")
			return a
		},
	}
}

// accountTaken is an account that applications, or the template of a schedule, name for their drivers.
type accountTaken struct {
	snapshot.Account
	by   []check.Evidence // who names it, and where
	over []check.Evidence // the same of what has ended
}

// boundBy reports whether a binding gives the account a role in its namespace.
func (a *accountTaken) boundBy(b *snapshot.RoleBinding) bool {
	return b.Binds(a.Account) && (b.Namespace == "" || b.Namespace == a.Namespace)
}

// accountsTaken returns those of the namespaces of an installation, in order. What ended shows what the next is made with; a run
// of a schedule is left to the schedule, if that names one.
func accountsTaken(s *snapshot.Snapshot, list []*snapshot.SparkApplication, mine func(string) bool) []*accountTaken {
	at := map[snapshot.Account]*accountTaken{}
	add := func(o *snapshot.Object, name, field string, over bool) {
		if name == "" || o.Terminating() || !mine(o.Namespace) {
			return
		}
		account := snapshot.Account{Namespace: o.Namespace, Name: name}
		if at[account] == nil {
			at[account] = &accountTaken{Account: account}
		}
		t, use := at[account], check.Evidence{Object: o.Ref, Field: field, Value: name}
		if over {
			t.over = append(t.over, use)
		} else {
			t.by = append(t.by, use)
		}
	}
	scheduled, schedules := map[snapshot.Key]bool{}, s.ScheduledSparkApplications()
	for i := range schedules {
		o := &schedules[i]
		run := o.Application()
		if spark.DriverOf(run).AccountName != "" && !spark.DriverOf(run).AccessUnknown {
			scheduled[check.AppKey(o.Namespace, o.Name)] = true
			add(&o.Object, spark.DriverOf(run).AccountName, run.Path(spark.DriverOf(run).Named), false)
		}
	}
	for _, app := range list {
		schedule, ofSchedule := app.Labels.Lookup(snapshot.ScheduledAppLabel)
		if !spark.DriverOf(app).AccessUnknown && !scheduled[check.AppKey(app.Namespace, schedule)] {
			add(&app.Object, spark.DriverOf(app).AccountName, spark.DriverOf(app).Named, app.Ended() && !ofSchedule)
		}
	}
	return slices.SortedFunc(maps.Values(at), func(a, b *accountTaken) int {
		return cmp.Or(cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
	})
}

// releaseObjects are the accounts and bindings of now, and those to come.
type releaseObjects struct {
	s        *snapshot.Snapshot
	u        *check.Upgrade
	in       *operator.Installation
	accounts map[snapshot.Account]*snapshot.Object
	target   *snapshot.Snapshot // nil: not given
}

func newReleaseObjects(s *snapshot.Snapshot, u *check.Upgrade, in *operator.Installation) *releaseObjects {
	r := &releaseObjects{s: s, u: u, in: in, accounts: map[snapshot.Account]*snapshot.Object{}, target: u.Target}
	list := s.ServiceAccounts()
	for i := range list {
		r.accounts[snapshot.Account{Namespace: list[i].Namespace, Name: list[i].Name}] = &list[i]
	}
	return r
}

// made reports whether the release that is upgraded made an object, so that Helm takes it away when it is not in the next one.
func (r *releaseObjects) made(o *snapshot.Object) bool {
	return ByHelm(o) && o.Labels.Get("app.kubernetes.io/name") == "spark-operator" && o.Labels.Get(releaseLabel) == helmRelease(r.in)
}

// vanishes states that an account of the release will not be there. One that was not seen is taken for the release's if it has the
// name that its chart gives.
func (r *releaseObjects) vanishes(users *accountTaken) (check.Finding, bool) {
	o, release := r.accounts[users.Account], helmRelease(r.in)
	now, then := operator.ChartNamesOf(r.u.From, release, r.in.Name), operator.ChartNamesOf(r.u.To, release, r.in.Name)
	f := users.leaves()
	switch {
	case o != nil && !r.made(o), o == nil && users.Name != now.SparkAccount:
		return f, false
	case o == nil:
		f.Certainty = check.Likely
	default:
		f.Object, f.Seen = o.Ref, o
		f.Saw(o.Ref, "metadata.labels", releaseLabel+"="+release)
	}
	stays := func(next snapshot.Object) bool { return next.Namespace == users.Namespace && next.Name == users.Name }
	if r.target != nil {
		f.Message = fmt.Sprintf(
			"Helm will delete service account %s, which the rendered manifests do not contain: drivers of %s run as it",
			users.Account, users.users())
		return f, !slices.ContainsFunc(r.target.ServiceAccounts(), stays)
	}
	f.Hop, _ = r.u.Restarts()
	if chosen := r.u.Chosen; chosen != nil {
		f.Message = fmt.Sprintf(
			"Helm will delete service account %s, which the chart of %s does not create with the Helm values: drivers of %s run as it",
			users.Account, r.u.To, users.users())
		return f, !slices.Contains(chosen.Accounts, users.Account)
	}
	f.Severity, f.Certainty = check.Warning, check.Likely
	f.Message = fmt.Sprintf(
		"Helm will delete service account %s, unless spark.serviceAccount.name keeps it: %s names it %s, and drivers of %s run as it",
		users.Account, r.u.To, then.SparkAccount, users.users())
	return f, users.Name != then.SparkAccount
}

// decidedByValues reports whether the chart makes an account of the release again only if spark.jobNamespaces has its namespace, which
// its default has not.
func (r *releaseObjects) decidedByValues(users *accountTaken) bool {
	o := r.accounts[users.Account]
	chart, _ := operator.ChartOf(r.u.To)
	return o != nil && r.made(o) && !slices.Contains(chart.JobNamespaces, users.Namespace)
}

// unbound states that an account stays, and everything that binds it to a role in its namespace goes.
func (r *releaseObjects) unbound(users *accountTaken) (check.Finding, bool) {
	if r.target == nil || !r.bindingsSeen(users.Namespace) {
		return check.Finding{}, false
	}
	var going []*snapshot.RoleBinding
	for _, v := range []check.View{snapshot.RoleBindings, snapshot.ClusterRoleBindings} {
		now, next := r.s.RoleBindings(v), r.target.RoleBindings(v)
		for i := range now {
			b := &now[i]
			if !users.boundBy(b) {
				continue
			}
			if !r.made(&b.Object) {
				return check.Finding{}, false // somebody else's, which stays
			}
			going = append(going, b)
		}
		if slices.ContainsFunc(next, func(b snapshot.RoleBinding) bool { return users.boundBy(&b) }) {
			return check.Finding{}, false
		}
	}
	if len(going) == 0 {
		return check.Finding{}, false
	}
	f := users.leaves()
	if o := r.accounts[users.Account]; o != nil {
		f.Object, f.Seen = o.Ref, o
	}
	f.Kind = "binding"
	for _, b := range going {
		f.Related = append(f.Related, b.Ref)
		f.Saw(b.Ref, "roleRef", b.RoleKind+" "+b.RoleName)
	}
	f.Message = fmt.Sprintf(
		"service account %s loses all permissions: Helm will delete %s %s, and the rendered manifests have no other binding; drivers of "+
			"%s run as it",
		users.Account, going[0].Kind, going[0].Name, users.users())
	return f, true
}

func (r *releaseObjects) bindingsSeen(namespace string) bool {
	return r.s.Covers(snapshot.RoleBindings, namespace) && r.s.Covers(snapshot.ClusterRoleBindings, "")
}

// leaves starts a finding. Without the account no driver is made, and one that runs gets no executors any more.
func (t *accountTaken) leaves() check.Finding {
	f := check.Finding{
		About:    check.Named(snapshot.Ref{APIVersion: "v1", Kind: "ServiceAccount", Namespace: t.Namespace, Name: t.Name}),
		Severity: check.Error,
		Next: []check.Step{{When: check.Before,
			Do: fmt.Sprintf("keep the account: set spark.serviceAccount.name to %s in the values, and list %s in spark.jobNamespaces",
				t.Name, t.Namespace)}},
	}
	if len(t.by) == 0 {
		f.Severity = check.Warning // all are over, and nobody knows whether there will be more
	}
	all := slices.Concat(t.by, t.over)
	for _, use := range all {
		f.Objects = append(f.Objects, use.Object)
	}
	f.Evidence = slices.Clone(all[:min(len(all), facts.ShownApps)])
	return f
}

// users says for people who takes the account.
func (t *accountTaken) users() string {
	var refs []snapshot.Ref
	for _, use := range slices.Concat(t.by, t.over) {
		refs = append(refs, use.Object)
	}
	return facts.RunsText(refs)
}
