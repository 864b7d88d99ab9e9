package app

import (
	"cmp"
	"math"
	"slices"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/spark"
)

// From is the evidence about a subject that a snapshot holds in full.
func From(s *snapshot.Snapshot, subject snapshot.Ref) *Evidence {
	var objects []unstructured.Unstructured
	for _, src := range snapshot.WholeSources() {
		list := s.InFull(src.View)
		for i := range list {
			if object, is := plain(list[i].Fields).(map[string]any); is {
				objects = append(objects, unstructured.Unstructured{Object: object})
			}
		}
	}
	e := FromObjects(objects, logsOf(s), subject, s.TakenAt)
	e.OperatorSaid = append(e.OperatorSaid, operatorSaid(s, e.Subject, "SparkConnect", snapshot.ConnectNotMade)...)
	e.RunsDenied = operatorSaid(s, e.Subject, "ScheduledSparkApplication", snapshot.RunNotStarted)
	e.Elsewhere = elsewhere(s, e)
	e.WebhookSkips = webhookSkips(s, e.Subject.Namespace)
	e.Trusts = TrustedBy(s)
	if access := spark.AccessOf(s); !access.NothingSeen() {
		e.Access = access
	}
	if len(e.HandshakesRefused) == 0 {
		e.HandshakesRefused = handshakesRefused(s)
	}
	for _, app := range s.SparkApplications() {
		u := app.Undecodable
		if a := e.Application; a != nil && app.Kind == a.Kind && app.Namespace == a.Namespace && app.Name == a.Name {
			e.Undecodable = u
			continue
		}
		switch {
		case len(e.Broken) == maxBroken:
		case app.Malformed != "":
			e.Broken = append(e.Broken, Broken{app.Ref, app.Malformed})
		case u != nil:
			e.Broken = append(e.Broken, Broken{app.Ref, u.Path + " " + u.Text})
		}
	}
	e.Unseen = unseen(s)
	e.Partial = func(resource string) bool { return partial(s, resource) }
	e.Counted = counted(s)
	return e
}

// maxBroken bounds the applications that are named as such.
const maxBroken = 3

// plain copies JSON values, with whole numbers as int64: an archive does not tell them from others. A time out of range
// is left out: it is not known.
func plain(value any) any {
	switch v := value.(type) {
	case map[string]any:
		out := make(map[string]any, len(v))
		for name, one := range v {
			if text, is := one.(string); !is || !snapshot.OutOfRange(text) {
				out[name] = plain(one)
			}
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, one := range v {
			out[i] = plain(one)
		}
		return out
	case float64:
		if v == math.Trunc(v) && math.Abs(v) < 1<<53 {
			return int64(v)
		}
	}
	return value
}

func logsOf(s *snapshot.Snapshot) []Log {
	var out []Log
	for _, l := range s.ApplicationLogs() {
		out = append(out, Log{
			Namespace: l.Namespace, Pod: l.Name, Container: l.Container, Previous: l.Previous,
			Head: string(l.Head), Tail: string(l.Tail), Dropped: int64(l.Dropped),
		})
	}
	return out
}

// operatorSaid is what the logs of the operator tell by a sign of an object of a kind.
func operatorSaid(s *snapshot.Snapshot, subject snapshot.Ref, kind string, sign snapshot.Sign) []Said {
	var out []Said
	for _, l := range s.OperatorLogs() {
		for _, entry := range l.Entries {
			if entry.Sign == sign && subject.Kind == kind && entry.About == subject.Namespace+"/"+subject.Name {
				out = append(out, Said{Pod: l.Ref, Container: l.Container, Text: entry.Text, At: entry.Last})
			}
		}
	}
	slices.SortFunc(out, func(a, b Said) int { return cmp.Or(a.At.Compare(b.At), a.Pod.Compare(b.Pod)) })
	return out
}

// elsewhere are the operators of a snapshot, where none was told to take the application's namespace.
func elsewhere(s *snapshot.Snapshot, e *Evidence) []*operator.Installation {
	namespace := e.Subject.Namespace
	var labels *snapshot.Object
	for _, ns := range s.AllNamespaces() {
		if ns.Name == namespace {
			labels = &ns
		}
	}
	found := operator.Find(s.Deployments())
	if len(found) == 0 {
		found = operator.Find(templates(e.Operator)) // a report often has the pod and not its Deployment
	}
	var out []*operator.Installation
	for _, in := range found {
		if in.Controller == nil {
			continue
		}
		if yes, known := in.Told(namespace, labels); yes || !known {
			return nil
		}
		out = append(out, &in)
	}
	return out
}

// templates are pods as Deployments have them: their flags say what an operator does.
func templates(pods []corev1.Pod) []snapshot.Deployment {
	var out []snapshot.Deployment
	for i := range pods {
		p := &pods[i]
		d := snapshot.Deployment{Object: snapshot.Object{Labels: snapshot.LabelsOf(p.Labels),
			Ref: snapshot.Ref{APIVersion: "v1", Kind: "Pod", Namespace: p.Namespace, Name: p.Name}}}
		for j := range p.Spec.Containers {
			c := &p.Spec.Containers[j]
			d.Containers = append(d.Containers, snapshot.Container{Name: c.Name, Image: c.Image, Args: slices.Concat(c.Command, c.Args)})
		}
		out = append(out, d)
	}
	return out
}

// unseen is what could not be read of the views, and those that nobody read.
func unseen(s *snapshot.Snapshot) []snapshot.Unseen {
	out := append([]snapshot.Unseen{}, s.Coverage(snapshot.ApplicationLogs).Unseen...)
	for _, src := range snapshot.WholeSources() {
		out = append(out, s.Coverage(src.View).Unseen...)
	}
	if s.Coverage(snapshot.WholePods).State == snapshot.NotAsked {
		out = append(out, snapshot.Unseen{Verb: "read", Resource: string(snapshot.WholePods), Reason: snapshot.NotSaved,
			Obstacle: snapshot.Unsaved})
	}
	return out
}

// partial reports whether there may be objects of a resource, or "logs", that are not here.
func partial(s *snapshot.Snapshot, resource string) bool {
	views := []snapshot.View{}
	if resource == "logs" {
		views = append(views, snapshot.ApplicationLogs)
	}
	for _, src := range snapshot.WholeSources() {
		if src.Resource == resource && src.View != snapshot.WholeNeighbors && !unasked(s, src) {
			views = append(views, src.View)
		}
	}
	for _, v := range views {
		state := s.Coverage(v).State
		inFull := state == snapshot.Complete || state == snapshot.NotServed
		if s.Excerpt() || !inFull {
			return true
		}
	}
	return len(views) == 0
}

// unasked reports whether a view is of the Apache Spark Kubernetes Operator, and nothing keeps it from being read: it is asked last, and
// only for what nothing else has the name of.
func unasked(s *snapshot.Snapshot, src snapshot.Source) bool {
	return src.Group == snapshot.ApacheGroup && len(s.Coverage(src.View).Unseen) == 0
}

// counted are the nodes of which all pods were read; of this view, coverage is by node. Files that are everything hold those of all.
func counted(s *snapshot.Snapshot) map[string]bool {
	out := map[string]bool{}
	for _, node := range s.InFull(snapshot.WholeNodes) {
		c := s.Coverage(snapshot.WholeNeighbors)
		out[node.Name] = !s.Excerpt() && c.Covers(node.Name)
	}
	return out
}
