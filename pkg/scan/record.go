package scan

import (
	"cmp"
	"context"
	"errors"
	"io"
	"iter"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/archive"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// Recording is what a scan of a cluster read, and what was answered when it looked again.
type Recording struct {
	Manifest archive.Manifest
	snapshot *snapshot.Snapshot
	answers  []archive.Answer
}

// Record reads a cluster for an archive. Checks are all, also those of a gate, by default.
func Record(ctx context.Context, o Options) (*Recording, error) {
	cluster, ok := o.Source.(Cluster)
	if !ok {
		return nil, errors.New("only a cluster is recorded")
	}
	r, err := o.start(checks.Catalogue)
	if err != nil {
		return nil, err
	}
	r.recording = true
	if cluster.Logs || len(cluster.Keep) > 0 {
		r.inFull = cluster.keep
	}
	in, err := r.look(ctx)
	if err != nil {
		return nil, err
	}
	rec := &Recording{Manifest: r.manifest(in.source, cluster), snapshot: in.snapshot}
	in.confirm.Fetch = recorded(in.confirm.Fetch, &rec.answers)
	if _, err := r.judge(ctx, in); err != nil {
		return nil, err
	}
	slices.SortFunc(rec.answers, func(a, b archive.Answer) int { return cmp.Or(cmp.Compare(a.View, b.View), a.Ref.Compare(b.Ref)) })
	return rec, nil
}

// What a recording with logs keeps in full: the applications that failed last.
const (
	keptFailures = 10
	keptSince    = 24 * time.Hour
)

// keep chooses the applications that a recording keeps in full, so that why can be asked of it: those that were named, and with logs
// those that failed in the last day, the newest first.
func (c Cluster) keep(now time.Time, listed iter.Seq[*snapshot.SparkApplication]) []snapshot.Key {
	out := slices.Clone(c.Keep)
	if !c.Logs {
		return out
	}
	type failure struct {
		snapshot.Key
		at time.Time
	}
	var failed []failure
	for app := range listed {
		at := app.LastSubmissionAttempt
		if app.Terminated.After(at) {
			at = app.Terminated
		}
		if strings.Contains(app.State, "FAIL") && now.Sub(at) <= keptSince {
			failed = append(failed, failure{app.Key(), at})
		}
	}
	slices.SortFunc(failed, func(a, b failure) int {
		return cmp.Or(b.at.Compare(a.at), cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Name, b.Name))
	})
	for _, f := range failed[:min(len(failed), keptFailures)] {
		if !slices.Contains(out, f.Key) {
			out = append(out, f.Key)
		}
	}
	return out
}

// Write writes the archive, and returns its manifest with what is in it and what was removed.
func (r *Recording) Write(ctx context.Context, to io.Writer) (archive.Manifest, error) {
	return archive.Write(ctx, to, r.Manifest, r.snapshot, r.answers)
}

// fetch gets an object again.
type fetch = func(context.Context, snapshot.View, snapshot.Ref) (snapshot.Record, error)

// recorded keeps what is answered about objects that are fetched again, several at a time.
func recorded(get fetch, into *[]archive.Answer) fetch {
	var mu sync.Mutex // guards into
	return func(ctx context.Context, v snapshot.View, ref snapshot.Ref) (snapshot.Record, error) {
		r, err := get(ctx, v, ref)
		a := archive.Answer{View: v, Ref: ref, Record: r}
		if err != nil {
			a.Failed = snapshot.Redact(err.Error())
		}
		mu.Lock()
		defer mu.Unlock()
		*into = append(*into, a)
		return r, err
	}
}

func (r *run) manifest(source report.Source, cluster Cluster) archive.Manifest {
	m := archive.Manifest{
		Tool:    archive.Tool{Version: r.Tool.Version, Commit: r.Tool.Commit},
		Source:  archive.Source{Name: source.Name, Context: source.Context, Server: source.Server},
		Reading: archive.Reading{Probe: cluster.Probe, Logs: cluster.Logs, ConfirmAfter: r.Params.SettleAfter.String()},
	}
	for _, c := range checks.Suppressible() {
		m.Checks = append(m.Checks, c.ID)
	}
	if r.Checks != nil {
		for _, c := range r.selected {
			m.Reading.Checks = append(m.Reading.Checks, c.ID)
		}
	}
	return m
}
