package changes

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks/upgrade"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/spark"
)

func podsRefused() check.Check {
	return check.Check{
		ID: "SD7028", Slug: "pods-refused", Since: "0.1.0", Consequence: check.StopsAll,
		Title:    "OpenShift rejects the pods of the target for their user or group",
		Unscoped: true,
		Needs: []snapshot.Need{
			{View: snapshot.Deployments, Role: snapshot.Subject, Scope: snapshot.Everywhere},
			{View: snapshot.Namespaces, Role: snapshot.Consulted, Scope: snapshot.Everywhere},
		},
		Requires: []check.Requirement{check.As(snapshot.Consulted, facts.Access()), facts.Controllers()},
		Run: func(p *check.Pass) check.Answer {
			u, in := p.Upgrade, upgrade.Installed(p)
			var a check.Answer
			to := u.Coming()
			if to == nil && in == nil {
				a.Unjudged = []string{upgrade.NoOperatorSeen}
				return a
			}
			if to == nil && !in.Controller.Detailed {
				a.Unjudged = []string{"which users and groups the pods of the target have, since the archive of an older build does not tell"}
				return a
			}
			a.Judged++
			if to == nil {
				to = assumed(u, in)
			}
			assigned, is := assignedTo(facts.Controllers().Of(p).Namespaces[to.Controller.Namespace])
			if !is {
				return a
			}
			if f, rejected := refusedPods(p, u, in, to, assigned); rejected {
				a.Findings = append(a.Findings, f)
				if u.Coming() == nil {
					a.Judged--
					a.DependsOn("whether OpenShift admits the pods of the target", "controller.podSecurityContext", "webhook.podSecurityContext")
				}
			}
			return a
		},
	}
}

// assumed is the target without values: what the chart makes by default, with the users and groups that the installed pods have, which
// the values of 2.x may set.
func assumed(u *check.Upgrade, in *operator.Installation) *operator.Installation {
	r := upgrade.ReleaseOf(u)
	to := operator.Choose(u.To, nil, r.Name, cmp.Or(upgrade.ReleaseNamespace(u), in.Controller.Namespace)).Installation
	if _, restarts := u.Restarts(); restarts {
		return &to
	}
	for _, pair := range [][2]*snapshot.Deployment{{to.Controller, in.Controller}, {to.Webhook, in.Webhook}} {
		if pair[0] == nil || pair[1] == nil {
			continue
		}
		pair[0].Account, pair[0].Name = pair[1].Account, pair[1].Name
		if ids, known := operator.FixedIDsOf(pair[1]); !known || ids.Group != nil || ids.User != nil {
			pair[0].Traits = pair[1].Traits
		}
	}
	return &to
}

// assigned are the ids that OpenShift's constraint restricted-v2 admits in a namespace, which is all that service accounts may use by
// default: users in a range, and as fsGroup the first group of the first range alone (CreateProviderFromConstraint, getPreallocatedFSGroup
// and ParseBlock in pkg/securitycontextconstraints/sccmatching/matcher.go of openshift/apiserver-library-go@a8019f39 and
// pkg/security/uid/uid.go of openshift/library-go; bindata/bootkube/scc-manifests/0000_20_kube-apiserver-operator_00_scc-restricted-v2.yaml
// of openshift/cluster-kube-apiserver-operator@05211dd6).
type assigned struct{ firstUser, lastUser, group int64 }

// assignedTo reads the annotations of a namespace. OpenShift puts them on all, and admits every pod in those of a run level and in its own
// default ones (docs.openshift.com, "Default projects").
func assignedTo(namespace *snapshot.Object) (out assigned, is bool) {
	if namespace == nil || slices.Contains([]string{"default", "kube-system", "kube-public", "openshift", "openshift-infra", "openshift-node"},
		namespace.Name) || namespace.Labels.Get("openshift.io/run-level") != "" {
		return assigned{}, false
	}
	users, groups := namespace.IDs()
	first, last, good := block(users)
	if !good {
		return assigned{}, false
	}
	out = assigned{first, last, first}
	if groups != "" {
		list, _, _ := strings.Cut(groups, ",")
		out.group, _, good = block(list)
	}
	return out, good
}

// block reads "first/size" or "first-last".
func block(text string) (first, last int64, good bool) {
	begin, end, sized := strings.Cut(text, "/")
	if !sized {
		begin, end, _ = strings.Cut(text, "-")
	}
	first, wrong := strconv.ParseInt(strings.TrimSpace(begin), 10, 64)
	last, bad := strconv.ParseInt(strings.TrimSpace(end), 10, 64)
	if sized {
		last += first - 1
	}
	return first, last, wrong == nil && bad == nil && first >= 0 && last >= first && last <= math.MaxUint32
}

// refusal is an id that restricted-v2 does not admit.
type refusal struct {
	d           *snapshot.Deployment
	field, path string // of the pod template, and in the values
	id, instead int64
}

