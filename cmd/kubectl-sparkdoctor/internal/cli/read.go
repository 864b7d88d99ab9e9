package cli

import (
	"context"
	"fmt"
	"slices"
	"time"

	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/archive"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/collect"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// input is what was read, from wherever.
type input struct {
	snapshot *snapshot.Snapshot
	source   report.Source
	confirm  *checks.Confirmer     // nil for files
	costs    func() []collect.Cost // of the requests so far; nil for files
	archive  *archive.Archive      // nil unless it was read from one
}

func (o *scanOptions) read(ctx context.Context, streams genericiooptions.IOStreams) (input, error) {
	if o.configFile != "" {
		say(streams, "configuration: %s", report.Escape(shown(o.configFile)))
	}
	if o.offline {
		return o.readFiles(ctx, streams)
	}
	return o.readCluster(ctx, streams)
}

func (o *scanOptions) readFiles(ctx context.Context, streams genericiooptions.IOStreams) (input, error) {
	s, in, err := collect.Files(ctx, collect.FileOptions{
		Paths: o.files, Recursive: o.recursive, Stdin: streams.In, Complete: o.complete, AsOf: o.asOf, Now: time.Now().Truncate(time.Second),
		SkipUnreadable: true,
	})
	if err != nil {
		return input{}, err
	}
	if in.Archive != nil {
		return o.replay(streams, in)
	}
	if in.Dated {
		say(streams, "judging the files as of %s, the latest time in them (--as-of sets it)", s.TakenAt.Format(time.RFC3339))
	}
	sayCopies(streams, in)
	for _, text := range in.Unreadable {
		say(streams, "error: %s; sparkdoctor checks the other files without it", report.Escape(text))
	}
	return input{snapshot: s, source: report.Source{
		Name: "files", Type: "files", Files: in.Files, Objects: in.Objects, Unread: in.Unread, Duplicates: in.Duplicates, Unreadable: in.Unreadable,
	}}, nil
}

func (o *scanOptions) readCluster(ctx context.Context, streams genericiooptions.IOStreams) (input, error) {
	conn, err := o.connect()
	if err != nil {
		return input{}, err
	}
	host := snapshot.Redact(conn.Host()) // it may have a user and a password in it
	kubeContext, _ := o.contextName()
	progress := newProgress(streams.ErrOut)
	namespace, _, _ := o.kube.ToRawKubeConfigLoader().Namespace()
	s, again, err := collect.Cluster(ctx, conn, collect.ClusterOptions{
		Needs: o.needs(), Namespaces: o.namespaces, Fallback: []string{namespace}, ChunkSize: o.chunkSize, QPS: o.qps, Burst: o.burst, Probe: o.probe, Logs: o.logs,
		Progress: progress.update, Now: time.Now,
	})
	progress.clear()
	if ctx.Err() != nil {
		return input{}, &codeError{ExitInterrupted, "interrupted: not looked at: " + progress.missing(o.needs())}
	}
	if err != nil {
		return input{}, collect.Explain(err, host)
	}
	if noOperator(s) {
		return input{}, &noOperatorError{exitIncomplete, fmt.Sprintf("no Spark Operator found in %s: neither its CRDs nor its Deployments are there (is this the right context?)", host)}
	}
	confirmer := &checks.Confirmer{Fetch: again.Fetch, Wait: func(ctx context.Context, d time.Duration) error { return wait(ctx, streams, d) }}
	return input{snapshot: s, confirm: confirmer, costs: again.Costs, source: report.Source{Name: name(kubeContext, host), Type: "cluster", Context: kubeContext, Server: host, Resumed: s.Resumed()}}, nil
}

// needs are those of the selected checks without what is read on request only.
func (o *scanOptions) needs() []snapshot.Need {
	return slices.DeleteFunc(o.checkNeeds(), func(n snapshot.Need) bool {
		return n.View == snapshot.ServedCertificates && !o.probe || n.View == snapshot.OperatorLogs && !o.logs
	})
}

// checkNeeds are those of the selected checks, and the Deployments that tell which operator runs.
func (o *scanOptions) checkNeeds() []snapshot.Need {
	lists := [][]snapshot.Need{{{View: snapshot.Deployments, Role: snapshot.Optional, Scope: snapshot.Everywhere}, {View: snapshot.SparkApplications, Role: snapshot.Optional}}}
	if o.selection.Selector != nil {
		for _, v := range selectable() {
			lists = append(lists, []snapshot.Need{{View: v, Role: snapshot.Optional}})
		}
	}
	for _, c := range o.selected {
		lists = append(lists, c.Needs)
	}
	return snapshot.Needs(lists...)
}

// noOperator reports whether the cluster has nothing to do with the operator, so that a pipeline with the wrong
// context does not turn green. Where Deployments could not be listed nobody knows.
func noOperator(s *snapshot.Snapshot) bool {
	return s.Coverage(snapshot.SparkApplications).State == snapshot.NotServed &&
		s.Coverage(snapshot.Deployments).State == snapshot.Complete && len(operator.Find(s.Deployments())) == 0
}

func (o *scanOptions) contextName() (string, error) {
	if *o.kube.Context != "" {
		return *o.kube.Context, nil
	}
	raw, err := o.kube.ToRawKubeConfigLoader().RawConfig()
	return raw.CurrentContext, err
}

func wait(ctx context.Context, streams genericiooptions.IOStreams, d time.Duration) error {
	say(streams, "waiting %s to look again at what was missing: a controller may just be slow", d)
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(d):
		return nil
	}
}

// say writes a line for people to stderr.
func say(streams genericiooptions.IOStreams, format string, args ...any) {
	_, _ = fmt.Fprintln(streams.ErrOut, snapshot.Redact(fmt.Sprintf(format, args...)))
}

func name(kubeContext, host string) string {
	if kubeContext != "" {
		return kubeContext
	}
	return host
}
