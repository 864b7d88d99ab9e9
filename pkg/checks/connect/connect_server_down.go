package connect

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// How a server is down, where the next step depends on it.
const (
	ended     check.Kind = "ended"
	pending   check.Kind = "pending"
	restarts  check.Kind = "restarts"
	notReady  check.Kind = "not ready"
	noPod     check.Kind = "no pod"
	crashLoop            = "CrashLoopBackOff"
)

func serverDown() check.Check {
	return check.Check{
		ID: "SD9002", Slug: "connect-server-down", Since: "0.1.0", Consequence: check.StopsJobs,
		Title: "a SparkConnect server does not serve clients",
		Needs: []snapshot.Need{
			{View: snapshot.SparkConnects, Role: snapshot.Subject},
			{View: snapshot.SparkPods, Role: snapshot.Compared},
		},
		Relations: check.Relations{CausedBy: []check.Cause{{Breaks: check.DriverAccount, Where: check.RelatedMember},
			{Breaks: check.Release, Where: sameObject}}},
		Requires: []check.Requirement{facts.Pending()},
		Run: func(p *check.Pass) check.Answer {
			list, unjudged := decoded(p.Snapshot)
			a := check.Answer{Judged: len(list), Unjudged: unjudged}
			pods := membersOf(p.Snapshot, list)
			reasons := facts.Pending().Of(p)
			unseen := 0
			for _, c := range list {
				if c.State == "" || c.Terminating() { // SD9001's
					continue
				}
				d := down{c, pods[[2]string{c.Namespace, c.Name}].server, p.Snapshot, p.Params}
				if d.pod == nil && !p.Covers(snapshot.SparkPods, c.Namespace) {
					unseen++
					continue
				}
				if f := d.judge(reasons); f != nil {
					a.Findings = append(a.Findings, *f)
				}
			}
			a.PassOver(unseen, fmt.Sprintf("whether %s, whose pods were not seen", phrase.Counted(unseen, "SparkConnect server")+
				phrase.Verb(unseen, " serves", " serve")))
			return a
		},
	}
}

// down is a SparkConnect whose server may be down.
type down struct {
	*snapshot.SparkConnect
	pod *snapshot.Pod // of the server; nil: there is none
	s   *snapshot.Snapshot
	p   check.Params
}

func (d down) judge(reasons *facts.PendingReasons) *check.Finding {
	switch {
	case d.pod == nil:
		return d.noPod()
	case !d.pod.Alive():
		return d.ended()
	case d.pod.Phase == "Pending":
		return d.pending(reasons)
	case d.crashing() != nil:
		return d.restarts(d.crashing())
	case d.State == "NotReady" && d.longAgo(d.Unready) && d.longAgo(d.pod.Created):
		return d.notReady()
	}
	return nil
}

// longAgo reports whether a moment is longer ago than servers take to start.
func (d down) longAgo(t time.Time) bool {
	return !t.IsZero() && d.s.TakenAt.Sub(t) > d.p.SubmittedAfter
}

func (d down) age(t time.Time) string { return facts.Age(t, d.s.TakenAt) }

func (d down) finding(kind check.Kind, since time.Time, brief, message string) *check.Finding {
	f := &check.Finding{
		About: check.Of(d), Severity: check.Error, Identity: check.Identity{Kind: kind, What: string(kind)},
		Field: "status.state", Verdict: check.Verdict{Since: since, Brief: brief}, Message: message,
		Evidence: []check.Evidence{stateOf(d.SparkConnect)},
	}
	if d.pod != nil {
		f.Related = []snapshot.Ref{d.pod.Ref}
		f.Evidence = append(f.Evidence, check.Evidence{Object: d.pod.Ref, Field: "status.phase", Value: d.pod.Phase})
	}
	return f
}

// noPod is about a pod that was deleted: the operator creates the next as soon as it sees that (SetupWithManager in
// internal/controller/sparkconnect/reconciler.go@v2.5.2).
func (d down) noPod() *check.Finding {
	f := d.finding(noPod, time.Time{}, "it has no server pod, and the operator creates none",
		fmt.Sprintf("the status says %s, but there is no server pod, and the operator creates none", d.State))
	f.Certainty = check.Likely
	f.Then(askWhy(d.SparkConnect))
	return f
}

