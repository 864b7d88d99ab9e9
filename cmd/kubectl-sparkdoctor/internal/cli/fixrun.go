package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"

	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix/apply"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
)

func (o *fixOptions) run(ctx context.Context, streams genericiooptions.IOStreams) error {
	client, err := o.client()
	if err != nil {
		return err
	}
	uid, err := client.ClusterUID(ctx)
	if err != nil {
		return err
	}
	w := writer{writeFlags: o.writeFlags, client: client, streams: streams, verify: o.verify}
	var plan fix.Plan
	if o.plan != "" {
		plan, err = o.planAgain(ctx, &w, uid)
	} else {
		plan, err = o.makePlan(ctx, streams, client, uid)
	}
	if err != nil {
		return err
	}
	if o.output != "" {
		return writePlan(streams, plan, o.output)
	}
	return w.carryOut(ctx, plan)
}

// client connects for writing, and for reading what is about to be written.
func (o *fixOptions) client() (*apply.Client, error) { return newApplyClient(o.scan, o.manager) }

func newApplyClient(o *scanOptions, manager string) (*apply.Client, error) {
	conn, err := o.connect()
	if err != nil {
		return nil, err
	}
	return apply.NewClient(conn, apply.Options{Manager: manager, QPS: o.qps, Burst: o.burst})
}

// makePlan scans, and resolves what the findings wish against the objects as they are now.
func (o *fixOptions) makePlan(ctx context.Context, streams genericiooptions.IOStreams, client *apply.Client, uid string) (fix.Plan, error) {
	in, err := o.scan.read(ctx, streams)
	if err != nil {
		return fix.Plan{}, err
	}
	o.scan.sayScope(streams, in)
	if err := errors.Join(o.scan.lookUp(ctx, streams, in), o.lookUpPicks(streams, in)); err != nil {
		return fix.Plan{}, err
	}
	d, err := o.scan.judge(ctx, in)
	if err != nil {
		return fix.Plan{}, err
	}
	o.sayGone(streams, d.results)
	var resolved []fix.Resolved
	var left []fix.Left
	for _, r := range d.results {
		if unseen := blind(r); unseen != "" && o.asks(r.Check.ID) {
			left = append(left, fix.Left{Finding: fix.Finding{Check: r.Check.ID, Message: r.Check.Title}, Reason: unseen})
		}
		for i := range r.Findings {
			f := &r.Findings[i]
			selected, named := picked(o.picks, f)
			if !selected || f.Suppressed != nil && !named {
				continue // what somebody accepts is not repaired
			}
			if len(f.Fixes) == 0 {
				if f.Severity > checks.Info {
					left = append(left, fix.Left{Finding: checks.Planned(f), Reason: "no automatic fix", Advice: r.Check.Next})
				}
				continue
			}
			for _, c := range chosen(o.picks, f, checks.Candidates(d.snapshot, d.results, f)) {
				if reason, advice := o.limits.Refuse(c); reason != "" {
					one := fix.Left{Finding: c.Finding, Title: fix.TraitsOf(c.Intent).Title, Reason: reason, Advice: advice}
					if len(left) == 0 || left[len(left)-1] != one { // a thousand objects of a finding are left for one reason
						left = append(left, one)
					}
					continue
				}
				resolved = append(resolved, resolve(ctx, client, c))
			}
		}
	}
	if ctx.Err() != nil {
		return fix.Plan{}, ctx.Err()
	}
	cluster := fix.Cluster{UID: uid, Server: d.source.Server, Context: d.source.Context}
	return fix.NewPlan(cluster, d.snapshot.TakenAt, resolved, left), nil
}

func resolve(ctx context.Context, client *apply.Client, c fix.Candidate) fix.Resolved {
	fresh, err := client.Fetch(ctx, fix.TraitsOf(c.Intent).Reads)
	if err != nil {
		return fix.Resolved{Candidate: c, Err: err}
	}
	return fix.ResolvedFrom(c, fresh)
}

// asks reports whether the user asked about a check: named it, or nothing.
func (o *fixOptions) asks(id string) bool {
	return len(o.picks) == 0 || slices.ContainsFunc(o.picks, func(p pick) bool { return p.check == id })
}

// blind says why a check did not look at everything; empty if it did. What was not looked at is not repaired, nor is it
// well: it is left. Subjects that a check read and cannot judge are no reason: a scan names them.
func blind(r checks.Result) string {
	if r.Status != checks.Skipped && len(r.Unseen) == 0 {
		return ""
	}
	parts := []string{"the check could not look at everything"}
	if r.Reason != "" {
		parts = append(parts, r.Reason)
	}
	for _, u := range r.Unseen {
		parts = append(parts, strings.Join(strings.Fields(fmt.Sprintf("%s %s %s %s", u.Verb, u.Resource, u.Namespace, u.Name)), " ")+": "+u.Reason)
	}
	return strings.Join(parts[:min(len(parts), 4)], "; ")
}

func writePlan(streams genericiooptions.IOStreams, plan fix.Plan, format string) error {
	if format == "json" {
		return report.EncodeJSON(streams.Out, plan, "  ")
	}
	return report.EncodeYAML(streams.Out, plan)
}

// refusal ends a command with the code of what was refused, declined or stale.
func refusal(format string, args ...any) error {
	return &codeError{exitRefused, "error: " + fix.Flat(fmt.Sprintf(format, args...))}
}

// isDone reports whether an intent has nothing left to do.
func isDone(err error) bool {
	var done *fix.Done
	return errors.As(err, &done)
}

// now is the time for records.
func now() time.Time { return time.Now().UTC().Truncate(time.Millisecond) }
