package ownership

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// blockers knows what can keep a finalizer from being removed.
type blockers struct {
	s               *snapshot.Snapshot
	installations   []operator.Installation
	deployments     []snapshot.Deployment
	deploymentsSeen bool
	dependents      map[string][]*snapshot.Object // by owner UID: those with blockOwnerDeletion; nil until somebody asks
	webhooks        []snapshot.WebhookConfiguration
	ready           map[snapshot.Key]int // ready endpoints by Service
	endpointsSeen   bool
	logs            []snapshot.OperatorLog
	lost            map[string]*snapshot.Node // whose kubelet says nothing, or that it is not ready, by name
}

// block is one reason, with what it rests on.
type block struct {
	text     string
	objects  []snapshot.Ref
	evidence []check.Evidence
}

func newBlockers(p *check.Pass) *blockers {
	s := p.Snapshot
	b := &blockers{
		deployments: s.Deployments(), deploymentsSeen: s.CoversAll(snapshot.Deployments),
		s: s, ready: map[snapshot.Key]int{},
		webhooks:      slices.Concat(s.MutatingWebhooks(), s.ValidatingWebhooks()),
		endpointsSeen: s.CoversAll(snapshot.WebhookEndpoints),
		logs:          s.OperatorLogs(),
	}
	b.installations = facts.Installations().Of(p)
	b.lost = map[string]*snapshot.Node{}
	for i, nodes := 0, s.Nodes(); i < len(nodes); i++ {
		if nodes[i].Ready == "False" || nodes[i].Ready == "Unknown" {
			b.lost[nodes[i].Name] = &nodes[i]
		}
	}
	for _, e := range s.WebhookEndpoints() {
		b.ready[snapshot.Key{GroupKind: snapshot.GroupKind{Kind: "Service"}, Namespace: e.Namespace, Name: e.Service}] += e.Ready
	}
	return b
}

// waitedFor are the dependents that hold up the deletion of an owner: few objects are deleted so that it matters.
func (b *blockers) waitedFor(uid string) []*snapshot.Object {
	if b.dependents == nil {
		b.dependents = map[string][]*snapshot.Object{}
		for o := range sparkObjects(b.s) {
			for _, ref := range o.Owners {
				if ref.BlockOwnerDeletion {
					b.dependents[ref.UID] = append(b.dependents[ref.UID], o)
				}
			}
		}
	}
	return b.dependents[uid]
}

// of returns what blocks the deletion of an object.
func (b *blockers) of(o *snapshot.Object) []block {
	var out []block
	if slices.Contains(o.Finalizers(), "foregroundDeletion") {
		out = append(out, b.waitsFor(o)...)
	}
	if o.Group() == snapshot.SparkGroup {
		out = append(out, b.refused(o)...)
		out = append(out, b.badName(o)...)
	}
	return out
}

// waitsFor names the dependents that a foreground deletion waits for: those with blockOwnerDeletion.
func (b *blockers) waitsFor(o *snapshot.Object) []block {
	list := b.waitedFor(o.UID)
	if len(list) == 0 {
		return nil
	}
	var names []string
	var nodes []snapshot.Ref
	out := block{}
	for _, d := range list {
		name := d.Ref.String()
		node := b.nodeOf(d)
		switch {
		case len(d.Finalizers()) > 0:
			name += " (itself held by " + strings.Join(d.Finalizers(), ", ") + ")"
		case node != nil:
			name += fmt.Sprintf(" on node %s, which has been NotReady for %s", node.Name, facts.Age(node.ReadySince, b.s.TakenAt))
			nodes = append(nodes, node.Ref)
			out.evidence = append(out.evidence, check.Evidence{Object: node.Ref, Field: "status.conditions[Ready]",
				Value: fmt.Sprintf("%s since %s", node.Ready, facts.Timestamp(node.ReadySince))})
		}
		names = append(names, name)
		out.objects = append(out.objects, d.Ref)
	}
	out.objects = append(out.objects, nodes...)
	slices.Sort(names)
	if rest := len(names) - facts.MaxNamed; rest > 0 {
		names = append(names[:facts.MaxNamed], fmt.Sprintf("%d more", rest))
	}
	out.text = "it waits for " + strings.Join(names, ", ")
	return []block{out}
}

