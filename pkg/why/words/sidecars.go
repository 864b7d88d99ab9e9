package words

import (
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// lasts is how a sidecar that is known ends with the driver from the next run on: Istio and Linkerd can be left out of a pod, or injected
// as native sidecars (istio.io/docs/reference/config/labels, sidecar.istio.io/inject; linkerd.io/2/reference/proxy-configuration); the
// agent of Vault can write its secrets once, before the driver starts
// (developer.hashicorp.com/vault/docs/platform/k8s/injector/annotations, agent-pre-populate-only).
func lasts(sidecar string) string {
	return map[string]string{
		"istio-proxy":   "label the driver with sidecar.istio.io/inject: \"false\", or let Istio inject native sidecars",
		"linkerd-proxy": "annotate the driver with linkerd.io/inject: disabled, or let Linkerd inject native sidecars",
		"vault-agent":   "annotate the driver with vault.hashicorp.com/agent-pre-populate-only: \"true\"",
	}[sidecar]
}

// sidecarNext ends what is left of a driver that is done, now and for good: its work is over, so nothing is lost with its pod.
func sidecarNext(d mechanism.Completed) []command.Command {
	var known, others []string
	for _, name := range d.Sidecars {
		if text := lasts(name); text != "" {
			known = append(known, text)
		} else {
			others = append(others, name)
		}
	}
	if len(others) > 0 {
		known = append(known, "make "+strings.Join(others, " and ")+" a native sidecar (an init container with restartPolicy Always), so that "+
			"it ends with the driver")
	}
	first, rest := known[0], known[1:]
	out := []command.Command{command.Do("end it now; for the next run %s", first)}
	if slices.Equal(d.Sidecars, []string{"istio-proxy"}) { // istio.io/docs/reference/commands/pilot-agent: the proxy ends, and the pod with it
		out[0] = out[0].With("kubectl -n %s exec %s -c istio-proxy -- pilot-agent request POST quitquitquit", d.Pod.Namespace, d.Pod.Name)
	} else {
		out[0] = out[0].With("kubectl -n %s delete pod %s", d.Pod.Namespace, d.Pod.Name)
	}
	for _, text := range rest {
		out = append(out, command.Do("%s", text))
	}
	return out
}
