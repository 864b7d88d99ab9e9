package collect

import (
	"context"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot/whole"
)

// maxPointed bounds the objects of a kind that are read since others name them: an application is in one queue as a rule.
const maxPointed = 3

// pointed reads what the objects of the application name and no listing of its namespace holds: the Workflow that made it, its queues, and
// the certificate of a webhook whose clients did not trust it. Each is read by its name, where its kind is served.
func (r *reader) pointed(ctx context.Context) {
	r.byName(ctx, snapshot.WholeWorkflows, r.namespace, r.workflowNames())
	local := r.byName(ctx, snapshot.WholeLocalQueues, r.namespace, r.localQueues())
	var queues []string
	for _, queue := range local {
		queues = append(queues, whole.ClusterQueue(queue))
	}
	r.byName(ctx, snapshot.WholeClusterQueues, "", queues)
	r.byName(ctx, snapshot.WholeVolcanoQueues, "", r.volcanoQueues())
	for _, key := range r.distrusted() {
		for _, certificate := range r.byName(ctx, snapshot.WholeCertificates, key.Namespace, []string{key.Name}) {
			r.byName(ctx, snapshot.WholeCertRequests, key.Namespace, []string{whole.Request(certificate)})
		}
	}
}

// byName gets objects by their names; of the others of their kind nothing is known.
func (r *reader) byName(ctx context.Context, v snapshot.View, namespace string, names []string) (found []*snapshot.Whole) {
	slices.Sort(names)
	names = slices.DeleteFunc(slices.Compact(names), func(name string) bool { return !validSegment(name) })
	for _, name := range names[:min(len(names), maxPointed)] {
		if w := r.getIn(ctx, v, namespace, name); w != nil {
			found = append(found, w)
		} else if r.refused(v) {
			break // the others would be, too
		}
		r.saw(v, false)
	}
	return found
}

// workflowNames are the Workflows of Argo that own the application.
func (r *reader) workflowNames() (names []string) {
	for _, app := range r.of(snapshot.WholeApplications) {
		for _, owner := range whole.Owners(app) {
			if owner.Kind == "Workflow" && owner.Group() == "argoproj.io" {
				names = append(names, owner.Name)
			}
		}
	}
	return names
}

// localQueues are those of Kueue that the application, its pods or what stands for them in a queue name
// (pkg/controller/constants/constants.go of kubernetes-sigs/kueue@v0.14.4).
func (r *reader) localQueues() (names []string) {
	const label = "kueue.x-k8s.io/queue-name"
	for _, w := range slices.Concat(r.of(snapshot.WholeApplications), r.of(snapshot.WholeConnects), r.pods) {
		names = append(names, whole.Label(w, label))
	}
	for _, w := range r.of(snapshot.WholeWorkloads) {
		if r.owns(w) {
			names = append(names, whole.Queue(w))
		}
	}
	return names
}

// volcanoQueues are those of the PodGroups of the application, which the operator names spark-APPLICATION-pg
// (internal/scheduler/volcano/scheduler.go@v2.5.2). One that names none is in the queue default (pkg/scheduler/api/types.go of
// volcano-sh/volcano@v1.12.0).
func (r *reader) volcanoQueues() (names []string) {
	for _, w := range r.of(snapshot.WholeVolcanoPodGroups) {
		named := slices.ContainsFunc(r.apps, func(app string) bool { return w.Name == "spark-"+app+"-pg" })
		switch queue := whole.Queue(w); {
		case !named && !r.owns(w):
		case queue == "":
			names = append(names, "default")
		default:
			names = append(names, queue)
		}
	}
	return names
}

// owns reports whether the application or one of its pods owns an object.
func (r *reader) owns(w *snapshot.Whole) bool {
	names := slices.Concat(r.apps, r.connects)
	for _, p := range r.pods {
		names = append(names, p.Name)
	}
	return slices.ContainsFunc(whole.Owners(w), func(owner snapshot.Ref) bool { return slices.Contains(names, owner.Name) })
}

// distrusted are the Certificates of cert-manager that the API server trusts the operator's webhook by, where a log of the operator tells
// that a client did not.
func (r *reader) distrusted() (keys []snapshot.Key) {
	refused := slices.ContainsFunc(r.g.b.OperatorLogs(), func(l snapshot.OperatorLog) bool {
		return slices.ContainsFunc(l.Entries, func(e snapshot.LogEntry) bool { return e.Sign == snapshot.CertificateRefused })
	})
	if !refused {
		return nil
	}
	for _, c := range r.g.b.Webhooks() {
		of, from := strings.CutPrefix(c.InjectedFrom, "Certificate ")
		namespace, name, named := strings.Cut(of, "/")
		operators := slices.ContainsFunc(c.Webhooks, func(w snapshot.Webhook) bool { return strings.HasSuffix(w.Name, ".sparkoperator.k8s.io") })
		if key := (snapshot.Key{Namespace: namespace, Name: name}); from && named && operators && validSegment(namespace) &&
			!slices.Contains(keys, key) {
			keys = append(keys, key)
		}
	}
	return keys[:min(len(keys), maxPointed)]
}
