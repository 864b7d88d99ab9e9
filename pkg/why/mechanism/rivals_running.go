package mechanism

import (
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// nodeLost: pods of a node that does not answer keep the state that they had. The node controller then marks them as not ready, while
// their containers stay so (kubernetes pkg/controller/util/node/controller_utils.go, MarkPodsNotReady@v1.36.3).
func nodeLost() Rival {
	return Rival{Rival: cause.Rival{ID: "node-lost", Is: "its node does not answer, and the pod only counts as running"},
		Stands: func(v *View, _ *cause.Cause) cause.Standing {
			p := v.Driver
			if p == nil {
				return cause.NotSeen
			}
			if n := v.Node(p.Spec.NodeName); n != nil {
				for i := range n.Status.Conditions {
					if c := &n.Status.Conditions[i]; c.Type == corev1.NodeReady {
						return ifSeen(c.Status != corev1.ConditionTrue)
					}
				}
			}
			ready := condition(p, corev1.PodReady)
			down := func(s corev1.ContainerStatus) bool { return !s.Ready }
			return ifSeen(ready != nil && ready.Status == corev1.ConditionFalse && ready.Reason == "" &&
				len(p.Status.ContainerStatuses) > 0 && !slices.ContainsFunc(p.Status.ContainerStatuses, down))
		}}
}

// driverDeleted: a driver that is being deleted runs for its grace period.
func driverDeleted() Rival {
	return Rival{Rival: cause.Rival{ID: "pod-deleted", Is: "the driver is being deleted"},
		Stands: func(v *View, _ *cause.Cause) cause.Standing {
			return ifSeen(v.Driver != nil && v.Driver.DeletionTimestamp != nil && app.Termination(v.Driver) == nil)
		}}
}

// swallowed: a program may exit with 0 although its job was given up. What fails after the last job has come to its end fails no work.
func swallowed() Rival {
	return Rival{Rival: cause.Rival{ID: "failure-swallowed", Is: "its log tells of a failure that it exited with 0 for"},
		Stands: func(v *View, _ *cause.Cause) cause.Standing {
			return ifSeen(v.Work.Seen && v.Work.Uncaught && v.Work.Open)
		}}
}

// ofEarlierRun: the driver's name comes back. Spark labels a pod with the submission that it is of.
func ofEarlierRun() Rival {
	return Rival{Rival: cause.Rival{ID: "earlier-run", Is: "the pod is of an earlier run"},
		Stands: func(v *View, _ *cause.Cause) cause.Standing {
			const label = "sparkoperator.k8s.io/submission-id"
			p, of := v.Driver, v.Status.SubmissionID
			switch {
			case p == nil:
				return cause.RuledOut // the operator says it of the run
			case of != "" && p.Labels[label] != "":
				return ifSeen(p.Labels[label] != of)
			default:
				return ifSeen(!v.Submitted.IsZero() && p.CreationTimestamp.Time.Before(v.Submitted.Add(-clockSkew)))
			}
		}}
}

// queueSuspends: Kueue sets spec.suspend of what has its label, and its Workload says so. One that let the application in suspends it no
// more.
func queueSuspends() Rival {
	return Rival{Rival: cause.Rival{ID: "queue-suspends", Is: "a queue holds it, and what the queue says of it was not seen"},
		Stands: func(v *View, c *cause.Cause) cause.Standing {
			const label = "kueue.x-k8s.io/queue-name"
			if v.Application == nil || c.Subject.Kind != v.Application.Kind {
				return cause.RuledOut
			}
			managed := v.Application.GetLabels()[label] != "" || len(v.Queued) > 0
			if !managed || slices.ContainsFunc(v.Queued, letIn) {
				return cause.RuledOut
			}
			return cause.NotSeen
		}}
}

func needsOfRunning() map[cause.ID]Needs {
	beside := Needs{Guess: "it stands beside a verdict, and is none"}
	runs := Needs{Rivals: []Rival{nodeLost(), driverDeleted()}, Because: "that the job gets on is asked of the log"}
	guess := func(why string) Needs { return Needs{Guess: why} }
	return map[cause.ID]Needs{
		"running": runs, "server-serves": runs,
		"ingress-speaks-http1": {Rivals: []Rival{nodeLost(), driverDeleted()},
			Because: "the ingress controller says what the server answered it with, and the server's pod is ready"},
		"completed": {Rivals: []Rival{ofEarlierRun(), swallowed()},
			Because: "the kubelet wrote the exit code 0, or the operator says so of a driver that it saw"},
		"marked-failed":    {Rivals: []Rival{ofEarlierRun(), swallowed()}, Because: "the kubelet wrote the exit code 0"},
		"still-runs":       {Rivals: []Rival{ofEarlierRun(), nodeLost(), driverDeleted()}},
		"ended-after-work": {Because: "its log says that the work was done and Spark had stopped: whoever sent the signal, it ended no work"},
		"gpu-shared":       {Explains: true, Because: "the executor that has the memory says so in its own log"},
		"never-met":        {Explains: true, Because: "the Workflow itself has the condition, and the application the state"},
		"suspended":        {Rivals: []Rival{queueSuspends()}, Because: "the field is the user's"},
		"local-master":     {Because: "the driver says in its log that it runs the tasks itself"},
		"debugger-awaited": {Rivals: []Rival{nodeLost(), driverDeleted(), optionChanged()},
			Because: "the agent says that it listens and nothing followed, and the option was seen to say that it waits"},
		"never-arrived": neverArrivedNeeds(),
		"volume-undeclared": {Rivals: []Rival{specChangedSince(), ofEarlierRun()},
			Because: "the spec itself says it, and the log misses a file below the mount"},
		"field-dropped":  {Explains: true, Because: "the spec was never changed since it was applied, and lacks what was applied"},
		"run-repeats":    guess("a program that is meant to run again and again looks alike"),
		"schedule-waits": guess("a run that takes long once looks alike"),
		"step-failed":    guess("a program that prints a failure and goes on on purpose looks alike"),
		"webhook-untrusted": {Explains: true, Because: "the API server said that it does not trust the certificate, and the configuration was " +
			"seen to hold another CA than the Secret"},
		"webhook-in-mesh": guess("whether the mesh insists on mTLS was not read"),
		"driver-blocks":   guess("what is between two pods is not in the API"),
		"committing":      beside, "between-work": beside, "stage-at-work": beside, "batch-late": beside, "tasks-refused": beside,
		"stream-at-work": beside, "server-idle": beside, "session-closed": beside, "server-restarted": beside, "stage-pace": beside,
		"in-mesh": beside, "held-by-secret": beside, "acted-as": beside, "run-holds-schedule": beside, "submitter-elsewhere": beside,
		"left-pod": beside, "gave-up-waiting": beside, "quota-held": beside, "stage-rerun": beside, "commits-retried": beside,
		"user-nameless": beside, "files-in-memory": beside, "losses-made-good": beside, "error-at-stop": beside,
		"images-differ": beside, "executors-on-spot": beside, "azure-identity": beside, "stage-given-up": beside, "checkpoint-shared": beside,
		"ansi-by-default":   beside,
		"run-killed-before": beside, "searched-elsewhere": guess("which address the name got was not seen"),
		"driver-not-ready":     beside,
		"connect-retries":      guess("what a client does between its tries is not known"),
		"log-elsewhere":        guess("that a log lies elsewhere says nothing of the reason"),
		"straggler":            guess("that a task spills does not say that its partition is larger than the others"),
		"driver-silent":        guess("silence tells nothing"),
		"does-not-exit":        guess("a driver that cleans up looks alike for minutes"),
		"entrypoint-not-spark": guess("what a program of the image does is not known"),
		"apache-timed-out":     guess("what else a driver needs to start in time is not known"),
		"apache-stands":        guess("that it has a state does not mean that the job gets on"),
		"apache-stopped":       guess("who deleted it is not in the status"),
		"apache-executors-timed-out": {Rivals: []Rival{apacheSpecChanged()},
			Because: "the operator says that executors were too few, and the spec itself allows fewer than it waits for"},
		"apache-refused":         {Because: "the operator wrote down what the API server answered it"},
		"apache-evicted":         {Because: "the operator takes it from the reason that the kubelet wrote into the pod"},
		"apache-failed":          {Because: "the operator kept what the kubelet recorded of the container"},
		"apache-succeeded":       {Because: "the operator says so of a driver that it saw exit with 0"},
		"standalone-too-small":   guess("a worker that was not seen may be larger, and taken by another application"),
		"mount-ended":            guess("which mount the process served was not read"),
		"mesh-one-sided":         guess("what is between two pods is not in the API"),
		"proxy-late":             guess("what is between two pods is not in the API"),
		"executors-unregistered": guess("what is between two pods is not in the API"),
		"executors-missing":      guess("that executors are missing does not say why"),
		"executors-failing":      guess("that executors fail does not say why"),
		"service-gone":           guess("a Service that was not seen may be there"),
		"policy-blocks":          guess("whether the network enforces policies is not in the API"),
		"end-unrecorded":         guess("an operator that is only late looks alike"),
		"status-behind":          guess("an operator that is only late looks alike"),
	}
}
