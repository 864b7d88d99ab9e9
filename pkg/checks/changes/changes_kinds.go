package changes

import (
	"slices"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks/upgrade"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/spark"
)

// coveredFlags are those that a check of this area judges, or that only name objects of the release.
func coveredFlags() map[string]string {
	return map[string]string{
		"namespaces": "SD7005", "namespace": "SD7005", "namespace-selector": "SD7005", "label-selector-filter": "SD7022",
		"enable-batch-scheduler": "SD7023", "kube-scheduler-names": "SD7023", "default-batch-scheduler": "SD7023",
		"ingress-url-format": "SD7023", "enable-ui-service": "SD7016",
		"webhook-port": "SD7014", "enable-webhook": "SD7019", "webhook-cert-dir": "SD7024",
		"mutating-webhook-name": "SD7019", "validating-webhook-name": "SD7019", "webhook-config-name": "SD7009",
		"webhook-svc-name": "SD7010", "webhook-svc-namespace": "SD7010", "webhook-secret-name": "SD7010", "webhook-secret-namespace": "SD7010",
		"leader-election": "SD7020", "leader-election-lock-name": "SD7020", "leader-election-lock-namespace": "SD7020",
		"metrics-port": "the runbook", "metrics-bind-address": "the runbook",
		"logtostderr": "the log", "v": "the log", "zap-log-level": "the log", "zap-encoder": "the log",
	}
}

// flagChanges leaves out new flags: they are the chart's, with its defaults. From 1.x to 2.x nearly all are called otherwise, and the
// runbook says to rewrite the values; those of the same name are compared.
func flagChanges(u *check.Upgrade, p upgradedPart) []change {
	covered := coveredFlags()
	now, then := operator.FlagsOf(p.now), operator.FlagsOf(p.then)
	_, restarts := u.Restarts()
	list := compared(trimmed(now), trimmed(then), func(name string) bool { return covered[name] != "" })
	out := slices.DeleteFunc(list, func(c change) bool {
		if !restarts || c.rank != goes {
			return c.rank == comes
		}
		off := c.now == "" || c.now == "false"
		return off || strings.HasPrefix(c.what, "webhook-")
	})
	for i := range out {
		out[i].what = "--" + out[i].what
	}
	return out
}

// trimmed are flags without quotes.
func trimmed(flags map[string]string) map[string]string {
	out := map[string]string{}
	for name, value := range flags {
		out[name] = strings.Trim(value, `"'`)
	}
	return out
}

// traitChanges leaves out the volumes of SD7024, and what the charts of 2.x set by themselves.
func traitChanges(p upgradedPart) []change {
	asMap := func(d *snapshot.Deployment) map[string]string {
		out := map[string]string{}
		for _, t := range d.Traits {
			out[t.Path] = t.Value
		}
		return out
	}
	list := compared(asMap(p.now), asMap(p.then), func(name string) bool {
		return slices.Contains([]string{
			"volume tmp", "mount /tmp", "volume serving-certs", "mount " + operator.CertificateDirectory, "volume webhook-certs",
			"mount /etc/webhook-certs", "env POD_NAME", "env POD_NAMESPACE",
		}, name)
	})
	return slices.DeleteFunc(list, func(c change) bool { return c.rank == comes && strings.HasSuffix(c.what, "securityContext") })
}

