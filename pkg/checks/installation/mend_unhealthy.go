package installation

import (
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// mend looks at the container before it changes anything, unless what it needs is plain.
func (h *health) mend(f *check.Finding, worst podHealth, sick bool) []check.Command {
	switch {
	case f.Kind == "scaled to zero":
		return []check.Command{command.Do("start it again").On("scale", f.Object, "--replicas 1")}
	case f.Kind == "behind":
		return []check.Command{moreWorkers(h.in)}
	case !sick:
		return []check.Command{command.Do("see why it has no ready pod").On("describe", f.Object)}
	case worst.Name == "":
		return []check.Command{command.Do("see which nodes could take the pod").On("describe", worst.pod.Ref)}
	case worst.Ended == snapshot.OOMKilled:
		return []check.Command{worst.logs(), h.moreMemory(worst.Name)}
	case strings.Contains(worst.Waiting, "Image"):
		return []check.Command{command.Do("see why the image cannot be pulled").On("describe", worst.pod.Ref)}
	case worst.Ended == "" && worst.Waiting != "CrashLoopBackOff":
		return []check.Command{command.Do("see what the container waits for").On("describe", worst.pod.Ref)}
	}
	if use, low := h.in.LowPort(h.d); low && worst.failsAtStart() {
		return []check.Command{worst.logs(), h.higherPort(use.Field, use.Value)}
	}
	return []check.Command{worst.logs()}
}

func (i podHealth) logs() check.Command {
	return check.Logs("read what it logged before it exited", i.pod.Ref, i.Name, true)
}

// failsAtStart reports whether a container ended in a way that a port which it may not listen on explains.
func (i podHealth) failsAtStart() bool {
	return i.Ended != snapshot.OOMKilled && (i.ExitCode != 0 || i.Waiting == "CrashLoopBackOff")
}

// higherPort is the default of a port below 1024, on which the process may not listen (charts/spark-operator-chart/values.yaml@v2.5.2).
func (h *health) higherPort(flag, value string) check.Command {
	switch flag {
	case "--webhook-port":
		return command.Set(h.in, command.Value{Path: "webhook.port", To: "9443", Flag: "webhook-port", Of: h.d.Ref})
	case "--metrics-bind-address":
		return command.Set(h.in, command.Value{Path: "prometheus.metrics.port", To: "8080", Flag: "metrics-bind-address", Of: h.d.Ref})
	default:
		return command.Do("change %s=%s to a port of 1024 or above", flag, value)
	}
}

// moreMemory doubles the limit, for what was killed for want of memory.
func (h *health) moreMemory(container string) check.Command {
	limit := ""
	for _, c := range h.d.Containers {
		if c.Name == container {
			limit = c.MemoryLimit
		}
	}
	webhook := h.d == h.in.Webhook && h.d != h.in.Controller
	now, err := resource.ParseQuantity(limit)
	if err != nil {
		return command.Raise(h.in, command.MemoryLimit(h.in, webhook, ""))
	}
	more := now.DeepCopy()
	more.Add(now)
	c := command.Raise(h.in, command.MemoryLimit(h.in, webhook, more.String()))
	c.Text += " (now " + limit + ")"
	return c
}

// moreWorkers doubles how many applications the controller works on at a time; each may run a spark-submit, which takes memory.
func moreWorkers(in *operator.Installation) check.Command {
	now := 10 // controller.workers in charts/spark-operator-chart/values.yaml@v2.0.0 to @v2.5.2, controllerThreads in 1.x
	if in.Workers() > 0 {
		now = in.Workers()
	}
	c := command.Raise(in, command.Workers(in, strconv.Itoa(2*now)))
	c.Text += " (now " + strconv.Itoa(now) + "), and the memory limit with it"
	return c
}
