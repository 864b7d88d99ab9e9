package mechanism

import (
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// Lost counts executors that ended alike.
type Lost struct {
	N  int
	Of int // are known of the run, gone or not
}

// maxFailures is after how many failures of one task Spark gives up the job (spark.task.maxFailures, docs/configuration.md@v3.5.5).
const maxFailures = 4

// executorsLost are the reasons why executors ended, one cause each.
func executorsLost(v *View) []cause.Cause {
	groups := map[EndReason][]End{}
	var whys []EndReason
	for _, e := range v.Ends {
		if groups[e.Why] == nil {
			whys = append(whys, e.Why)
		}
		groups[e.Why] = append(groups[e.Why], e)
	}
	out := make([]cause.Cause, 0, len(whys))
	for _, why := range whys {
		out = append(out, lost(v, why, groups[why]))
	}
	return out
}

// lost is one reason.
func lost(v *View, why EndReason, of []End) cause.Cause {
	first, lost := of[0], Lost{N: len(of), Of: max(len(v.Names()), len(of))}
	c := cause.Cause{Class: cause.ClusterKilled, Role: cause.ExecutorRole, Certainty: check.Likely, Subject: first.Pod, At: first.At,
		Trust: first.Trust, Effect: recovered(v, why, of)}
	for i, e := range of {
		if i < maxFailures {
			c.Evidence = append(c.Evidence, e.Proof)
		}
		if e.By != of[0].By {
			first.By = "" // several did
		}
		if id := executorID(v, e.Pod.Name); id != "" && e.Proof.Object.Kind == "Pod" {
			c.Executors = append(c.Executors, id)
		}
	}
	if len(of) >= maxFailures || v.atWork() {
		c.Certainty = check.Proven
	}
	switch why.Kind {
	case OOMKilled:
		d, seen := executorsOOM(v, lost, first)
		c.Detail, c.Topics, c.Evidence = d, ofOOM, append(c.Evidence, seen...)
	case Evicted:
		d, seen := executorsEvicted(v, lost, first)
		c.Detail, c.Topics, c.Evidence = d, d.For.topics(), append(c.Evidence, seen...)
		c = ofImage(&c, d.Unfit)
	case Preempted:
		d := preemption(v, "executor", first.Message)
		d.Lost = lost
		c.Detail = d
	case Drained:
		c.Detail = Drain{Removal: executorsRemoved(v, lost, first)}
	case Descheduled:
		c.Detail = Descheduling{executorsRemoved(v, lost, first)}
	case NodeLost:
		c.Detail = LostNode{Removal: executorsRemoved(v, lost, first)}
	case Deadline:
		c.Detail = PastDeadline{Removal: executorsRemoved(v, lost, first)}
	case Rejected:
		c.Class = cause.Scheduling // as of a driver: the node had no room
		d := Rejection{executorsRemoved(v, lost, first), sharedDevices(v, cause.ExecutorRole, first.Message), deviceRefused(first.Message)}
		d.Node = v.oneNode(of)
		c.Detail = d
	case Unstarted:
		u := executorsUnstarted(lost.N, lost.Of, first)
		c.Class, c.Topics = u.Class, u.Topics
		c.Effect, c.Certainty = c.Effect || u.Effect, max(c.Certainty, u.Certainty)
		c.Detail = u.Detail
	case JVMMemory:
		c.Class, c.Topics = cause.Configuration, cause.Memory|cause.Exit52
		c.Detail = JVMOutOfMemory{Lost: lost, Heap: v.Spec.Heap("executor")}
	default:
		c.Class, c.Effect = cause.Unknown, true
		c.Certainty = check.Likely
		c.Detail = executorExits(v, lost, of)
	}
	return c
}

// oneNode is the node of pods that ended; empty: they had several, or it is not known.
func (v *View) oneNode(of []End) string {
	node := ""
	for i, e := range of {
		p := v.Pod(e.Pod.Name)
		if p == nil || i > 0 && p.Spec.NodeName != node {
			return ""
		}
		node = p.Spec.NodeName
	}
	return node
}

// executorID is how Spark numbers an executor, by the label of its pod. Of one that is gone the end of its name tells, which is the same.
func executorID(v *View, pod string) string {
	if p := v.Pod(pod); p != nil && p.Labels[snapshot.ExecutorIDLabel] != "" {
		return p.Labels[snapshot.ExecutorIDLabel]
	}
	return app.PodNameOf(pod).Executor
}

// recovered reports whether the application got over it. While it runs and has what it asked for, it recovered from losses that came from
// outside; its own appetite will end the next executors, too.
func recovered(v *View, why EndReason, of []End) bool {
	own := slices.Contains([]EndKind{OOMKilled, Evicted, JVMMemory, Unstarted}, why.Kind)
	switch {
	case v.succeeded():
		return true
	case !own && len(of) < maxFailures, own && v.ExitedByItself() && max(len(of), v.failed()-v.Spec.Asked()) < maxFailures:
		return true // Spark runs the tasks again elsewhere: a few losses end no job
	default:
		few := !own || len(of) < 3
		return few && v.atWork() && complete(v)
	}
}
