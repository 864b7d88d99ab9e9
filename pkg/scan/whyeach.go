package scan

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"sync"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// Cases are the applications that failed, hang or wait, each with its case file.
type Cases struct {
	AsOf   time.Time
	Files  []why.CaseFile // the newest first
	Fine   int            // that were asked about, and of which nothing is wrong
	Older  int            // that did not complete, and were not asked about
	Unread []UnreadCase
	Done   int          // that completed, and were not asked about
	Unseen []why.Unseen // kinds that could not be listed
}

// UnreadCase is an application whose evidence could not be read.
type UnreadCase struct {
	Subject snapshot.Ref
	Err     error
}

// MostCases is how many applications WhyEach asks about: those that are not said to run, then the others, the newest first. Each costs the
// requests of Why.
const MostCases = 20

// atOnce is how many of them are read from a cluster at the same time.
const atOnce = 4

// WhyEach makes the case files of applications of both operators that did not complete, of a namespace or of all: of MostCases at most.
// Those of which nothing is wrong are counted.
func WhyEach(ctx context.Context, o WhyOptions) (Cases, error) {
	o.Checks, o.Subjects = []check.Check{lister()}, Subjects{}
	o.Namespace = cmp.Or(o.Namespace, o.Current)
	if o.Namespace != "" {
		o.Subjects.Namespaces = []string{o.Namespace}
	}
	r, err := o.start(ofWhy)
	if err != nil {
		return Cases{}, err
	}
	in, err := o.readList(ctx, r)
	if err != nil {
		return Cases{}, err
	}
	found, unseen := unfinished(in, o.Namespace), unlisted(in.snapshot)
	if len(found.list)+found.done == 0 {
		if len(unseen) > 0 && !readable(in.snapshot) {
			return Cases{}, &UnreadableError{app.Query{Namespace: o.Namespace}, unseen}
		}
		if says := noNamespace(ctx, in, o.Namespace); o.Namespace != "" && says != "" {
			return Cases{}, empty("%s", says)
		}
	}
	out := Cases{AsOf: in.snapshot.TakenAt, Older: max(0, len(found.list)-MostCases), Done: found.done,
		Unseen: why.NotListed(unseen, o.Namespace, in.reader(ctx, unseen))}
	var list []snapshot.Ref
	asked := found.list[:min(len(found.list), MostCases)]
	slices.SortStableFunc(asked, newer)
	for _, c := range asked {
		list = append(list, c.ref)
	}
	files, errs := o.openEach(ctx, list)
	for i := range list {
		switch {
		case ctx.Err() != nil:
			return Cases{}, ctx.Err()
		case errs[i] != nil:
			out.Unread = append(out.Unread, UnreadCase{list[i], errs[i]})
		case wrong(&files[i]):
			if twin, both := found.twins[list[i]]; both {
				files[i].Namesake = &twin
			}
			out.Files = append(out.Files, files[i])
		default:
			out.Fine++
		}
	}
	return out, nil
}

// readable reports whether all applications could be listed: of the operator whose kinds the cluster has.
func readable(s *snapshot.Snapshot) bool {
	c := s.Coverage(snapshot.SparkApplications)
	if c.State == snapshot.NotServed {
		c = s.Coverage(snapshot.WholeApacheApplications)
	}
	return len(c.Unseen) == 0
}

// wrong reports whether an application belongs in the list: it failed, waits or hangs, or its cause was not found.
func wrong(f *why.CaseFile) bool {
	c := f.Verdict()
	return c.Class.Fault() || c.Class == cause.SlowButProgressing || c.Class == cause.Suspended
}

// openEach makes the case file of each. Files are read once for all of them, a cluster once for each.
func (o WhyOptions) openEach(ctx context.Context, list []snapshot.Ref) ([]why.CaseFile, []error) {
	files, errs := make([]why.CaseFile, len(list)), make([]error, len(list))
	o.Checks, o.Observer = nil, nil
	queries := make([]app.Query, 0, len(list))
	for _, ref := range list {
		queries = append(queries, app.QueryFor(ref))
	}
	if _, live := o.Source.(Cluster); live {
		var wait sync.WaitGroup
		turn := make(chan struct{}, atOnce)
		for i, q := range queries {
			turn <- struct{}{}
			wait.Go(func() {
				defer func() { <-turn }()
				one := o
				one.Subject, one.Namespace = q.Type()+"/"+q.Name, q.Namespace
				files[i], errs[i] = Why(ctx, one)
			})
		}
		wait.Wait()
		return files, errs
	}
	r, err := o.start(ofWhy)
	in := input{}
	if err == nil {
		in, err = o.readForAll(ctx, r, queries)
	}
	for i, q := range queries {
		if errs[i] = err; err != nil {
			continue
		}
		e, err := r.evidence(ctx, in, q)
		if errs[i] = err; err == nil {
			files[i] = why.Open(e)
		}
	}
	return files, errs
}

// readForAll reads files with what concerns any of several applications in full.
func (o WhyOptions) readForAll(ctx context.Context, r *run, queries []app.Query) (input, error) {
	f, is := o.Source.(Files)
	if !is {
		return input{}, errors.New("the source holds no case files of several applications")
	}
	f.Recursive = true
	return f.readWith(ctx, r, func(w *snapshot.Whole) bool {
		return slices.ContainsFunc(queries, func(q app.Query) bool { return q.Concerns(w) })
	})
}
