package mechanism

import (
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

// What is found here explains or completes a cause that was found by itself: package rank says which.

// DriverNotReady is why the name of a driver that runs does not resolve: DNS names only ready pods for a headless Service, unless it
// publishes others, too.
type DriverNotReady struct {
	Reason, Message string // of its condition Ready, which is False
}

// Mechanism names it.
func (DriverNotReady) Mechanism() cause.ID { return "driver-not-ready" }

// NameOfUnready says why the name of the driver's Service does not resolve, where a log cause complains of that name.
func NameOfUnready(v *View, about *cause.Cause) (cause.Cause, bool) {
	failed, is := about.Detail.(logs.Failure)
	if !is || about.Class != cause.Network || !failed.Connection.Unresolved {
		return cause.Cause{}, false
	}
	not := notReady(v)
	if not == nil || over(v.Driver, about.At) {
		return cause.Cause{}, false
	}
	at := not.LastTransitionTime.UTC()
	return cause.Cause{Class: cause.Network, Role: cause.DriverRole, Subject: Ref(v.Driver), At: at, Trust: cause.ByPod,
		Detail: DriverNotReady{Reason: not.Reason, Message: not.Message}, Evidence: []cause.Proof{{Object: Ref(v.Driver),
			Field: "status.conditions[Ready]", Value: stated("False "+not.Reason, not.Message), At: at}}}, true
}

// WorkersKilled is about Python workers that the kernel killed for memory while tasks failed. A worker that crashes by itself looks alike:
// no event of a node tells of a kill then.
type WorkersKilled struct {
	Processes int
	// Limit is the memory limit of the containers that they were in, in MiB: the kernel's words are those for a limit, and not for a node
	// that is full (oom_kill_process in mm/oom_kill.c of torvalds/linux); 0: it was another, or is not known.
	Limit   int64
	Largest resource.Quantity // memory that one of them held, as the kernel says; zero: it does not
	AtOnce  int               // workers of an executor: as many as it runs tasks; 0: not known
}

// Mechanism names it.
func (WorkersKilled) Mechanism() cause.ID { return "workers-killed" }

// crashWindow is how long before a job is given up for a crashed worker the kernel may have killed it: the time of the last tries. Where
// the nodes of the executors are known, all tries count, of which the first may be much earlier.
const crashWindow = time.Minute

// KilledWorkers says why Python workers crashed, where the nodes tell that the kernel killed some.
func KilledWorkers(v *View, about *cause.Cause) (cause.Cause, bool) {
	if about.At.IsZero() {
		return cause.Cause{}, false
	}
	nodes, from := executorNodes(v), about.At
	if f, is := about.Detail.(logs.Failure); is && len(nodes) > 0 && !f.FirstTry.IsZero() && f.FirstTry.Before(from) {
		from = f.FirstTry
	}
	kills := kernelKills(v, "python", nodes, from.Add(-crashWindow), about.At.Add(time.Minute))
	if len(kills) == 0 {
		return cause.Cause{}, false
	}
	out := cause.Cause{Class: cause.ClusterKilled, Certainty: about.Certainty, Role: about.Role, Topics: cause.Memory,
		Subject: about.Subject, At: about.At, Trust: about.Trust,
		Detail: WorkersKilled{Processes: len(kills), Limit: v.limitOfKilled(kills), Largest: largestKilled(kills), AtOnce: v.tasksAtOnce()}}
	for _, e := range kills {
		out.Evidence = append(out.Evidence, cause.Proof{Object: e.Involved, Field: "event " + e.Reason, Value: e.Message, At: e.Last})
	}
	return out, true
}

// limitOfKilled is the limit of the executors' containers, where the kernel killed for a limit.
func (v *View) limitOfKilled(kills []app.Event) int64 {
	ofLimit := func(e app.Event) bool { return strings.Contains(e.Message, "Memory cgroup out of memory") }
	if slices.ContainsFunc(kills, func(e app.Event) bool { return !ofLimit(e) }) {
		return 0
	}
	l := v.Limit(cause.ExecutorRole)
	return l.MiB()
}

// InMesh is the sidecar of a service mesh that stands between pods that cannot reach each other.
type InMesh struct {
	Sidecar string
}

// Mechanism names it.
func (InMesh) Mechanism() cause.ID { return "in-mesh" }

// MeshOf is the sidecar of a service mesh in the pods of the application.
func MeshOf(v *View) (cause.Cause, bool) {
	proxy := func(c corev1.Container) bool {
		return slices.Contains([]string{"istio-proxy", "linkerd-proxy"}, c.Name)
	}
	for i := range v.Pods {
		p := &v.Pods[i]
		// A native sidecar is an init container (istio-proxy since Istio 1.27, where the cluster has them).
		if at := slices.IndexFunc(slices.Concat(p.Spec.Containers, p.Spec.InitContainers), proxy); at >= 0 {
			name := slices.Concat(p.Spec.Containers, p.Spec.InitContainers)[at].Name
			return cause.Cause{Class: cause.Network, Subject: Ref(p), Trust: cause.BySpec, Detail: InMesh{Sidecar: name},
				Evidence: []cause.Proof{{Object: Ref(p), Field: "spec.containers", Value: name}}}, true
		}
	}
	return cause.Cause{}, false
}

// RunHoldsSchedule is about a schedule that starts nothing because its last run is not over: concurrencyPolicy is Forbid
// (shouldStartNextRun, internal/controller/scheduledsparkapplication/controller.go@v2.5.2).
type RunHoldsSchedule struct {
	Due time.Duration // since when a run is
	Run string        // that is not over
}

// Mechanism names it.
func (RunHoldsSchedule) Mechanism() cause.ID { return "run-holds-schedule" }

// HeldSchedule says that the run which is asked about keeps its schedule from starting others.
func HeldSchedule(v *View) (cause.Cause, bool) {
	s := v.Schedule
	if s == nil || v.Application == nil || v.Subject.Kind != s.Kind && s.LastRun != v.Application.Name {
		return cause.Cause{}, false
	}
	next := s.Next
	isOver := over(v.Driver, time.Time{}) || v.State == "FAILED" || v.State == "COMPLETED"
	if s.ConcurrencyPolicy != "Forbid" || next.IsZero() || !v.Now.After(next) || isOver {
		return cause.Cause{}, false
	}
	return cause.Cause{Class: cause.Unknown, Effect: true, Subject: s.Ref(), Trust: cause.ByCondition,
		Detail: RunHoldsSchedule{Due: v.Now.Sub(next), Run: v.Application.Name},
		Evidence: []cause.Proof{{Object: s.Ref(), Field: "spec.concurrencyPolicy", Value: s.ConcurrencyPolicy},
			{Object: s.Ref(), Field: "status.nextRun", Value: s.NextRun, At: next.UTC()}}}, true
}

// SubmitterNameless says that the operator's controller pod has a user ID without a name: Hadoop asks for the name before anything else,
// also where HADOOP_USER_NAME is set
// (hadoop-common-project/hadoop-common/src/main/java/org/apache/hadoop/security/UserGroupInformation.java of
// apache/hadoop@rel/release-3.3.3, where UnixLoginModule is required).
type SubmitterNameless struct{}

// Mechanism names it.
func (SubmitterNameless) Mechanism() cause.ID { return "submitter-nameless" }

// NamelessSubmitter finds it in what spark-submit printed.
func NamelessSubmitter(v *View, about *cause.Cause) (cause.Cause, bool) {
	if v.Application == nil || !Nameless(about) {
		return cause.Cause{}, false
	}
	return cause.Cause{Class: cause.Submission, Certainty: about.Certainty, Role: about.Role, Subject: about.Subject, At: about.At,
		Trust: about.Trust, Detail: SubmitterNameless{}}, true
}

// Nameless reports whether spark-submit failed because its user has no name.
func Nameless(c *cause.Cause) bool {
	return c.Role == cause.SubmissionRole && c.Signature == "user-without-name"
}

// SubmitterElsewhere says that spark-submit runs in the operator's controller pod, with its image, files and network.
type SubmitterElsewhere struct {
	Resolves string // the field that lists the packages which it failed to resolve; empty: it failed at something else
	ReadOnly bool   // the root filesystem of its container, where it failed to write to a folder that no volume holds
}

// Mechanism names it.
func (SubmitterElsewhere) Mechanism() cause.ID { return "submitter-elsewhere" }

// SubmittedElsewhere says where spark-submit runs that failed, and which field lists the packages that Ivy resolves for it
// (spark.jars.packages: getIvyProperties in core/src/main/scala/org/apache/spark/util/DependencyUtils.scala, apache/spark@041b568).
func SubmittedElsewhere(v *View, about *cause.Cause) cause.Cause {
	c := cause.Cause{Class: about.Class}
	resolving := slices.Contains([]string{"ivy-cache", "ivy-unresolved", "ivy-download-failed", "ivy-checksum", "maven-unreachable"},
		about.Signature)
	listed := v.Spec.Conf["spark.jars.packages"]
	readOnly := readOnlySubmitter(v, about)
	switch {
	case resolving && len(v.Spec.Packages) > 0:
		c.Detail = SubmitterElsewhere{Resolves: "spec.deps.packages", ReadOnly: len(readOnly) > 0}
		c.Evidence = []cause.Proof{{Object: v.AppRef(), Field: "spec.deps.packages", Value: strings.Join(v.Spec.Packages, ", "), Beside: true}}
	case resolving && listed != "":
		c.Detail = SubmitterElsewhere{Resolves: "spark.jars.packages", ReadOnly: len(readOnly) > 0}
		c.Evidence = []cause.Proof{{Object: v.AppRef(), Field: "spec.sparkConf[spark.jars.packages]", Value: listed, Beside: true}}
	default:
		c.Detail = SubmitterElsewhere{ReadOnly: len(readOnly) > 0}
	}
	c.Evidence = append(c.Evidence, readOnly...)
	return c
}

// LeftPod is the pod that a failed submission left.
type LeftPod struct {
	Name string
}

// Mechanism names it.
func (LeftPod) Mechanism() cause.ID { return "left-pod" }

// GaveUpWaiting is a driver that got no executor and gave up for the time that took.
type GaveUpWaiting struct{}

// Mechanism names it.
func (GaveUpWaiting) Mechanism() cause.ID { return "gave-up-waiting" }
