package scan

import (
	"cmp"
	"context"
	"slices"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
)

// lister reads the applications of both operators, and asks nothing.
func lister() check.Check {
	c := check.Check{ID: "SD0000", Run: func(*check.Pass) check.Answer { return check.Answer{} }}
	for _, v := range listedViews() {
		c.Needs = append(c.Needs, snapshot.Need{View: v, Role: snapshot.Optional})
	}
	return c
}

// listedViews hold what is listed.
func listedViews() []snapshot.View {
	return append([]snapshot.View{snapshot.SparkApplications, snapshot.SparkConnects}, snapshot.ApacheViews()...)
}

// readList reads what can be asked about. Of files, objects of the Apache Spark Kubernetes Operator are kept in full: no check has a record
// of them.
func (o WhyOptions) readList(ctx context.Context, r *run) (input, error) {
	f, is := o.Source.(Files)
	if !is {
		return r.read(ctx)
	}
	if r.Observer != nil {
		r.Observer.Reading()
		defer r.Observer.Read()
	}
	f.noLogs = true
	return f.readWith(ctx, r, func(w *snapshot.Whole) bool { return w.Group() == snapshot.ApacheGroup })
}

// found are the applications of an input that may be asked about.
type found struct {
	list []candidate // that did not complete, those to ask about first, see sooner
	done int         // that completed
	// twins are those that both operators have: by name, the ones of each.
	twins map[snapshot.Ref]snapshot.Ref
}

// candidate is an application, and when something happened to it last.
type candidate struct {
	ref  snapshot.Ref
	at   time.Time
	runs bool // it is said to run, and may hang
}

// sooner is the order in which applications are asked about, since there may be too many for all: a hundred that run keep none that failed
// from the list.
func sooner(a, b candidate) int {
	if a.runs != b.runs {
		if b.runs {
			return -1
		}
		return 1
	}
	return newer(a, b)
}

// newer is the order in which applications are listed.
func newer(a, b candidate) int {
	return cmp.Or(b.at.Compare(a.at), cmp.Compare(a.ref.Namespace, b.ref.Namespace), cmp.Compare(a.ref.Name, b.ref.Name))
}

// unfinished are the applications of a namespace, or of all.
func unfinished(in input, namespace string) found {
	out := found{twins: map[snapshot.Ref]snapshot.Ref{}}
	asked := func(o snapshot.Ref) bool { return namespace == "" || o.Namespace == namespace }
	add := func(o *snapshot.Object, runs bool, times ...time.Time) {
		at := o.Created
		for _, later := range times {
			if later.After(at) {
				at = later
			}
		}
		out.list = append(out.list, candidate{o.Ref, at, runs})
	}
	byName := map[snapshot.Key]snapshot.Ref{}
	for _, a := range in.snapshot.SparkApplications() {
		switch byName[snapshot.Key{Namespace: a.Namespace, Name: a.Name}] = a.Ref; {
		case !asked(a.Ref):
		case a.State == "COMPLETED":
			out.done++
		default:
			add(&a.Object, a.State == "RUNNING", a.LastSubmissionAttempt, a.Terminated)
		}
	}
	for _, c := range in.snapshot.SparkConnects() {
		if asked(c.Ref) {
			add(&c.Object, c.State == "Ready")
		}
	}
	for _, v := range snapshot.ApacheViews() {
		for _, w := range in.whole.InFull(v) {
			if other, both := byName[snapshot.Key{Namespace: w.Namespace, Name: w.Name}]; both && other.Kind == w.Kind {
				out.twins[other], out.twins[w.Ref] = w.Ref, other
			}
			switch a := app.ApacheIn(&w); {
			case !asked(w.Ref):
			case a.Outcome().State == app.ApacheSucceeded && !a.Restarts():
				out.done++
			default:
				add(&w.Object, a.Outcome().At.IsZero(), a.Outcome().At)
			}
		}
	}
	slices.SortStableFunc(out.list, sooner)
	return out
}

// unlisted is what could not be listed. A kind that the server does not have is not: there is nothing of it.
func unlisted(s *snapshot.Snapshot) []snapshot.Unseen {
	var out []snapshot.Unseen
	for _, v := range listedViews() {
		for _, u := range s.Coverage(v).Unseen {
			if u.Verb == "list" {
				out = append(out, u)
			}
		}
	}
	return out
}
