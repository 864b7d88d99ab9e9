package scan

import (
	"cmp"
	"context"
	"slices"
	"sync"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/apiserver"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/archive"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/collect"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
)

// Source is what is scanned: a Cluster or Files.
type Source interface {
	read(context.Context, *run) (input, error)
	readFor(context.Context, *run, app.Query) (input, error)
}

// Cluster is what an API server has.
type Cluster struct {
	Connect   func() (*apiserver.Connection, error) // called for every reading
	Context   string                                // of the kubeconfig, for the report; may be empty
	Namespace string                                // to try where a listing across all namespaces is forbidden
	ChunkSize int64                                 // items of a page; 0: as many as make up 16 MiB
	QPS       float32                               // requests a second; 0: 50
	Burst     int                                   // requests at once before QPS counts; 0: 100
	Probe     bool                                  // compare the certificates that the webhook's replicas serve
	Logs      bool                                  // read the logs of the operator's pods
	Keep      []snapshot.Key                        // applications that Record keeps in full beside those of Logs
}

// input is what was read, from wherever.
type input struct {
	snapshot *snapshot.Snapshot
	whole    *snapshot.Snapshot // with the objects in full of what was asked about; nil for a scan of a cluster
	dated    bool               // the time of the snapshot is the latest of its objects
	source   report.Source
	confirm  *check.Confirmer                      // nil for files
	costs    func() []collect.Cost                 // of the requests so far; nil for files
	whoAmI   func(context.Context) (string, error) // nil for files
	raw      map[snapshot.Key][]byte               // objects as they stand in files, if they were asked for
	archive  *archive.Archive                      // nil unless it was read from one
}

// read reads the source, between the two calls of the observer.
func (r *run) read(ctx context.Context) (input, error) {
	if r.Observer != nil {
		r.Observer.Reading()
		defer r.Observer.Read()
	}
	return r.Source.read(ctx, r)
}

func (c Cluster) read(ctx context.Context, r *run) (input, error) {
	conn, err := c.Connect()
	if err != nil {
		return input{}, err
	}
	host := snapshot.Redact(conn.Host()) // it may have a user and a password in it
	needs := r.needs(c.Probe, c.Logs)
	var fallback []string
	if c.Namespace != "" {
		fallback = []string{c.Namespace}
	}
	listed := &listed{observer: r.Observer, done: map[snapshot.View]bool{}}
	s, again, err := collect.Cluster(ctx, conn, collect.ClusterOptions{
		Needs: needs, Namespaces: r.namespaces, Fallback: fallback, ChunkSize: c.ChunkSize, QPS: c.QPS, Burst: c.Burst,
		Probe: c.Probe, Logs: c.Logs, Progress: listed.update, Now: time.Now, InFull: r.inFull, Schemas: r.schemas,
	})
	if ctx.Err() != nil {
		return input{}, listed.interrupted(needs, ctx.Err())
	}
	if err != nil {
		return input{}, collect.Explain(err, host)
	}
	if noOperator(s) {
		return input{}, &NoOperatorError{host}
	}
	return input{
		snapshot: s, whole: s, confirm: &check.Confirmer{Fetch: again.Fetch, Wait: pause}, costs: again.Costs,
		whoAmI: func(ctx context.Context) (string, error) { return collect.WhoAmI(ctx, conn) },
		source: report.Source{Name: cmp.Or(c.Context, host), Type: "cluster", Context: c.Context, Server: host, Resumed: s.Resumed()},
	}, nil
}

// whoIsLimited is reader for what the checks could not read.
func (in input) whoIsLimited(ctx context.Context, results []check.Result) string {
	var unseen []snapshot.Unseen
	for _, r := range results {
		unseen = append(unseen, r.Unseen...)
	}
	return in.reader(ctx, unseen)
}

// reader is the name of the user as the API server knows it, if there is something that the user may not read. Empty: the server was
// not asked, or did not answer.
func (in input) reader(ctx context.Context, unseen []snapshot.Unseen) string {
	if in.whoAmI == nil || !slices.ContainsFunc(unseen, func(u snapshot.Unseen) bool { return u.Reason == snapshot.Forbidden }) {
		return ""
	}
	name, err := in.whoAmI(ctx)
	if err != nil {
		return "" // a server before 1.28, or one that does not tell: the command is printed without a name
	}
	return name
}

// noOperator reports whether the cluster has nothing to do with the operator, so that a pipeline with the wrong
// context does not turn green. It reports false where Deployments could not be listed: an operator may be there.
func noOperator(s *snapshot.Snapshot) bool {
	for _, v := range snapshot.ApacheViews() {
		if state := s.Coverage(v).State; state != snapshot.NotAsked && state != snapshot.NotServed {
			return false
		}
	}
	return s.Coverage(snapshot.SparkApplications).State == snapshot.NotServed &&
		s.Coverage(snapshot.Deployments).State == snapshot.Complete && len(operator.Find(s.Deployments())) == 0
}

// listed notes which views were read to their end.
type listed struct {
	observer Observer
	mu       sync.Mutex
	done     map[snapshot.View]bool
}

func (l *listed) update(p collect.Progress) {
	l.mu.Lock()
	l.done[p.View] = l.done[p.View] || p.Done
	l.mu.Unlock()
	if l.observer != nil {
		l.observer.Progress(p)
	}
}

// interrupted says what of the needs was not read.
func (l *listed) interrupted(needs []snapshot.Need, cause error) *InterruptedError {
	l.mu.Lock()
	defer l.mu.Unlock()
	out, seen := &InterruptedError{Err: cause}, map[snapshot.View]bool{}
	for _, n := range needs {
		if seen[n.View] {
			continue
		}
		seen[n.View] = true
		out.Needed++
		if !l.done[n.View] {
			out.Unread = append(out.Unread, n.View)
		}
	}
	return out
}
