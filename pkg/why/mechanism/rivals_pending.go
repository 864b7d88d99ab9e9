package mechanism

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// scheduledSince: the pod has a node by now. Its own status tells, and an event that came later than the condition.
func scheduledSince() Rival {
	return Rival{Rival: cause.Rival{ID: "scheduled-since", Is: "the pod got a node since"},
		Stands: func(v *View, c *cause.Cause) cause.Standing {
			p := v.Pod(c.Subject.Name)
			if p == nil {
				return cause.NotSeen
			}
			refused := time.Time{}
			if s := condition(p, corev1.PodScheduled); s != nil {
				if s.Status == corev1.ConditionTrue {
					return cause.Present
				}
				refused = s.LastTransitionTime.Time
			}
			return ifSeen(p.Spec.NodeName != "" || v.laterEvent(p.Name, refused, "Scheduled"))
		}}
}

// startedSince: the containers started by now, so that the image is there, the volumes are mounted and the objects exist.
func startedSince() Rival {
	return Rival{Rival: cause.Rival{ID: "started-since", Is: "the pod got over it since"},
		Stands: func(v *View, c *cause.Cause) cause.Standing {
			p := v.Pod(c.Subject.Name)
			if p == nil {
				return ifSeen(!neverStarted(v, c.Subject.Name)) // events of one that is gone tell that it did not start
			}
			s := app.Container(p)
			started := s != nil && (s.State.Running != nil || s.State.Terminated != nil)
			if started {
				return cause.Present
			}
			return ifSeen(v.laterEvent(p.Name, lastProof(c), "Started", "SuccessfulAttachVolume", "SuccessfulMountVolume"))
		}}
}

// pulledSince: the kubelet says when it has an image.
func pulledSince() Rival {
	return Rival{Rival: cause.Rival{ID: "pulled-since", Is: "the image was pulled since"},
		Stands: func(v *View, c *cause.Cause) cause.Standing {
			events := v.eventsOn("Pod", c.Subject.Name, "Pulled", "Failed", "BackOff", "ErrImageNeverPull", "InspectFailed")
			return ifSeen(len(events) > 0 && events[len(events)-1].Reason == "Pulled")
		}}
}

// waitDeleted: a pod that is being deleted waits for nothing else any more.
func waitDeleted() Rival {
	return Rival{Rival: cause.Rival{ID: "pod-deleted", Is: "the pod is being deleted"},
		Stands: func(v *View, c *cause.Cause) cause.Standing {
			p := v.Pod(c.Subject.Name)
			return ifSeen(p != nil && p.DeletionTimestamp != nil)
		}}
}

// admittedSince: the object that stands for the application has since been let in.
func admittedSince() Rival {
	return Rival{Rival: cause.Rival{ID: "admitted-since", Is: "the queue let it in since"},
		Stands: func(v *View, c *cause.Cause) cause.Standing {
			for i := range v.Queued {
				q := &v.Queued[i]
				if q.Kind != c.Subject.Kind || q.Name != c.Subject.Name {
					continue
				}
				return ifSeen(letIn(*q))
			}
			return cause.NotSeen
		}}
}

// letIn reports whether a Workload or PodGroup is one that its queue has let in.
func letIn(q app.Queued) bool {
	return slices.ContainsFunc(q.Conditions, func(c app.Condition) bool {
		letsIn := c.Type == "Admitted" || c.Type == "Scheduled"
		return letsIn && c.Status == "True"
	})
}

// limitDefaulted: a LimitRange that was not seen may give executors the limit that a quota asks for.
func limitDefaulted() Rival {
	return Rival{Rival: cause.Rival{ID: "limit-defaulted", Is: "a LimitRange that was not seen sets the limit"},
		Stands: func(v *View, c *cause.Cause) cause.Standing {
			d, is := c.Detail.(QuotaRefuses)
			lacksRoom := is && !d.Unset
			if lacksRoom || v.Work.Unset || !v.mayMiss("limitranges") {
				return cause.RuledOut
			}
			return cause.NotSeen
		}}
}

// executorsCame: what a quota refuses does not come.
func executorsCame() Rival {
	return Rival{Rival: cause.Rival{ID: "executors-came", Is: "the executors came since"},
		Stands: func(v *View, _ *cause.Cause) cause.Standing {
			return ifSeen(v.Spec.Asked() > 0 && v.Running() >= v.Spec.Asked())
		}}
}

// laterEvent reports whether an event about a pod came after a time.
func (v *View) laterEvent(pod string, after time.Time, reasons ...string) bool {
	return slices.ContainsFunc(v.eventsOn("Pod", pod, reasons...), func(e app.Event) bool { return e.Last.After(after) })
}

// lastProof is when the last that proves a cause was seen.
func lastProof(c *cause.Cause) time.Time {
	last := c.At
	for _, p := range c.Evidence {
		if p.At.After(last) && !p.Beside {
			last = p.At
		}
	}
	return last
}

func needsOfPending() map[cause.ID]Needs {
	const kubelet = "the kubelet says in the status of the container why it waits"
	scheduler := Needs{Rivals: []Rival{scheduledSince(), waitDeleted()}, Because: "the scheduler says so in the condition of the pod; " +
		"volumes, queues and nodes that are on their way are asked before"}
	onNode := Needs{Rivals: []Rival{startedSince(), waitDeleted()}, Because: "the kubelet or the attach controller says so in an event"}
	waits := Needs{Rivals: []Rival{startedSince(), waitDeleted()}, Because: kubelet}
	return map[cause.ID]Needs{
		"unschedulable": scheduler, "volume-wanted": scheduler, "claim-unbound": scheduler, "claim-missing": scheduler,
		"no-free-volume": scheduler, "queue-full": scheduler, "volumes-full": scheduler,
		"placeholders-smaller": {Rivals: []Rival{scheduledSince(), waitDeleted()},
			Because: "YuniKorn says so in an event, and the annotation of the driver has the size of the placeholders"},
		"node-coming":         {Guess: "that an autoscaler adds a node does not say that it comes"},
		"scheduling-gated":    {Guess: "what takes a gate away is not in the pod"},
		"scheduler-silent":    {Guess: "that a scheduler says nothing may mean that its events were not seen"},
		"pending-unexplained": {Guess: "nothing says why the pod waits"},
		"image-pull":          {Rivals: []Rival{pulledSince(), startedSince(), waitDeleted()}, Because: kubelet},
		"image-pulls":         {Because: "the kubelet says that it pulls, and no later event that it did or could not"},
		"container-unmade":    waits, "container-crashes": {Guess: "that a container ends again and again does not say why"},
		"volume-unmounted": onNode, "object-missing": onNode, "config-map-unmade": onNode, "sandbox-unmade": onNode,
		"init-container-runs": {Guess: "how long an init container takes is its own affair"},
		"queue-holds":         {Rivals: []Rival{admittedSince()}, Because: "the queue says so in a condition of the object that stands for it"},
		"quota-refuses": {Rivals: []Rival{limitDefaulted(), executorsCame()}, Because: "a shortage of room in a quota that is " +
			"computed is likely at most, and what the API server said of it is in the log of the driver"},
		"above-limit-range":   {Guess: "the refusal itself was not seen"},
		"limit-below-request": {Guess: "the refusal itself was not seen"},
	}
}
