package scan

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/collect"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/spelling"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// WhyOptions say which application is asked about. Of Options the Source is required; Subjects are those of the application.
type WhyOptions struct {
	Options
	// Subject is NAME, NAMESPACE/NAME, or TYPE/NAME: sparkapplication, scheduledsparkapplication, sparkconnect, sparkcluster or pod, with the
	// API group behind a dot, or without.
	Subject   string
	Namespace string // that was asked for; empty: that of the subject, else Current
	Current   string // namespace of the kubeconfig; empty for files and archives: whichever has it
}

// Why makes the case file of one application. The error is an app.NotFoundError or app.AmbiguousError, or says why nothing
// could be read; what could only not be read in part is in the case file.
func Why(ctx context.Context, o WhyOptions) (why.CaseFile, error) {
	e, err := Evidence(ctx, o)
	if err != nil {
		return why.CaseFile{}, err
	}
	return why.Open(e), nil
}

// Evidence is Why without the verdict.
func Evidence(ctx context.Context, o WhyOptions) (*app.Evidence, error) {
	q, err := app.ParseQuery(o.Subject, o.Namespace)
	q.Namespace = cmp.Or(q.Namespace, o.Current)
	if err != nil {
		return nil, err
	}
	o.Subjects = Subjects{}
	if q.Namespace != "" {
		o.Subjects.Namespaces = []string{q.Namespace}
	}
	r, err := o.start(ofWhy)
	if err != nil {
		return nil, err
	}
	in, err := r.readFor(ctx, q)
	if err != nil {
		return nil, err
	}
	e, err := r.evidence(ctx, in, q)
	return e, r.nearer(ctx, in, err)
}

// ofWhy are the checks that can judge by what is read for one application, wherever it is read from: the same are asked of an archive and
// of the cluster that it was taken of. Those of failures and of connect say less than the case file does.
func ofWhy() []check.Check {
	less := []string{"failures", "connect"}
	return slices.DeleteFunc(checks.All(), func(c check.Check) bool { return !explains(c) || slices.Contains(less, c.Area()) })
}

// subject is the only application that a scan is about, if a case file of it is asked for.
func (r *run) subject() (app.Query, bool) {
	if !r.CaseFile || len(r.selection.Objects) != 1 {
		return app.Query{}, false
	}
	key := r.selection.Objects[0]
	of := slices.Contains([]string{"SparkApplication", "ScheduledSparkApplication", "SparkConnect"}, key.Kind)
	return app.Query{Kind: key.Kind, Group: key.Group, Namespace: key.Namespace, Name: key.Name}, of && key.Group == snapshot.SparkGroup
}

// open makes the case file of the only application that a scan is about. Without one the scan is as good as any: why is a line for people.
func (d *Diagnosis) open(ctx context.Context, in input) error {
	q, one := d.run.subject()
	if !one {
		return nil
	}
	o := d.run.Options
	o.Checks = nil
	o.Suppressions = nil
	o.Subjects = Subjects{Namespaces: []string{q.Namespace}}
	r, err := o.start(ofWhy)
	if err != nil {
		return err
	}
	switch _, live := o.Source.(Cluster); {
	case live:
		before := in.costs
		if in, err = r.readFor(ctx, q); err != nil {
			break
		}
		of := in.costs
		d.costs = func() []collect.Cost { return append(before(), of()...) }
	case in.archive != nil:
		in.snapshot = in.archive.Snapshot.In(r.namespaces).Only(r.checkNeeds())
	}
	var e *app.Evidence
	if err == nil {
		e, err = r.evidence(ctx, in, q)
	}
	switch {
	case ctx.Err() != nil:
		return err
	case err != nil:
		r.note("no case file of %s: %s", q, err)
	default:
		d.CaseFile = new(why.Open(e))
		d.answer()
	}
	return nil
}

// answer has the findings about how the application ended say what its case file says: that reads the logs and events, too.
func (d *Diagnosis) answer() {
	verdict := d.CaseFile.Verdict()
	if verdict.Class == cause.Unknown {
		return
	}
	for _, r := range d.Results {
		for i := range r.Findings {
			f := &r.Findings[i]
			if r.Check.ID != "SD8001" || f.Object.Key() != d.CaseFile.Subject.Key() || f.FirstOfMany() {
				continue
			}
			state, _, _ := strings.Cut(f.Message, ": ")
			f.Message = state + ": " + cmp.Or(verdict.Brief, verdict.Message)
			f.Brief, f.Certainty, f.Next = "", verdict.Certainty, nil
		}
	}
}

// NotInFullError says that an archive has what a scan reads of an application, but not the evidence that a case file needs.
type NotInFullError struct{ Subject snapshot.Ref }

func (e *NotInFullError) Error() string {
	return fmt.Sprintf("the archive has no full record of %s: snapshot --logs keeps one of the applications that failed last", e.Subject)
}