// nodeOf is the node of a driver that is being deleted, where that node does not report that it ended; nil: it may. The pod stays until its
// node is back or deleted (kubernetes@v1.36.3 pkg/controller/podgc/gc_controller.go).
func (b *blockers) nodeOf(o *snapshot.Object) *snapshot.Node {
	pod := b.s.SparkPod(o.Key())
	if o.Kind != "Pod" || !o.Terminating() || pod == nil || pod.Trouble == nil {
		return nil
	}
	return b.lost[pod.Trouble.Node]
}

// refused names the webhooks that must admit the removal of a finalizer and cannot be reached. Removing one is an
// UPDATE of the main resource, which the 2.x webhooks intercept (charts/spark-operator-chart/templates/webhook@v2.5.2);
// proven on 2.5.1: with the webhook down and Fail it is refused.
func (b *blockers) refused(o *snapshot.Object) []block {
	if !b.endpointsSeen {
		return nil
	}
	var out []block
	for _, c := range b.webhooks {
		for i, w := range c.Webhooks {
			if w.FailurePolicy != "Fail" || w.Conditional || w.Service.Name == "" || b.ready[w.Service] > 0 ||
				!operator.OwnsWebhook(b.installations, w) || !w.Intercepts("UPDATE", o) || !takes(w, o.Namespace) {
				continue
			}
			out = append(out, block{
				text: fmt.Sprintf("webhook %s must admit its removal, but Service %s/%s has no ready endpoint", w.Name,
					w.Service.Namespace, w.Service.Name),
				objects: []snapshot.Ref{c.Ref},
				evidence: append([]check.Evidence{{Object: c.Ref, Field: fmt.Sprintf("webhooks[%d].failurePolicy", i), Value: w.FailurePolicy}},
					facts.QuoteCalls(b.logs, o.Deleted(), w.Name)...),
			})
		}
	}
	return out[:min(len(out), 1)]
}

// takes reports whether a webhook's namespaceSelector takes a namespace, as far as the name alone tells: charts
// select by kubernetes.io/metadata.name. A selector over other labels proves nothing here.
func takes(w snapshot.Webhook, namespace string) bool {
	yes, known := w.Selects(namespace, nil)
	return yes && known
}

// dns1035 is what the webhook of 2.4.0 and later demands of metadata.name on every update
// (internal/webhook/sparkapplication_validator.go@v2.4.0, #2711).
var dns1035 = regexp.MustCompile(`^[a-z]([-a-z0-9]{0,61}[a-z0-9])?$`)

func (b *blockers) badName(o *snapshot.Object) []block {
	in := operator.For(b.installations, o.Namespace)
	if in == nil || !in.Recognised || !in.Facts().RefusesNames || in.Webhook == nil || o.Kind != "SparkApplication" ||
		dns1035.MatchString(o.Name) {
		return nil
	}
	return []block{{text: fmt.Sprintf("operator %s rejects every update of an application whose name is not a DNS-1035 label", in.Stated)}}
}

// release are the intents to remove the finalizers of an application or a driver. What the control plane removes by
// itself is blocked by something else.
func (b *blockers) release(o *snapshot.Object) []fix.Intent {
	driver := o.Kind == "Pod" && o.Labels.Get(snapshot.RoleLabel) == facts.DriverRole
	if o.Group() != snapshot.SparkGroup && !driver {
		return nil
	}
	var app snapshot.Ref
	if name := o.Labels.Get(snapshot.AppNameLabel); driver && name != "" {
		app = snapshot.Ref{APIVersion: snapshot.SparkGroup + "/v1beta2", Kind: "SparkApplication", Namespace: o.Namespace, Name: name}
	}
	var out []fix.Intent
	for _, name := range o.Finalizers() {
		out = append(out, fix.RemoveFinalizer{Object: o.Ref, Name: name, App: app, Proof: b.noController(name)})
	}
	return out
}

// noController returns why no controller will ever remove a finalizer, or nothing if one may. A controller need not run
// in a Deployment of this cluster, so not finding one proves nothing; but what no release ever removes is known.
func (b *blockers) noController(name string) string {
	known, ok := operator.FinalizerNamed(name)
	builds := slices.ContainsFunc(b.installations, func(in operator.Installation) bool { return !in.Recognised })
	if !ok || !known.Orphan || !b.deploymentsSeen || builds {
		return ""
	}
	return "finalizer " + name + " was set by " + known.SetBy +
		", no released controller removes it, and every operator in the cluster is a release"
}
