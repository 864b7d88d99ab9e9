package upgrade

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/spark"
)

// targetAccess answers what accounts may do after an upgrade: what the rendered manifests grant or, without them, the
// chart of the target; and what somebody grants beside the chart now.
type targetAccess struct {
	u      *check.Upgrade
	target *spark.Access // of the manifests alone; nil: not given
	after  *spark.Access // of the manifests, and of what is granted beside the chart
	unsure bool          // about something that was asked: what is granted beside the chart was not seen
}

// accessAfter puts the manifests and what stays in the cluster together: a binding of the one may name a role of the other.
func accessAfter(p *check.Pass) *targetAccess {
	u := p.Upgrade
	a := &targetAccess{u: u, after: facts.Access().Of(p).Without(OfChart)}
	if u.Target != nil {
		a.target = spark.AccessOf(u.Target)
		a.after = a.target.With(a.after)
	}
	return a
}

// OfChart reports whether an object is the chart's, which an upgrade replaces (charts/spark-operator-chart/templates/
// _helpers.tpl@spark-operator-chart-1.4.6 and @v2.5.2).
func OfChart(o *snapshot.Object) bool {
	return strings.HasPrefix(o.Labels.Get("helm.sh/chart"), "spark-operator-") || o.Labels.Get("app.kubernetes.io/name") == "spark-operator"
}

// Allows says what the manifests or the chart do; known is always true.
func (a *targetAccess) Allows(who snapshot.Account, q snapshot.Request) (allowed, known bool) {
	if a.target == nil {
		resource := q.Resource
		if q.Subresource != "" {
			resource += "/" + q.Subresource
		}
		if operator.Allows(a.u.To, operator.ToController, q.Verb, q.Group, resource) {
			return true, true
		}
	}
	allowed, known = a.after.Allows(who, q)
	a.unsure = a.unsure || !known
	return allowed, true
}

// accessAfterNeeds are the views behind it.
func accessAfterNeeds() []snapshot.Need {
	return append(facts.Consulted(facts.AccessNeeds(snapshot.Everywhere)), RunsNeeds(snapshot.Everywhere)...)
}

// deniedFeature completes a check about a feature for which the target's Role lacks permissions, and says what to do.
func deniedFeature(c check.Check, feature operator.Feature, do string) check.Check {
	c.Unscoped, c.Needs = true, accessAfterNeeds()
	c.Requires = []check.Requirement{facts.Access()}
	c.Run = func(p *check.Pass) check.Answer {
		return featureDenied(p, feature, do)
	}
	return c
}

// featureDenied finds what the controller to come may not do of what a feature needs that applications and schedules use, and that the
// Installed release may. What it only does worse without is left out.
func featureDenied(pass *check.Pass, feature operator.Feature, do string) check.Answer {
	list, unjudged := Runs(pass.Snapshot)
	a := check.Answer{Unjudged: unjudged}
	u := pass.Upgrade
	in := u.Incoming()
	switch {
	case in == nil:
		a.Unjudged = append(a.Unjudged, NoOperatorSeen)
		return a
	case operator.Denies(u.From, feature):
		a.Judged++
		return a
	}
	if reason := homeless(in.Controller); reason != "" {
		a.Unjudged = append(a.Unjudged, reason)
		return a
	}
	a.Judged++
	access := accessAfter(pass)
	for _, p := range in.Processes() {
		if p.Deployment != in.Controller {
			continue
		}
		p.Needs = slices.DeleteFunc(p.Needs, func(need operator.Permission) bool { return need.When != feature || need.Degrades })
		if lacking, _ := facts.Lacks(in, p, facts.JobsOf(in, list), access); len(lacking) > 0 {
			a.Findings = append(a.Findings, deniedAfter(in, u, lacking, feature, list, do))
		}
	}
	for i := range a.Findings {
		if access.target == nil || access.unsure {
			a.Findings[i].Certainty = check.Likely
		}
	}
	return a
}

// homeless says why nobody knows which account a Deployment of the manifests runs as: accounts belong to namespaces.
func homeless(d *snapshot.Deployment) string {
	if d.Namespace != "" {
		return ""
	}
	return fmt.Sprintf("%s of the manifests names no namespace, and neither an installed operator nor a binding shows which one the "+
		"release is in", d.Ref)
}

func deniedAfter(in *operator.Installation, u *check.Upgrade, lacking []facts.Lack, feature operator.Feature,
	list []*snapshot.SparkApplication, do string) check.Finding {
	f := check.Finding{
		About: check.Named(ReleaseRef(u)), Severity: check.Error, Field: "spec.template.spec.serviceAccountName",
		Hop: u.FirstHop(func(v operator.Version) bool { return operator.Denies(v, feature) }),
	}
	var texts, namespaces []string
	for _, l := range lacking {
		text := strings.Join(l.Verbs, "/") + " " + facts.ResourceText(l.Permission)
		texts, namespaces = append(texts, text), l.Namespaces
		f.Saw(f.Object, "will not be allowed to "+text, facts.PlacesText(l.Namespaces)+" ("+l.Source+")")
	}
	f.Next = grantSteps(in, lacking, do)
	var using []*snapshot.SparkApplication
	for _, app := range list {
		if facts.LooksAfter(in, app) && facts.Uses(in, app, feature) {
			using = append(using, app)
			f.Related = append(f.Related, app.Ref)
		}
	}
	f.Message = fmt.Sprintf("operator %s may not %s %s: %s; this affects %s, such as %s/%s", u.To, strings.Join(texts, ", "),
		facts.PlacesText(namespaces),
		lacking[0].Breaks, facts.RunsText(f.Related), using[0].Namespace, using[0].Name)
	return f
}

// grantSteps are one step with the commands that make the missing roles, each followed by its binding. Verbs on one resource in one
// namespace are one role: kubectl create refuses a second one of that name.
func grantSteps(in *operator.Installation, lacking []facts.Lack, do string) []check.Step {
	type place struct{ group, resource, namespace string }
	var places []place
	verbs := map[place][]string{}
	for _, l := range lacking {
		for _, namespace := range l.Namespaces {
			p := place{l.Group, l.Resource, namespace}
			if verbs[p] == nil {
				places = append(places, p)
			}
			verbs[p] = append(verbs[p], l.Verbs...)
		}
	}
	var out []check.Step
	for _, p := range places {
		slices.Sort(verbs[p])
		for _, command := range grantCommands(in, p.group, p.resource, p.namespace, slices.Compact(verbs[p])) {
			out = append(out, check.Step{When: check.Before, Do: do, Command: command})
		}
	}
	return out
}

// grantCommands make a role for the controller's account and bind it; without a namespace, in all of them.
func grantCommands(in *operator.Installation, group, resource, namespace string, verbs []string) []string {
	name := in.Name + "-" + resource
	account := in.Controller.Account
	allowed := strings.Join(verbs, ",")
	if group != "" {
		resource += "." + group
	}
	made := command.Line("kubectl create role %s -n %s --verb=%s --resource=%s", name, namespace, allowed, resource)
	bound := command.Line("kubectl create rolebinding %s -n %s --role=%s --serviceaccount=%s:%s", name, namespace, name, account.Namespace,
		account.Name)
	if namespace == "" {
		made = command.Line("kubectl create clusterrole %s --verb=%s --resource=%s", name, allowed, resource)
		bound = command.Line("kubectl create clusterrolebinding %s --clusterrole=%s --serviceaccount=%s:%s", name, name, account.Namespace,
			account.Name)
	}
	return []string{command.Applied(made), command.Applied(bound)}
}
