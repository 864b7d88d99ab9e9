package mechanism

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

// Running is an application at work, or one that is about to start. That pods run does not mean that the job gets on, and where executors
// failed before these, nothing may get done: it is then likely, or slow, at most. The states of executors are those that the operator
// writes (internal/controller/sparkapplication/controller.go@v2.5.2).
type Running struct {
	For       time.Duration // since the driver was created
	Executors int           // that run
	Asked     int           // for; 0: the spec does not say
	Sidecars  []SidecarExit
	Failed    int  // executors before these; 0: none that matter
	OOMKilled int  // of these, where that is why the work is slow
	Plain     bool // it is a pod that Spark did not make, and no executor of it was seen
	Unsaid    bool // the pods of these are gone, and nothing that was seen says why
	// Replaced says that others took their place, with which a stream keeps up, or tasks finish.
	Replaced bool
	Younger  bool // executors that run began long after the driver
	Work     WorkSeen
	Server   string // of Spark that the driver is; empty: it is none
}

// Mechanism names what was found.
func (Running) Mechanism() cause.ID { return "running" }

// SidecarExit is a container beside the driver that failed.
type SidecarExit struct {
	Name string
	Code int
}

// justStarted is how long a driver may run before its first executor does without a question: Spark asks for executors once its context is
// made, and they pull their image.
const justStarted = time.Minute

// running is about an application whose driver runs.
func running(v *View) []cause.Cause {
	if !v.runsNow() || v.apacheTooFew() {
		return nil
	}
	d := atRun(v)
	d.Plain = d.Asked == 0 && len(v.Executors) == 0 && app.RoleOf(v.Driver) == ""
	c := cause.Cause{Class: cause.RunningNormally, Role: cause.ExecutorRole, Subject: v.AppRef(), Trust: cause.ByPod,
		At: v.Driver.CreationTimestamp.UTC(),
		Evidence: append([]cause.Proof{{Object: Ref(v.Driver), Field: "status.phase", Value: string(v.Driver.Status.Phase)}},
			v.stateProof()...)}
	lost := v.unexplained()
	switch {
	case d.Replaced && v.KeepsUp():
	case v.Failing():
		c.Certainty, c.Detail = check.Likely, d
		if d.Executors > 0 {
			c.Class = cause.SlowButProgressing // at best
		}
		return []cause.Cause{c}
	case d.Unsaid:
		c.Class, c.Topics = cause.SlowButProgressing, cause.Unsaid
		c.Certainty = check.Likely
	case d.OOMKilled > 0:
		c.Class, c.Topics = cause.SlowButProgressing, cause.OOMKilled|cause.OwnLimit
	case lost >= 2 && 2*lost >= d.Asked:
		c.Certainty = check.Likely // what ended them was not seen
	}
	if d.Executors < d.Asked {
		c.Class, c.Certainty = cause.SlowButProgressing, check.Likely
		if v.starting() && 2*d.Executors >= d.Asked {
			c.Class = cause.RunningNormally // a replacement is on its way
		}
		switch {
		case d.Executors > 0:
		case d.For < justStarted && v.failed() == 0:
			c.Class = cause.RunningNormally
		default:
			c.Class, c.Effect = cause.Unknown, true
		}
	}
	if c.Class == cause.RunningNormally && c.Certainty == check.Proven {
		if d.Work = v.workSeen(); d.Work != WorkShown {
			c.Certainty = check.Likely // that pods run does not mean that the job gets on
		}
	}
	c.Detail = d
	return []cause.Cause{c}
}

// WorkSeen is whether what an application works at was seen.
type WorkSeen int

// What was seen of work.
const (
	WorkShown   WorkSeen = iota // the log tells of it lately, or the driver is too young for it
	WorkUnread                  // no log of the driver was read
	WorkBegun                   // its log tells of a stage, and of no task that finished lately
	WorkUnshown                 // its log tells of none lately
)

// workSeen reports it. The same pods run where a job waits for what never comes; a server waits for its clients.
func (v *View) workSeen() WorkSeen {
	w := &v.Work
	switch {
	case v.Now.Sub(v.Driver.CreationTimestamp.Time) < quietFor, v.Progresses(), v.Idle(), w.Commits != "", v.IsConnect(), v.Server() != "":
		return WorkShown
	case w.Stage != (logs.Stage{}):
		return WorkBegun
	case w.Seen:
		return WorkUnshown
	default:
		return WorkUnread
	}
}

// runsNow reports whether the driver runs, and the operator has not given the application up.
func (v *View) runsNow() bool {
	return v.DriverRuns() && v.State != "FAILED" && v.State != "COMPLETED" && !v.Apache.Failed()
}

// atRun is what runs, and what failed before it.
func atRun(v *View) Running {
	d := Running{For: v.Now.Sub(v.Driver.CreationTimestamp.Time), Executors: v.Running(), Asked: v.Spec.Asked()}
	for _, s := range v.Driver.Status.ContainerStatuses {
		if t := s.State.Terminated; t != nil && t.ExitCode != 0 && s.Name != app.MainName(v.Driver) {
			d.Sidecars = append(d.Sidecars, SidecarExit{Name: s.Name, Code: int(t.ExitCode)})
		}
	}
	d.Younger, d.Server = v.executorsYounger(d.For), v.Server()
	lost, oom := v.unexplained(), outgrown(v)
	switch {
	case oom == 0 && v.failed() > 0 && v.KeepsUp():
		d.Failed, d.Replaced = v.failed(), true
	case v.Failing():
		d.Failed = v.failed()
	case v.Relapsing(), d.Asked > 0 && lost >= max(3, d.Asked):
		d.Failed, d.Unsaid = max(v.failed(), oom), true
	case oom > 0 && v.failed() >= 2 && 2*v.failed() >= d.Asked:
		d.Failed, d.OOMKilled = max(v.failed(), oom), oom
	case oom == 0 && v.failed() > 0 && d.Asked > 0 && d.Executors >= d.Asked && v.Progresses():
		d.Failed, d.Replaced = v.failed(), true
	}
	return d
}

// executorsYounger reports whether an executor that runs began so much later than the driver that its time is another.
func (v *View) executorsYounger(driver time.Duration) bool {
	const much = 10 * time.Minute
	return slices.ContainsFunc(v.Executors, func(p *corev1.Pod) bool {
		c := app.Container(p)
		if c == nil || c.State.Running == nil {
			return false
		}
		later := driver - v.Now.Sub(c.State.Running.StartedAt.Time)
		return later > max(much, driver/10)
	})
}

// outgrown counts executors that ended at their own memory limit.
func outgrown(v *View) int {
	n := 0
	for _, e := range ends(v) {
		if e.Why.Kind == OOMKilled {
			n++
		}
	}
	return n
}
