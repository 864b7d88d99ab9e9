package installation

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// podHealth is what is wrong with a pod of the operator.
type podHealth struct {
	pod *snapshot.OperatorPod
	snapshot.ContainerIll
}

// worst returns the pod with most to say: one that waits, or the one that restarted most.
func (h *health) worst() (podHealth, bool) {
	var all []podHealth
	for _, p := range h.pods {
		if p.Pending != "" && p.Phase == "Pending" {
			all = append(all, podHealth{pod: p})
		}
		for _, ill := range p.Ills {
			all = append(all, podHealth{p, ill})
		}
	}
	if len(all) == 0 {
		return podHealth{}, false
	}
	return slices.MaxFunc(all, func(a, b podHealth) int {
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
	recentRestart = time.Hour      // an older one is history
	recentOOM     = 24 * time.Hour // a process that grows with the fleet dies again
)

// restarting reports whether the container ended lately and not for the first time, or ran out of memory.
func (i podHealth) restarting(now time.Time, many int) bool {
	if i.Waiting != "" {
		return i.Restarts >= many
	}
	if i.Ended == "" {
		return false
	}
	ago := now.Sub(i.EndedAt)
	outOfMemory := i.Ended == snapshot.OOMKilled && ago < recentOOM
	failsOften := i.Restarts >= many && i.ExitCode != 0 && ago < recentRestart
	return outOfMemory || failsOften
}

func (i podHealth) text(now time.Time) string {
	if i.Name == "" {
		return fmt.Sprintf("pod %s has no node: %s", i.pod.Name, i.pod.Pending)
	}
	text := fmt.Sprintf("container %s of pod %s", i.Name, i.pod.Name)
	if i.Waiting != "" {
		text += " is in " + i.Waiting
	}
	if i.Restarts > 0 {
		text += fmt.Sprintf(", restarted %s", times(i.Restarts))
	}
	if i.Ended != "" {
		text += fmt.Sprintf(", last exited %s with %s (exit code %d)", facts.When(i.EndedAt, now), i.Ended, i.ExitCode)
	}
	return text
}

// inBrief says for a verdict what is wrong with which process.
func (h *health) inBrief(f *check.Finding, worst podHealth, sick bool) (subject, brief string) {
	subject = "Spark Operator " + h.in.Stated
	if h.d != h.in.Controller {
		subject = "the webhook of " + subject
	}
	switch f.Kind {
	case notReady:
		subject, brief = subject+" is down", fmt.Sprintf("no replica is ready (0 of %d)", h.d.Replicas)
	case restarting:
		subject += " keeps restarting"
	case "scaled to zero":
		return subject + " is scaled to zero", h.queue.waits()
	case "behind":
		return subject + " does not keep up", h.queue.waits()
	}
	if sick {
		brief = worst.brief(f.Since, h.s.TakenAt)
	}
	return subject, brief
}

// downSince is when its Deployment became unavailable, else when the oldest application was created that waits for it. Neither says since
// when a container restarts: it may be ready between two exits.
func (h *health) downSince(worst podHealth) time.Time {
	switch {
	case worst.Restarts > 0:
		return time.Time{}
	case h.d.Changed.IsZero() && h.d == h.in.Controller && len(h.queue.waiting) > 0:
		return h.queue.waiting[0].Created
	default:
		return h.d.Changed
	}
}

// brief is text without names: how the container ended last, and how often it restarted; since its pod was created, where nothing
// tells since when the process is ill.
func (i podHealth) brief(since, now time.Time) string {
	if i.Name == "" {
		return "its pod has no node: " + i.pod.Pending
	}
	parts := []string{i.Waiting, i.Ended} // CrashLoopBackOff and the like say only that it failed
	if i.Ended != "" {
		parts = parts[1:]
	}
	if i.Restarts > 0 {
		text := "restarted " + times(i.Restarts)
		if since.IsZero() && !i.pod.Created.IsZero() {
			text += " in " + facts.Elapsed(now.Sub(i.pod.Created))
		}
		parts = append(parts, text)
	}
	parts = slices.DeleteFunc(parts, func(s string) bool { return s == "" })
	return i.Name + " " + strings.Join(parts, ", ")
}

func times(n int) string {
	if n == 1 {
		return "once"
	}
	return fmt.Sprintf("%d times", n)
}

func (i podHealth) evidence() []check.Evidence {
	if i.Name == "" {
		return []check.Evidence{{Object: i.pod.Ref, Field: "status.conditions", Value: i.pod.Pending}}
	}
	field := fmt.Sprintf("status.containerStatuses[%s].", i.Name)
	out := []check.Evidence{{Object: i.pod.Ref, Field: field + "restartCount", Value: fmt.Sprint(i.Restarts)}}
	if i.Waiting != "" {
		out = append(out, check.Evidence{Object: i.pod.Ref, Field: field + "state.waiting.reason", Value: i.Waiting})
	}
	if i.Ended != "" {
		out = append(out, check.Evidence{Object: i.pod.Ref, Field: field + "lastState.terminated",
			Value: fmt.Sprintf("%s, exit code %d, at %s", i.Ended, i.ExitCode, facts.Timestamp(i.EndedAt))})
	}
	return out
}