// ended is about a pod that will not run again. The operator creates another only when it is deleted (createOrUpdateServerPod in the same
// file), for a pod that exists is kept whatever its phase.
func (d down) ended() *check.Finding {
	c := endedContainer(d.pod)
	how := facts.PodEnd(d.pod, c)
	at := time.Time{}
	ago := ""
	if c != nil && !c.Finished.IsZero() {
		at, ago = c.Finished, " "+d.age(c.Finished)+" ago"
	}
	const text = "server pod %q exited%s: %s; the operator does not replace it while it exists"
	f := d.finding(ended, at, fmt.Sprintf(text, d.pod.Name, "", how), fmt.Sprintf(text, d.pod.Name, ago, how))
	f.Evidence = append(f.Evidence, facts.PodEndEvidence(d.pod, c)...)
	f.Then(askWhy(d.SparkConnect), command.Do("then delete the pod: the operator creates another").On("delete", d.pod.Ref))
	return f
}

// endedContainer is the one whose end the pod ended with: the first by time that failed, else any.
func endedContainer(pod *snapshot.Pod) *snapshot.ContainerProblem {
	if pod.Trouble == nil {
		return nil
	}
	var out *snapshot.ContainerProblem
	for i := range pod.Trouble.Containers {
		c := &pod.Trouble.Containers[i]
		if !c.Ended || c.Init && c.ExitCode == 0 {
			continue
		}
		if out == nil || cmp.Or(facts.CompareBool(c.ExitCode == 0, out.ExitCode == 0), c.Finished.Compare(out.Finished)) < 0 {
			out = c
		}
	}
	return out
}

func (d down) pending(reasons *facts.PendingReasons) *check.Finding {
	if !d.longAgo(d.pod.Created) {
		return nil
	}
	why := reasons.Of(d.pod, "")
	if why.Gated {
		return nil // on purpose
	}
	f := d.finding(pending, d.pod.Created, fmt.Sprintf("server pod %q is Pending: %s", d.pod.Name, why.Text),
		fmt.Sprintf("server pod %q has been Pending for %s: %s", d.pod.Name, d.age(d.pod.Created), why.Text))
	f.Severity, f.Certainty = why.Severity, why.Certainty
	f.Then(why.Next(d.pod.Ref, facts.Owner{What: "SparkConnect", Spec: "spec"})...)
	f.Evidence = append(f.Evidence, why.Evidence...)
	if why.Shared != "" {
		f.Shared = d.Namespace + " " + why.Shared
	}
	if why.Missing.Name != "" {
		f.Related = append(f.Related, why.Missing)
	}
	return f
}

// crashing is a container of the server's pod that the kubelet backs off from because it keeps crashing.
func (d down) crashing() *snapshot.ContainerProblem {
	if d.pod.Trouble == nil {
		return nil
	}
	i := slices.IndexFunc(d.pod.Trouble.Containers, func(c snapshot.ContainerProblem) bool { return c.Reason == crashLoop })
	if i < 0 {
		return nil
	}
	return &d.pod.Trouble.Containers[i]
}

func (d down) restarts(c *snapshot.ContainerProblem) *check.Finding {
	text := fmt.Sprintf("container %q of server pod %q keeps crashing (%s)", c.Name, d.pod.Name, crashLoop)
	f := d.finding(restarts, d.Unready, text, text)
	if !d.Unready.IsZero() {
		f.Message += ", and the server has not been ready for " + d.age(d.Unready)
	}
	f.Then(askWhy(d.SparkConnect), check.Logs("read what the container logged", d.pod.Ref, c.Name, true))
	f.Evidence = append(f.Evidence, check.Evidence{Object: d.pod.Ref, Field: "status.containerStatuses", Value: phrase.WithMessage(
		c.Name+": "+c.Reason, c.Message)})
	return f
}

// notReady is about a server that runs, and whose readiness probe fails. Without a probe of its own a server of 2.5.2 and before is ready
// as soon as it runs (#2994).
func (d down) notReady() *check.Finding {
	f := d.finding(notReady, d.Unready, fmt.Sprintf("server pod %q runs and is not ready", d.pod.Name),
		fmt.Sprintf("server pod %q runs, but has not been ready for %s", d.pod.Name, d.age(d.Unready)))
	f.Severity = check.Warning
	f.Then(askWhy(d.SparkConnect), command.Do("see what its readiness probe says").On("describe", d.pod.Ref))
	f.Evidence = append(f.Evidence, check.Evidence{Object: d.Ref, Field: "status.conditions[ServerPodReady]",
		Value: "False since " + facts.Timestamp(d.Unready)})
	return f
}
