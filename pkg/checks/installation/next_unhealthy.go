package installation

import (
	"slices"
	"strconv"
	"strings"

	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
)

// unhealthyNext looks at the container before it changes anything, unless what it needs is plain.
func unhealthyNext(f *check.Finding, x *check.Context) []check.Command {
	in := x.Operator(f)
	pod, seen := f.First("Pod")
	switch {
	case f.Kind == "scaled to zero":
		return []check.Command{command.Do("start it again").On("scale", f.Object, "--replicas 1")}
	case f.Kind == "behind":
		return []check.Command{moreWorkers(in)}
	case !seen:
		return []check.Command{command.Do("see why it has no ready pod").On("describe", f.Object)}
	case f.Fault == faultPending:
		return []check.Command{command.Do("see which nodes could take the pod").On("describe", pod)}
	case f.Fault == faultImage:
		return []check.Command{command.Do("see why the image cannot be pulled").On("describe", pod)}
	case f.Fault == faultWaits:
		return []check.Command{command.Do("see what the container waits for").On("describe", pod)}
	}
	logs := check.Logs("read what it logged before it exited", pod, f.Container, true)
	if f.Fault == faultOOM {
		return []check.Command{logs, moreMemory(in, f)}
	}
	if port, low := higherPort(in, f); low {
		return []check.Command{logs, port}
	}
	return []check.Command{logs}
}

// higherPort is the default of a port below 1024, on which the process may not listen (charts/spark-operator-chart/values.yaml@v2.5.2).
func higherPort(in *operator.Installation, f *check.Finding) (check.Command, bool) {
	i := slices.IndexFunc(f.Evidence, func(e check.Evidence) bool { return strings.HasPrefix(e.Field, "--") && e.Object == f.Object })
	if i < 0 {
		return check.Command{}, false
	}
	switch use := f.Evidence[i]; use.Field {
	case "--webhook-port":
		return command.Set(in, command.Value{Path: "webhook.port", To: "9443", Flag: "webhook-port", Of: f.Object}), true
	case "--metrics-bind-address":
		return command.Set(in, command.Value{Path: "prometheus.metrics.port", To: "8080", Flag: "metrics-bind-address", Of: f.Object}), true
	default:
		return command.Do("change %s=%s to a port of 1024 or above", use.Field, use.Value), true
	}
}

// moreMemory doubles the limit, for what was killed for want of memory.
func moreMemory(in *operator.Installation, f *check.Finding) check.Command {
	limit := ""
	if in != nil {
		for _, d := range in.Deployments() {
			for _, c := range d.Containers {
				if d.Key() == f.Object.Key() && c.Name == f.Container {
					limit = c.MemoryLimit
				}
			}
		}
	}
	webhook := check.IsWebhook(in, f.Object)
	now, err := resource.ParseQuantity(limit)
	if err != nil {
		return command.Raise(in, command.MemoryLimit(in, webhook, ""))
	}
	more := now.DeepCopy()
	more.Add(now)
	c := command.Raise(in, command.MemoryLimit(in, webhook, more.String()))
	c.Text += " (now " + limit + ")"
	return c
}

// moreWorkers doubles how many applications the controller works on at a time; each may run a spark-submit, which takes memory.
func moreWorkers(in *operator.Installation) check.Command {
	now := 10 // controller.workers in charts/spark-operator-chart/values.yaml@v2.0.0 to @v2.5.2, controllerThreads in 1.x
	if in != nil && in.Workers() > 0 {
		now = in.Workers()
	}
	c := command.Raise(in, command.Workers(in, strconv.Itoa(2*now)))
	c.Text += " (now " + strconv.Itoa(now) + "), and the memory limit with it"
	return c
}
