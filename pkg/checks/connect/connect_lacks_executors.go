package connect

import (
	"fmt"
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// Why executors are lacking, where the next step depends on it.
const (
	overQuota check.Kind = "quota"
	waits     check.Kind = "waits"
)

func lacksExecutors() check.Check {
	return check.Check{
		ID: "SD9003", Slug: "connect-lacks-executors", Since: "0.1.0", Consequence: check.ChangesJobs,
		Title: "a SparkConnect server runs, and executors that it asked for do not",
		Needs: []snapshot.Need{
			{View: snapshot.SparkConnects, Role: snapshot.Subject},
			{View: snapshot.SparkPods, Role: snapshot.Compared},
		},
		Relations: check.Relations{CausedBy: []check.Cause{{Breaks: check.DriverAccount, Where: sameObject}}},
		Requires:  []check.Requirement{facts.Pending(), facts.Quotas()},
		Run: func(p *check.Pass) check.Answer {
			list, unjudged := decoded(p.Snapshot)
			a := check.Answer{Judged: len(list), Unjudged: unjudged}
			pods := membersOf(p.Snapshot, list)
			quotas := facts.Quotas().Of(p)
			reasons := facts.Pending().Of(p)
			for _, c := range list {
				m := pods[[2]string{c.Namespace, c.Name}]
				// Dynamic allocation asks for more than there is.
				if c.State != "Ready" || c.Terminating() || c.Allocates || c.Executors == 0 || m.server == nil || m.server.Phase != "Running" ||
					p.TakenAt.Sub(m.server.Started) <= p.SubmittedAfter {
					continue
				}
				l := lacking{c, m, p.Snapshot, p.Params}
				if f := l.waits(reasons); f != nil {
					a.Findings = append(a.Findings, *f)
				} else if f := l.overQuota(quotas[c.Namespace]); f != nil {
					a.Findings = append(a.Findings, *f)
				}
			}
			return a
		},
	}
}

// lacking is a server that runs for longer than executors take to start.
type lacking struct {
	*snapshot.SparkConnect
	*members
	s *snapshot.Snapshot
	p check.Params
}

func (l lacking) finding(kind check.Kind, message, brief string) *check.Finding {
	return &check.Finding{
		About: check.Of(l), Severity: check.Warning, Identity: check.Identity{Kind: kind, What: string(kind)},
		Field: "spec.executor.instances", Message: message, Verdict: check.Verdict{Brief: brief},
		Evidence: []check.Evidence{stateOf(l.SparkConnect),
			{Object: l.Ref, Field: "spec.executor.instances", Value: fmt.Sprint(l.Executors)}},
	}
}

// waits is about executors that are Pending. While others run it is an info where the pod may yet start by itself.
func (l lacking) waits(reasons *facts.PendingReasons) *check.Finding {
	late := slices.DeleteFunc(slices.Clone(l.executors), func(p *snapshot.Pod) bool {
		return p.Phase != "Pending" || p.Created.IsZero() || l.s.TakenAt.Sub(p.Created) <= l.p.SubmittedAfter
	})
	late = slices.DeleteFunc(late, func(p *snapshot.Pod) bool { return reasons.Of(p, "").Gated })
	if len(late) == 0 {
		return nil
	}
	first := slices.MinFunc(late, func(a, b *snapshot.Pod) int { return a.Created.Compare(b.Created) })
	why := reasons.Of(first, "")
	n := 0
	for _, p := range late {
		if reasons.Of(p, "").Shared == why.Shared {
			n++
		}
	}
	running := l.running()
	all := max(l.Executors, running+len(late))
	f := l.finding(waits, fmt.Sprintf("%d of %d executors wait, the oldest Pending for %s: %s", n, all,
		facts.Age(first.Created, l.s.TakenAt), why.Text), fmt.Sprintf("%d of %d executors wait: %s", n, all, why.Text))
	f.Certainty, f.Since = why.Certainty, first.Created
	f.Then(append(why.Next(first.Ref, facts.Owner{What: "SparkConnect", Spec: "spec"}), askWhy(l.SparkConnect))...)
	f.Related = []snapshot.Ref{first.Ref}
	f.Evidence = append(append(f.Evidence, check.Evidence{Object: first.Ref, Field: "status.phase", Value: first.Phase}), why.Evidence...)
	switch {
	case why.Lasting != "":
		f.Severity = why.Severity
	case running > 0 || !l.s.Covers(snapshot.SparkPods, l.Namespace):
		f.Severity = check.Info
	}
	if why.Shared != "" {
		f.Shared = l.Namespace + " " + why.Shared
	}
	if why.Missing.Name != "" {
		f.Related = append(f.Related, why.Missing)
	}
	return f
}

func (l lacking) running() int {
	n := 0
	for _, p := range l.executors {
		if p.Phase == "Running" {
			n++
		}
	}
	return n
}

// overQuota is about executors that the API server rejects. The server creates them itself, so that no object tells: Spark logs the
// rejection and tries again (ExecutorPodsAllocator@spark-4.0.1). Likely, because an executor may also be about to be replaced.
func (l lacking) overQuota(quotas []*snapshot.ResourceQuota) *check.Finding {
	there, size := 0, snapshot.Requests{}
	for _, p := range l.executors {
		size = p.Requests
		if p.Alive() {
			there++
		}
	}
	if there >= l.Executors || !l.s.Covers(snapshot.SparkPods, l.Namespace) {
		return nil
	}
	for _, q := range quotas {
		limit := facts.NoRoom(q, size)
		if limit == nil {
			continue
		}
		used := fmt.Sprintf("%s: %s of %s used", limit.Resource, limit.Used, limit.Hard)
		text := fmt.Sprintf("%d of %s exist, and %s has no room for another (%s): the API server rejects their pods, and only the server's log "+
			"says so", there, phrase.Counted(l.Executors, "executor"), q.Ref, used)
		f := l.finding(overQuota, text, text)
		f.Certainty = check.Likely
		f.Shared = "quota " + q.Namespace + "/" + q.Name
		f.Related = []snapshot.Ref{q.Ref}
		f.Then(command.Do("see what uses the quota; raise it, or lower spec.executor.instances").On("describe", q.Ref), askWhy(l.SparkConnect))
		f.Saw(q.Ref, "status.used", used)
		return f
	}
	return nil
}
