package operator

import "github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"

// LogSource is a container whose log tells of admission.
type LogSource struct {
	Pod       *snapshot.OperatorPod
	Container string
}

// LogSources returns the containers of the installation's pods that run the operator, the webhook's before the
// controller's; in 1.x they are the same.
func (in *Installation) LogSources(pods []snapshot.OperatorPod) []LogSource {
	var out []LogSource
	for i, d := range []*snapshot.Deployment{in.Webhook, in.Controller} {
		listed := i == 1 && in.Webhook == in.Controller
		if d == nil || len(d.Selector) == 0 || listed {
			continue
		}
		c := operatorContainer(d)
		if c == nil {
			continue
		}
		for k := range pods {
			if p := &pods[k]; p.Namespace == d.Namespace && selects(d.Selector, p.Labels) {
				out = append(out, LogSource{p, c.Name})
			}
		}
	}
	return out
}

// Logged returns what the logs of the installation's pods tell, those of its webhook or of both.
func (in *Installation) Logged(logs []snapshot.OperatorLog) []*snapshot.OperatorLog {
	var out []*snapshot.OperatorLog
	for i := range logs {
		for _, d := range []*snapshot.Deployment{in.Webhook, in.Controller} {
			if d != nil && len(d.Selector) > 0 && logs[i].Namespace == d.Namespace && selects(d.Selector, logs[i].Labels) {
				out = append(out, &logs[i])
				break
			}
		}
	}
	return out
}

// operatorContainer is the container of a Deployment that runs the operator; a mesh adds others.
func operatorContainer(d *snapshot.Deployment) *snapshot.Container {
	for i := range d.Containers {
		if c := &d.Containers[i]; startsWith(c.Args, "webhook", "start") || startsWith(c.Args, "controller", "start") ||
			isOperatorImage(c.Image) {
			return c
		}
	}
	return nil
}
