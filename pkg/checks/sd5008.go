package checks

import (
	"fmt"
	"slices"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func operatorUnhealthy() Check {
	return Check{
		ID: operatorUnhealthyID, Slug: "operator-unhealthy", Since: "0.1.0",
		Title:    "an operator does not run, keeps restarting, or does not keep up",
		Next:     "look at the pods and at the log of the container's last run (kubectl logs --previous); an operator that does not keep up needs more workers or a higher rate",
		Unscoped: true,
		Needs: []snapshot.Need{
			{View: snapshot.Deployments, Role: snapshot.Subject, Scope: snapshot.Everywhere},
			{View: snapshot.OperatorPods, Role: snapshot.Consulted, Scope: snapshot.Everywhere},
			{View: snapshot.SparkApplications, Role: snapshot.Consulted, Scope: snapshot.Everywhere},
			{View: snapshot.Namespaces, Role: snapshot.Optional, Scope: snapshot.Everywhere},
		},
		Run: func(s *snapshot.Snapshot, p Params) Answer {
			list, unjudged := decoded(s)
			a := Answer{Unjudged: unjudged}
			w, pods := newWatch(s), s.OperatorPods()
			installations := operator.Find(s.Deployments())
			for i := range installations {
				in := &installations[i]
				q := w.queueOf(s, p, in, list)
				for _, d := range in.Deployments() {
					h := health{s: s, p: p, in: in, d: d, pods: operator.PodsOf(d, pods), queue: q}
					if f, found := h.judge(); found {
						a.Findings = append(a.Findings, f)
					}
				}
			}
			return a
		},
	}
}

// notReadyWhat is what SD1002 has as its cause, where it is known.
const notReadyWhat = "not ready"

// health is what is known of a Deployment of the operator.
type health struct {
	s     *snapshot.Snapshot
	p     Params
	in    *operator.Installation
	d     *snapshot.Deployment
	pods  []*snapshot.OperatorPod
	queue queue
}

// judge returns the worst that is wrong with the Deployment.
func (h *health) judge() (Finding, bool) {
	d, controls := h.d, h.d == h.in.Controller
	if !applied(&d.Object) {
		return Finding{}, false
	}
	f := Finding{
		Object: d.Ref, Location: d.Location, Labels: d.Labels, Field: "status.readyReplicas",
		Evidence: []Evidence{{Object: d.Ref, Field: "status.readyReplicas", Value: fmt.Sprintf("%d of %d", d.Ready, d.Replicas)}},
	}
	worst, sick := h.worst()
	switch settling := young(h.s, h.p, d.Created, d.Changed); {
	case d.Replicas == 0 && controls && len(h.queue.waiting) > 0:
		f.Severity, f.What, f.Field = Warning, "scaled to zero", "spec.replicas"
		f.Message = "scaled to zero, while " + h.queue.text()
	case d.Replicas == 0:
		return f, false
	case d.Ready == 0 && !settling && !h.anyReady() && (controls || sick):
		// A webhook of which nothing else is known is SD1002's.
		f.Severity, f.What = Error, notReadyWhat
		f.Message = fmt.Sprintf("none of %s of operator %s is ready", counted(int(d.Replicas), "replica"), h.in.Stated)
		if sick {
			f.Message += ": " + worst.text()
		}
		if controls && len(h.queue.waiting) > 0 {
			f.Message += "; " + h.queue.text()
		}
	case sick && worst.restarting(h.s.TakenAt):
		f.Severity, f.What = Warning, "restarting"
		f.Message = "keeps restarting: " + worst.text()
	case controls && d.Ready > 0 && h.queue.behind():
		f.Severity, f.Certainty, f.What = Warning, Likely, "behind"
		f.Message = fmt.Sprintf("operator %s does not keep up: %s, and %d were submitted in the last %s", h.in.Stated, h.queue.text(), h.queue.submitted, h.p.NewAfter)
	default:
		return f, false
	}
	if sick {
		f.Related = append(f.Related, worst.pod.Ref)
		f.Evidence = append(f.Evidence, worst.evidence()...)
	}
	if controls {
		f.Evidence = append(f.Evidence, h.queue.evidence()...)
	}
	return f, true
}

// anyReady reports whether a pod says that it is ready, which is newer than what the Deployment says.
func (h *health) anyReady() bool {
	return slices.ContainsFunc(h.pods, func(p *snapshot.OperatorPod) bool { return p.Ready })
}

// illness is what is wrong with a pod of the operator.
type illness struct {
	pod *snapshot.OperatorPod
	snapshot.ContainerIll
}

// worst returns the pod with most to say: one that waits, or the one that restarted most.
func (h *health) worst() (illness, bool) {
	var all []illness
	for _, p := range h.pods {
		if p.Pending != "" && p.Phase == "Pending" {
			all = append(all, illness{pod: p})
		}
		for _, ill := range p.Ills {
			all = append(all, illness{p, ill})
		}
	}
	if len(all) == 0 {
		return illness{}, false
	}
	return slices.MaxFunc(all, func(a, b illness) int {
		if x, y := a.Waiting != "", b.Waiting != ""; x != y {
			return sign(x)
		}
		return a.Restarts - b.Restarts
	}), true
}

func sign(yes bool) int {
	if yes {
		return 1
	}
	return -1
}

const (
	manyRestarts  = 3              // of one container: a node that went or a lost lease makes one
	recentRestart = time.Hour      // an older one is history
	recentOOM     = 24 * time.Hour // a process that grows with the fleet dies again
)

// restarting reports whether the container ended lately and not for the first time, or ran out of memory.
func (i illness) restarting(now time.Time) bool {
	if i.Waiting != "" {
		return i.Restarts >= manyRestarts
	}
	ago := now.Sub(i.EndedAt)
	return i.Ended != "" && (i.Ended == oomKilled && ago < recentOOM || i.Restarts >= manyRestarts && i.ExitCode != 0 && ago < recentRestart)
}

const oomKilled = "OOMKilled"

func (i illness) text() string {
	if i.Name == "" {
		return fmt.Sprintf("pod %s has no node: %s", i.pod.Name, i.pod.Pending)
	}
	text := fmt.Sprintf("container %s of pod %s", i.Name, i.pod.Name)
	if i.Waiting != "" {
		text += " waits in " + i.Waiting
	}
	if i.Restarts > 0 {
		text += fmt.Sprintf(", restarted %s", times(i.Restarts))
	}
	if i.Ended != "" {
		text += fmt.Sprintf(", last ended at %s with %s (exit code %d)", second(i.EndedAt), i.Ended, i.ExitCode)
	}
	return text
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

func (i illness) evidence() []Evidence {
	if i.Name == "" {
		return []Evidence{{Object: i.pod.Ref, Field: "status.conditions", Value: i.pod.Pending}}
	}
	field := fmt.Sprintf("status.containerStatuses[%s].", i.Name)
	out := []Evidence{{Object: i.pod.Ref, Field: field + "restartCount", Value: fmt.Sprint(i.Restarts)}}
	if i.Waiting != "" {
		out = append(out, Evidence{Object: i.pod.Ref, Field: field + "state.waiting.reason", Value: i.Waiting})
	}
	if i.Ended != "" {
		out = append(out, Evidence{Object: i.pod.Ref, Field: field + "lastState.terminated", Value: fmt.Sprintf("%s, exit code %d, at %s", i.Ended, i.ExitCode, second(i.EndedAt))})
	}
	return out
}
