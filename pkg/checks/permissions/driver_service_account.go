package permissions

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/spark"
)

func driverServiceAccount() check.Check {
	return check.Check{
		ID: "SD5007", Slug: "driver-service-account", Since: "0.1.0", Consequence: check.StopsJobs,
		Title:   "a driver's service account does not exist or does not let it run executors",
		Absence: true,
		Needs: append([]snapshot.Need{
			{View: snapshot.SparkApplications, Role: snapshot.Subject},
			{View: snapshot.SparkConnects, Role: snapshot.Subject},
			{View: snapshot.ServiceAccounts, Role: snapshot.Consulted},
		}, facts.AccessNeeds(snapshot.InNamespace)...),
		Relations: check.Relations{Breaks: []check.Part{check.DriverAccount}},
		Requires:  []check.Requirement{facts.Access()},
		Run: func(p *check.Pass) check.Answer {
			list, unjudged := facts.Decoded(p.Snapshot)
			a := check.Answer{Unjudged: unjudged}
			access, exists := facts.Access().Of(p), map[snapshot.Account]bool{}
			accounts, bindings := map[string]bool{}, map[string]bool{} // namespaces that have any
			for _, o := range p.ServiceAccounts() {
				exists[snapshot.Account{Namespace: o.Namespace, Name: o.Name}] = true
				accounts[o.Namespace] = true
			}
			for _, b := range p.RoleBindings(snapshot.RoleBindings) {
				bindings[b.Namespace] = true
			}
			unknown, without := 0, 0
			users := usersOf(list, p.SparkConnects())
			for _, users := range byAccount(users) {
				// Every namespace gets its default account from a controller of Kubernetes itself.
				switch missing := !exists[users.Account] && users.Name != snapshot.DefaultAccount &&
					p.Covers(snapshot.ServiceAccounts, users.Namespace); {
				case p.Files && !accounts[users.Namespace] && !bindings[users.Namespace]:
					without++ // not even the default one, and no binding: the dump leaves them out
					continue
				case missing && p.Files && !accounts[users.Namespace]:
					without++
				case missing:
					a.Findings = append(a.Findings, missingAccount(users))
					continue
				}
				if access.NothingSeen() {
					continue
				}
				a.Judged++
				lacking, all := users.lacks(access)
				if len(lacking) > 0 {
					a.Findings = append(a.Findings, weakAccount(users, lacking, access))
				}
				if !all {
					a.Judged--
					unknown++
				}
			}
			if access.NothingSeen() && len(users) > 0 {
				a.NotApplicable = noBindings
			}
			if without > 0 {
				a.Unjudged = append(a.Unjudged, phrase.Counted(without, "service account")+" in namespaces without service accounts in the input")
			}
			if unknown > 0 {
				a.Unjudged = append(a.Unjudged, phrase.Counted(unknown, "service account")+" whose bindings and roles could not all be read")
			}
			return a
		},
	}
}

// finding starts one about an account, which names the applications.
func (u *accountUsers) finding() check.Finding {
	first := u.list[0]
	f := check.Finding{
		About: check.About{Object: snapshot.Ref{APIVersion: "v1", Kind: "ServiceAccount", Namespace: u.Namespace, Name: u.Name},
			Seen: first.Object},
		Severity: check.Error, Certainty: check.Likely,
	}
	if u.live == 0 {
		f.Severity = check.Warning // they ended, and would fail when they are run again
	}
	for i, one := range u.list {
		f.Related = append(f.Related, one.Ref)
		if i < facts.ShownApps {
			f.Saw(one.Ref, one.field, cmp.Or(one.AccountName, "not set"))
		}
	}
	return f
}

func missingAccount(u accountUsers) check.Finding {
	f := u.finding()
	f.Certainty, f.Kind = check.Proven, "missing"
	f.Absent = []check.Absent{{View: snapshot.ServiceAccounts, Ref: f.Object}}
	f.Then(command.Do("create the account").With("kubectl -n %s create serviceaccount %s", u.Namespace, u.Name))
	f.Then(u.grant("let it run executors", "pods,services,configmaps,persistentvolumeclaims",
		[]string{"create", "delete", "deletecollection", "get", "list", "patch", "update", "watch"})...)
	f.Message = fmt.Sprintf("service account %s does not exist, so the API server rejects the driver pod: %s", u.Account,
		u.text("name it", "names it"))
	return f
}

func weakAccount(u accountUsers, lacking []spark.DriverRequest, access *spark.Access) check.Finding {
	f := u.finding()
	f.Kind = "permissions"
	var texts, verbs, resources []string
	ends := false
	for _, w := range lacking {
		request := w.In(u.Namespace)
		if !slices.Contains(verbs, request.Verb) {
			verbs = append(verbs, request.Verb)
		}
		if !slices.Contains(resources, request.Resource) {
			resources = append(resources, request.Resource)
		}
		ends = ends || w.Ends
		texts = append(texts, w.Verb+" "+w.Resource)
		f.Saw(f.Object, "may not "+w.Verb, w.Resource)
		f.Reviews = append(f.Reviews, snapshot.Review{Account: u.Account, Request: request})
	}
	text := "grant the missing permissions"
	if u.Name == snapshot.DefaultAccount {
		field := "spec.driver.serviceAccount"
		if u.onlyServers() {
			field = spark.ServerAccountField
		}
		text = "name an account in " + field + " that may run executors, or let this one"
	}
	f.Then(u.grant(text, strings.Join(resources, ","), verbs)...)
	for _, b := range access.BoundTo(u.Account, u.Namespace) {
		if slices.ContainsFunc(b.Subjects, func(s snapshot.Grantee) bool { return s.Account == u.Account }) {
			f.Related = append(f.Related, b.Ref)
		}
	}
	// Executors that run now were allowed when they were made: the next ones fail, or another authorizer allows them.
	if !ends || slices.ContainsFunc(u.list, func(one accountUser) bool { return one.works }) {
		f.Severity = check.Warning
	}
	uses := u.text("run their drivers with it", "runs its driver with it")
	if u.list[0].AccountName == "" {
		uses = u.text("name no account of their own", "names no account of its own")
	}
	f.Message = fmt.Sprintf("service account %s may not %s in its namespace: %s", u.Account, strings.Join(texts, ", "), uses)
	return f
}

// grant makes one role of all that is missing. The chart makes an account for drivers in each job namespace, under a name of its own
// (charts/spark-operator-chart/templates/spark/serviceaccount.yaml@v2.5.2).
func (u *accountUsers) grant(text, resources string, verbs []string) []check.Command {
	return command.Grant(text, u.Name+"-runs-executors", u.Account,
		command.Rule{Namespace: u.Namespace, Resource: resources, Verbs: verbs})
}

// onlyServers reports whether no application uses the account.
func (u *accountUsers) onlyServers() bool {
	return !slices.ContainsFunc(u.list, func(one accountUser) bool { return one.Kind != "SparkConnect" })
}

// text returns "application etl names it", "3 applications such as etl name it".
func (u *accountUsers) text(many, one string) string {
	noun := "application"
	if u.onlyServers() {
		noun = "SparkConnect"
	}
	if len(u.list) == 1 {
		return fmt.Sprintf("%s %s %s", noun, u.list[0].Name, one)
	}
	return fmt.Sprintf("%d %ss such as %s %s", len(u.list), noun, u.list[0].Name, many)
}