// notInFull is the error of a query for what an archive knows only as a scan reads it.
func notInFull(in input, q app.Query, err error) error {
	var none *app.NotFoundError
	if in.archive == nil || !errors.As(err, &none) {
		return err
	}
	s := in.archive.Snapshot
	var known []snapshot.Ref
	for _, app := range s.SparkApplications() {
		known = append(known, app.Ref)
	}
	for _, schedule := range s.ScheduledSparkApplications() {
		known = append(known, schedule.Ref)
	}
	for _, server := range s.SparkConnects() {
		known = append(known, server.Ref)
	}
	for _, pod := range s.SparkPods() {
		known = append(known, pod.Ref)
	}
	for _, ref := range known {
		ofKind := q.Kind == "" || ref.Kind == q.Kind
		inNamespace := q.Namespace == "" || ref.Namespace == q.Namespace
		if ref.Name == q.Name && ofKind && inNamespace {
			return &NotInFullError{ref}
		}
	}
	return err
}

// evidence is what an input holds of an application.
func (r *run) evidence(ctx context.Context, in input, q app.Query) (*app.Evidence, error) {
	in = r.untilLogs(in, q)
	subject, err := app.Find(in.whole, q)
	if err != nil {
		return nil, notInFull(in, q, err)
	}
	e := app.From(in.whole, subject)
	e.Signatures = r.Signatures
	e.Namesake = app.Namesake(in.whole, q, subject)
	e.Dated = in.dated
	e.Reader = in.reader(ctx, e.Unseen)
	e.Findings, err = r.findings(ctx, in, e)
	return e, err
}

// untilLogs is an input from files as of the last line of an application's logs, where that is later than all objects: all that is said of
// it has one time.
func (r *run) untilLogs(in input, q app.Query) input {
	if !in.dated {
		return in
	}
	subject, err := app.Find(in.whole, q)
	if err != nil {
		return in
	}
	e := app.From(in.whole, subject)
	e.Dated = true
	last := why.Latest(e).Truncate(time.Second)
	if !last.After(e.Now) || !last.Before(time.Now()) {
		return in
	}
	r.note("its logs go on until %s: ages are relative to that", last.Format(time.RFC3339))
	in.snapshot, in.whole = in.snapshot.At(last), in.whole.At(last)
	return in
}

// readFor reads the source for one application, between the two calls of the observer.
func (r *run) readFor(ctx context.Context, q app.Query) (input, error) {
	if r.Observer != nil {
		r.Observer.Reading()
		defer r.Observer.Read()
	}
	return r.Source.readFor(ctx, r, q)
}

// findings are what the checks say of the application, and of the platform that it runs on. Nothing is waited for and looked at again:
// what rests on something being absent stays likely.
func (r *run) findings(ctx context.Context, in input, e *app.Evidence) ([]check.Reported, error) {
	in.confirm, in.whoAmI, r.selection = nil, nil, check.Selection{}
	if in.archive != nil { // it may hold more than a cluster is asked for
		in.snapshot = in.snapshot.Only(r.whyNeeds(true)).InPart(narrowed())
	}
	d, err := r.judge(ctx, in)
	if err != nil {
		return nil, err
	}
	about := check.Selection{Objects: []snapshot.Key{e.Subject.Key()}}
	if e.Application != nil {
		about.Objects = append(about.Objects, snapshot.Key{
			GroupKind: snapshot.GroupKind{Group: snapshot.SparkGroup, Kind: e.Application.Kind},
			Namespace: e.Application.Namespace, Name: e.Application.Name,
		})
	}
	narrow := about.Narrow(in.snapshot, d.Results)
	var out []check.Reported
	for i, result := range d.Results {
		platform := slices.Contains([]string{"webhook", "installation"}, result.Check.Area())
		for _, f := range result.Findings {
			if platform && f.Object.Group() != snapshot.SparkGroup || slices.ContainsFunc(narrow[i].Findings, func(g check.Reported) bool {
				return g.Fingerprint() == f.Fingerprint()
			}) {
				out = append(out, f)
			}
		}
	}
	return out, nil
}

// nearer adds to the error for a name that was not found the names like it that the source has. In a namespace that does not exist there
// are none: the error is about that.
func (r *run) nearer(ctx context.Context, in input, err error) error {
	var none *app.NotFoundError
	if !errors.As(err, &none) {
		return err
	}
	if namespace := none.Query.Namespace; namespace != "" {
		if says := noNamespace(ctx, in, namespace); says != "" {
			return empty("%s", says)
		}
	}
	source, asks := r.Source.(interface {
		names(ctx context.Context, q app.Query) []string
	})
	if asks && len(none.Near) == 0 {
		none.Near = spelling.Near(none.Query.Name, source.names(ctx, none.Query), app.MaxNear)
	}
	return err
}

func (f Files) readFor(ctx context.Context, r *run, q app.Query) (input, error) {
	f.Recursive = true // a dump of a cluster has a directory for each namespace, and logs have one of their own
	return f.readWith(ctx, r, q.Concerns)
}
