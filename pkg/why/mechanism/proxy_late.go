package mechanism

import (
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

// ProxyLate is an executor in a service mesh that ended before its proxy ran, or a driver that called the API server before it: an init
// container of the mesh sends what it connects to through the proxy, so until then every connection is refused. A pod that connects in
// vain while its proxy runs looks alike in its log, and so does one without a proxy, or with a native sidecar, which starts first
// (istio.io/docs/ops/common-problems/injection, Pods or containers start with network issues if istio-proxy is not ready;
// linkerd.io/2/tasks/graceful-shutdown and the annotation config.linkerd.io/proxy-await).
type ProxyLate struct {
	Proxy string
	// By is how late the proxy was: from the end of the executor to the start of its proxy, or from the call of the driver to the last time
	// that the kubelet found its proxy not ready.
	By     time.Duration
	Pods   int  // executors that ended so
	Driver bool // it is the driver
}

// Mechanism names it.
func (ProxyLate) Mechanism() cause.ID { return "proxy-late" }

// BeforeItsProxy explains why executors did not reach the driver, or the driver the API server, where their proxies did not run yet.
func BeforeItsProxy(v *View, about *cause.Cause) (cause.Cause, bool) {
	failed, _ := about.Detail.(logs.Failure)
	switch failed.Meaning.(type) {
	case logs.DriverUnreached:
		return executorsBeforeProxies(v, about)
	case logs.APIUnreached:
		return driverBeforeProxy(v, about)
	default:
		return cause.Cause{}, false
	}
}

func executorsBeforeProxies(v *View, about *cause.Cause) (cause.Cause, bool) {
	var out cause.Cause
	found := ProxyLate{}
	for _, p := range v.Executors {
		proxy, ended, late := lateProxy(p)
		if !late {
			continue
		}
		started := proxy.State.Running
		at := time.Time{}
		if started != nil {
			at = started.StartedAt.Time
		} else if t := proxy.State.Terminated; t != nil {
			at = t.StartedAt.Time
		}
		if found.Pods++; found.Pods > 1 {
			continue
		}
		found.Proxy, found.By = proxy.Name, at.Sub(ended.FinishedAt.Time)
		out = cause.Cause{Class: cause.Network, Role: cause.ExecutorRole, Certainty: check.Likely, Subject: Ref(p), At: about.At,
			Trust: cause.ByContainer, Evidence: []cause.Proof{
				{Object: Ref(p), Field: "status.containerStatuses[" + proxy.Name + "].startedAt", Value: at.UTC().Format(time.TimeOnly), At: at.UTC()},
				{Object: Ref(p), Field: "status.containerStatuses[" + app.MainName(p) + "].finishedAt",
					Value: ended.FinishedAt.UTC().Format(time.TimeOnly), At: ended.FinishedAt.UTC()}}}
	}
	out.Detail = found
	return out, found.Pods > 0
}

// lateProxy is the proxy of a mesh beside an executor that had ended when it started.
func lateProxy(p *corev1.Pod) (corev1.ContainerStatus, *corev1.ContainerStateTerminated, bool) {
	ended := app.Termination(p)
	at := slices.IndexFunc(p.Status.ContainerStatuses, func(s corev1.ContainerStatus) bool {
		return s.Name == "istio-proxy" || s.Name == "linkerd-proxy"
	})
	if ended == nil || ended.FinishedAt.IsZero() || at < 0 {
		return corev1.ContainerStatus{}, nil, false
	}
	s := p.Status.ContainerStatuses[at]
	switch {
	case s.State.Running != nil:
		return s, ended, !s.State.Running.StartedAt.Before(&ended.FinishedAt)
	case s.State.Terminated != nil && s.RestartCount == 0:
		return s, ended, !s.State.Terminated.StartedAt.Before(&ended.FinishedAt)
	default:
		return s, ended, false
	}
}

// readinessOf are the ports at which kubelets ask proxies whether they are ready (pilot/cmd/pilot-agent/status/server.go of
// istio/istio@1.24.0; charts/partials/templates/_proxy.tpl of linkerd/linkerd2@edge-24.11.1).
func readinessOf() map[string]string {
	return map[string]string{"istio-proxy": ":15021/healthz/ready", "linkerd-proxy": ":4191/ready"}
}

// driverBeforeProxy is about a driver that could not reach the API server, and whose proxy a kubelet found unready after that.
func driverBeforeProxy(v *View, about *cause.Cause) (cause.Cause, bool) {
	if v.Driver == nil || about.At.IsZero() {
		return cause.Cause{}, false
	}
	for _, s := range v.Driver.Status.ContainerStatuses {
		path, is := readinessOf()[s.Name]
		if !is {
			continue
		}
		for _, e := range slices.Backward(v.eventsOn("Pod", v.Driver.Name, "Unhealthy")) {
			if !strings.Contains(e.Message, path) || e.Last.Before(about.At) || e.First.After(about.At) {
				continue
			}
			return cause.Cause{Class: cause.Network, Role: cause.DriverRole, Certainty: check.Likely, Subject: Ref(v.Driver), At: about.At,
				Trust: cause.ByEvent, Detail: ProxyLate{Proxy: s.Name, By: e.Last.Sub(about.At), Driver: true},
				Evidence: []cause.Proof{{Object: Ref(v.Driver), Field: "event " + e.Reason, Value: e.Message, At: e.Last}}}, true
		}
	}
	return cause.Cause{}, false
}