// refusals are those of a Deployment.
func (a assigned) refusals(d *snapshot.Deployment, part string) (out []refusal) {
	ids, known := operator.FixedIDsOf(d)
	if !known {
		return nil
	}
	if g := ids.Group; g != nil && *g != a.group {
		out = append(out, refusal{d, "fsGroup", part + ".podSecurityContext.fsGroup", *g, a.group})
	}
	if user := ids.User; user != nil && (*user < a.firstUser || *user > a.lastUser) {
		path := part + ".securityContext.runAsUser"
		if ids.OfPod {
			path = part + ".podSecurityContext.runAsUser"
		}
		out = append(out, refusal{d, "runAsUser", path, *user, a.firstUser})
	}
	return out
}

// refusedPods is one finding about both Deployments.
func refusedPods(p *check.Pass, u *check.Upgrade, in, to *operator.Installation, ids assigned) (check.Finding, bool) {
	var list []refusal
	unsure := u.Coming() == nil
	for _, part := range []struct {
		name string
		d    *snapshot.Deployment
	}{{"controller", to.Controller}, {"webhook", to.Webhook}} {
		if part.d == nil {
			continue
		}
		found := slices.DeleteFunc(ids.refusals(part.d, part.name), func(r refusal) bool { return admittedNow(in, ids, r) })
		other, known := usesOther(p, u, part.d.Account)
		if !other {
			list, unsure = append(list, found...), unsure || !known
		}
	}
	if len(list) == 0 {
		return check.Finding{}, false
	}
	f := check.Finding{
		About: check.Named(upgrade.ReleaseRef(u)), Severity: check.Error, Certainty: check.Likely,
		Field: "spec.template.spec.securityContext",
	}
	if unsure {
		f.Severity = check.Warning
		f.Hop, _ = u.Brings(operator.Since(func(f *operator.Facts) bool { return f.Chart.FSGroup != 0 }))
	}
	var asks, names, values []string
	for _, r := range list {
		asks = append(asks, fmt.Sprintf("%s %d", r.field, r.id))
		names = append(names, r.d.Name)
		values = append(values, fmt.Sprintf("%s=%d", r.path, r.instead))
		f.Saw(r.d.Ref, r.field, fmt.Sprint(r.id))
	}
	slices.Sort(names)
	f.Message = fmt.Sprintf("OpenShift will reject the pods of %s: they ask for %s, and in namespace %s restricted-v2 admits fsGroup %d and "+
		"users %d to %d only; no role was seen that lets them use another SecurityContextConstraints",
		strings.Join(slices.Compact(names), " and "), strings.Join(slices.Compact(asks), ", "), to.Controller.Namespace, ids.group,
		ids.firstUser, ids.lastUser)
	namespace := snapshot.Ref{APIVersion: "v1", Kind: "Namespace", Name: to.Controller.Namespace}
	f.Saw(namespace, "fsGroup that restricted-v2 admits", fmt.Sprint(ids.group))
	f.Saw(namespace, "users that restricted-v2 admits", fmt.Sprintf("%d-%d", ids.firstUser, ids.lastUser))
	f.Next = []check.Step{{When: check.Before, Do: "set in the values " + strings.Join(values, ", ")}}
	return f, true
}

// admittedNow reports whether pods of the same account that run now ask for an id that restricted-v2 does not admit: another constraint
// does.
func admittedNow(in *operator.Installation, ids assigned, r refusal) bool {
	return in != nil && slices.ContainsFunc(in.Deployments(), func(d *snapshot.Deployment) bool {
		return d.Ready > 0 && d.Account == r.d.Account && slices.ContainsFunc(ids.refusals(d, ""), func(now refusal) bool {
			return now.field == r.field && now.id == r.id
		})
	})
}

// usesOther reports whether a role lets an account use another constraint, and whether all roles were seen. Users and groups that a
// constraint itself names are not read.
func usesOther(p *check.Pass, u *check.Upgrade, who snapshot.Account) (other, known bool) {
	known = p.Covers(snapshot.ClusterRoleBindings, "") && p.Covers(snapshot.RoleBindings, who.Namespace)
	restricted := func(name string) bool { return strings.HasPrefix(name, "restricted") }
	all := []*spark.Access{facts.Access().Of(p)}
	if u.Target != nil {
		all = append(all, spark.AccessOf(u.Target))
	}
	const roleOf = "system:openshift:scc:" // the name of the ClusterRole that lets use one (oc adm policy add-scc-to-user)
	for _, access := range all {
		names, unread := access.Usable(who, "security.openshift.io", "securitycontextconstraints")
		for _, b := range access.BoundTo(who, who.Namespace) {
			if name, is := strings.CutPrefix(b.RoleName, roleOf); is {
				names = append(names, name)
			}
		}
		if slices.ContainsFunc(names, func(name string) bool { return !restricted(name) }) {
			return true, true
		}
		known = known && !slices.ContainsFunc(unread, func(b *snapshot.RoleBinding) bool { return !strings.HasPrefix(b.RoleName, "system:") })
	}
	return false, known
}