// verbChanges compares what an account may do, whoever it is: accounts have other names in 2.x. What the chart of one release grants and
// that of the other does not is known, and SD7020 judges what is needed.
func verbChanges(p *check.Pass, u *check.Upgrade, part upgradedPart) []change {
	whole := p.Covers(snapshot.ClusterRoleBindings, "") && p.Covers(snapshot.RoleBindings, part.now.Namespace)
	every := func(*snapshot.Object) bool { return true }
	now, then := facts.Access().Of(p).Granted(part.now.Account, upgrade.OfChart), spark.AccessOf(u.Target).Granted(part.then.Account, every)
	if !whole || len(now) == 0 || len(then) == 0 {
		return nil
	}
	lists := map[changeRank]map[string][]string{goes: {}, comes: {}}
	add := func(rank changeRank, list, other map[snapshot.Request]places, from, to operator.Version) {
		for q, in := range list {
			every := q
			every.Verb = "*"
			where := in.text()
			partOfAll := q.Verb != "*" && list[every] != nil
			spelledOut := q.Verb == "*" && rank == goes && names(other, q) // a list of verbs in the place of all is as it should be
			if partOfAll || spelledOut {
				continue
			}
			if other[q] != nil || other[every] != nil {
				if rank == comes {
					continue
				}
				lost := in.without(other[q], other[every], func(ns string) bool { return part.looksAfter(u, ns) })
				if where = lost.text(); len(lost) == 0 {
					continue
				}
			}
			resource := q.Resource
			if q.Subresource != "" {
				resource += "/" + q.Subresource
			}
			known := operator.Grants(from, part.to, q.Verb, q.Group, resource) && !operator.Grants(to, part.to, q.Verb, q.Group, resource)
			if !known {
				text := groupText(q.Group, resource) + where
				lists[rank][text] = append(lists[rank][text], q.Verb)
			}
		}
	}
	add(goes, placesOf(now), placesOf(then), u.From, u.To)
	add(comes, placesOf(then), placesOf(now), u.To, u.From)
	var out []change
	for _, rank := range []changeRank{goes, comes} {
		for resource, verbs := range lists[rank] {
			slices.Sort(verbs)
			out = append(out, change{rank: rank, what: strings.Join(verbs, "/") + " of " + resource, now: "allowed", then: "allowed"})
		}
	}
	slices.SortFunc(out, func(a, b change) int { return strings.Compare(a.what, b.what) })
	return out
}

// names reports whether any verb is allowed on the resource of a request.
func names(granted map[snapshot.Request]places, q snapshot.Request) bool {
	for g := range granted {
		if g.Group == q.Group && g.Resource == q.Resource && g.Subresource == q.Subresource {
			return true
		}
	}
	return false
}

func groupText(group, resource string) string {
	if group == "" {
		return resource
	}
	return resource + "." + group
}

// webhookChanges compares rules, selectors of objects and policies by the names of webhooks, which are the same in every release of 2.x.
// Namespaces are SD7019's, and so is the policy for pods; those of 1.x are SD7009's. New webhooks are the release's.
func webhookChanges(s *snapshot.Snapshot, ours []operator.Installation, u *check.Upgrade) []change {
	if _, restarts := u.Restarts(); restarts {
		return nil
	}
	describe := func(s *snapshot.Snapshot, which func(snapshot.Webhook) bool) map[string]string {
		out := map[string]string{}
		for _, c := range facts.WebhookConfigurations(s) {
			for _, w := range c.Webhooks {
				if !which(w) {
					continue
				}
				name := "webhook " + w.Name
				out[name+" rules"] = rulesText(w)
				// The API server writes {} where a manifest has none (pkg/apis/admissionregistration/v1/defaults.go of kubernetes).
				if o := w.ObjectSelector; o != nil && len(o.MatchLabels)+len(o.MatchExpressions) > 0 {
					out[name+" objectSelector"] = metav1.FormatLabelSelector(o)
				}
				if !strings.Contains(w.Name, "pod.") {
					out[name+" failurePolicy"] = w.FailurePolicy
				}
			}
		}
		return out
	}
	now := describe(s, func(w snapshot.Webhook) bool { return operator.OwnsWebhook(ours, w) })
	then := describe(u.Target, func(w snapshot.Webhook) bool { return operator.OwnsWebhook(nil, w) })
	if len(now) == 0 || len(then) == 0 {
		return nil
	}
	list := compared(now, then, func(string) bool { return false })
	return slices.DeleteFunc(list, func(c change) bool { return c.rank == comes && strings.HasSuffix(c.what, " rules") || isNew(now, c) })
}

// isNew reports whether a change belongs to a webhook that is not there now.
func isNew(now map[string]string, c change) bool {
	name := c.what[:strings.LastIndex(c.what, " ")]
	_, known := now[name+" rules"]
	return !known
}

func rulesText(w snapshot.Webhook) string {
	var parts []string
	for _, r := range w.Rules {
		ops, resources := slices.Sorted(slices.Values(r.Operations)), slices.Sorted(slices.Values(r.Resources))
		parts = append(parts, strings.Join(ops, "/")+" of "+strings.Join(resources, ", "))
	}
	slices.Sort(parts)
	return strings.Join(parts, "; ")
}
