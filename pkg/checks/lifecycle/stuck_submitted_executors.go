package lifecycle

import (
	"fmt"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// run is one submission of an application.
type run struct{ namespace, app, submission string }

func runOf(pod *snapshot.Pod) run { return run{pod.Namespace, pod.App(), pod.SubmissionID()} }

// pendingRuns gathers the executors of the runs of which any has been pending for too long: a few of a hundred thousand.
func (c *submissions) pendingRuns() map[run][]*snapshot.Pod {
	out := map[run][]*snapshot.Pod{}
	pods := c.s.SparkPods()
	for _, pod := range pods {
		if pod.Phase == "Pending" && pod.Role() == facts.ExecutorRole && c.late(pod) && !pod.Terminating() {
			out[runOf(pod)] = nil
		}
	}
	if len(out) == 0 {
		return out
	}
	for _, pod := range pods {
		if pod.Role() != facts.ExecutorRole || !pod.Alive() || pod.Terminating() {
			continue
		}
		if list, pending := out[runOf(pod)]; pending {
			out[runOf(pod)] = append(list, pod)
		}
	}
	return out
}

// pendingExecutors states why executors of a job do not start: all of them, so that the job waits for the first, or some.
func (c *submissions) pendingExecutors(app *snapshot.SparkApplication, driver *snapshot.Pod) []check.Finding {
	pods := c.executors[run{app.Namespace, app.Name, app.SubmissionID}]
	late, running := c.latePods(app, pods)
	seen := app.Executors
	unseen := !c.s.Covers(snapshot.SparkPods, app.Namespace) && (seen.Running > 0 || seen.Total() == 0)
	if len(late) == len(pods) && !unseen {
		return c.noExecutor(app, driver, late)
	}
	return c.someExecutors(app, driver, late, executorsBeside{running, len(pods), unseen})
}

// executorsBeside are the executors of a job beside those that cannot start.
type executorsBeside struct {
	running, all int
	unseen       bool // not all pods were seen: others may run
}

// latePod is an executor that has been pending for too long.
type latePod struct {
	*snapshot.Pod
	why facts.PendingReason
}

func (c *submissions) latePods(app *snapshot.SparkApplication, pods []*snapshot.Pod) (late []latePod, running int) {
	for _, pod := range pods {
		switch {
		case pod.Phase != "Pending":
			running++
		case c.late(pod):
			late = append(late, latePod{pod, c.reasons.Of(pod, app.BatchQueue)})
		}
	}
	return late, running
}

func (c *submissions) noExecutor(app *snapshot.SparkApplication, driver *snapshot.Pod, late []latePod) []check.Finding {
	worst := -1
	for i := range late {
		if !late[i].why.Gated && (worst < 0 || late[i].why.Severity > late[worst].why.Severity) {
			worst = i
		}
	}
	if worst < 0 {
		return nil // held back on purpose
	}
	first := &late[worst]
	f := c.finding(app, first.Pod, &first.why)
	f.What = "executors"
	pending := phrase.Counted(len(late), "pod") + " Pending"
	f.Brief = fmt.Sprintf("driver pod %q runs without executors; %s: %s", driver.Name, pending, first.why.Text)
	f.Message = fmt.Sprintf("driver pod %q runs without executors; %s for %s, such as %q: %s",
		driver.Name, pending, c.age(first.Pod), first.Name, first.why.Text)
	return []check.Finding{*f}
}

// someExecutors states of a job that has others, or may get them, which executors cannot start, one finding a reason. Those
// that wait for room are left alone: nodes may be on their way, or other pods may end, and a job that allocates dynamically
// asks for more than there is.
func (c *submissions) someExecutors(app *snapshot.SparkApplication, driver *snapshot.Pod, late []latePod,
	beside executorsBeside) []check.Finding {
	var order []string
	groups := map[string][]latePod{}
	for _, pod := range late {
		reason := pod.why.Lasting
		if reason == "" {
			continue
		}
		if groups[reason] == nil {
			order = append(order, reason)
		}
		groups[reason] = append(groups[reason], pod)
	}
	var out []check.Finding
	for _, reason := range order {
		first, n := groups[reason][0], len(groups[reason])
		f := c.finding(app, first.Pod, &first.why)
		f.What = "executors: " + reason
		f.Brief = fmt.Sprintf("%d of %s cannot start: %s", n, phrase.Counted(beside.all, "executor"), first.why.Text)
		f.Message = fmt.Sprintf("%d of %s of driver pod %q cannot start, such as %q, Pending for %s: %s; ",
			n, phrase.Counted(beside.all, "executor"), driver.Name, first.Name, c.age(first.Pod), first.why.Text)
		switch {
		case beside.running > 0:
			f.Severity = check.Warning
			f.Message += fmt.Sprintf("the job continues with %d", beside.running)
		case beside.unseen:
			f.Severity = check.Warning
			f.Message += "others may run: not all pods were seen"
		default:
			f.Message += "none runs yet"
		}
		out = append(out, *f)
	}
	return out
}
