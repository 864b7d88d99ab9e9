package mechanism

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// serverUp reports whether the server's pod is ready. The operator's state Ready says no more (#2994).
func (v *View) serverUp() bool {
	if !v.driverRuns() || v.Driver.DeletionTimestamp != nil {
		return false
	}
	if _, down := v.serverEnd(); down {
		return false
	}
	ready := condition(v.Driver, corev1.PodReady)
	return ready != nil && ready.Status == corev1.ConditionTrue
}

// listening is what the server logs when it has opened its port
// (SparkConnectServer.scala in sql/connect/server/src/main/scala/org/apache/spark/sql/connect/service@v4.0.0, and @v3.5.5).
const listening = "Spark Connect server started at: "

// listens is the line by which the process that runs now says that it listens; its value is empty if no such line was read.
func (v *View) listens() cause.Proof {
	for i := range v.Logs {
		l := &v.Logs[i]
		if v.Driver == nil || l.Pod != v.Driver.Name || l.Container != MainName(v.Driver) || l.Previous {
			continue
		}
		for _, text := range []string{l.Head, l.Tail} {
			if at := strings.Index(text, listening); at >= 0 {
				line := text[strings.LastIndexByte(text[:at], '\n')+1:]
				line, _, _ = strings.Cut(line, "\n")
				return cause.Proof{Object: podRef(v.Driver), Field: "log " + l.Container, Value: strings.TrimSpace(line)}
			}
		}
	}
	return cause.Proof{}
}

// Serves reports whether the server is ready and said in its log that it listens: what the log complains of besides is about queries.
func (v *View) Serves() bool { return v.IsConnect() && v.serverUp() && v.listens().Value != "" }

// probed reports whether readiness of the pod means more than that the container runs.
func (v *View) probed() bool {
	for _, c := range v.Driver.Spec.Containers {
		if c.Name == MainName(v.Driver) {
			return c.ReadinessProbe != nil
		}
	}
	return false
}

// defaultPort is that of Connect.CONNECT_GRPC_BINDING_PORT (sql/connect/server .../connect/config/Connect.scala@v4.0.0), which the
// operator's Service forwards whatever the setting says (mutateServerService in internal/controller/sparkconnect/reconciler.go@v2.5.2,
// #2967).
const (
	defaultPort = "15002"
	portSetting = "spark.connect.grpc.binding.port"
)

func (v *View) grpcPort() string { return cmp.Or(v.conf(portSetting), defaultPort) }

// serving is about a server that is up and has its executors.
func serving(v *View) []cause.Cause {
	if !v.serverUp() {
		return nil
	}
	p := v.Driver
	asked, n := v.Asked(), v.Running()
	with := facts.Counted(n, "executor")
	if asked > 0 {
		with = fmt.Sprintf("%d of %d executors", n, asked)
	}
	up := v.Age(v.serverStart())
	c := cause.Cause{Class: cause.RunningNormally, Certainty: check.Likely, Trust: cause.ByPod, Subject: v.AppRef(), At: v.serverStart(),
		Message: fmt.Sprintf("server and %s run; the server runs for %s", with, up),
		Evidence: []cause.Proof{{Object: podRef(p), Field: "status.conditions[Ready]", Value: "True"},
			{Object: v.AppRef(), Field: "status.state", Value: v.State}}}
	switch line := v.listens(); {
	case line.Value != "":
		c.Certainty = check.Proven
		c.Message += ", and its log says that it listens"
		c.Evidence = append(c.Evidence, line)
	case v.probed():
		c.Certainty = check.Proven
		c.Message += ", and its readiness probe succeeds"
	default:
		c.Message += "; Ready says only that its container runs, because it has no readiness probe"
		c.Next = []command.Command{
			command.Do("look whether the server listens: %q", strings.TrimSuffix(listening, ": ")).With("kubectl -n %s logs %s -c %s",
				p.Namespace, p.Name, MainName(p)),
			command.Do("add a readiness probe (tcpSocket, port %s) to container %s in spec.server.template", v.grpcPort(), MainName(p)),
		}
	}
	if n < asked {
		c.Class, c.Certainty = cause.SlowButProgressing, check.Likely
		switch {
		case n == 0 && v.Now.Sub(v.serverStart()) < settled/2:
			c.Class = cause.RunningNormally
			c.Message = fmt.Sprintf("the server started %s ago, and executors follow", up)
		case n == 0:
			c.Class, c.Effect = cause.Unknown, true
		case v.starting() && 2*n >= asked:
			c.Class = cause.RunningNormally
		}
	}
	return []cause.Cause{c}
}

// unserved is about a server that runs and that clients do not reach by its Service.
func unserved(v *View) []cause.Cause {
	if !v.serverUp() || v.Application == nil || v.State == "" {
		return nil
	}
	name := cmp.Or(v.text("status", "server", "serviceName"), v.serviceName())
	ref := snapshot.Ref{APIVersion: "v1", Kind: "Service", Namespace: v.AppRef().Namespace, Name: name}
	at := slices.IndexFunc(v.Services, func(s corev1.Service) bool { return s.Name == name })
	if at < 0 {
		if v.Partial == nil || v.Partial("services") || v.Now.Sub(v.Driver.CreationTimestamp.Time) < 2*time.Minute {
			return nil
		}
		return []cause.Cause{{Class: cause.Network, Trust: cause.ByEnvironment, Subject: ref,
			Message:  fmt.Sprintf("the server is Ready, but its Service %q does not exist, so clients do not find it", name),
			Evidence: []cause.Proof{{Object: v.AppRef(), Field: "status.server.serviceName", Value: name}},
			Next:     []command.Command{scanConnect(v)}}} // the operator would have created it again at once
	}
	s := &v.Services[at]
	if port := v.grpcPort(); port != defaultPort && !slices.ContainsFunc(s.Spec.Ports, func(p corev1.ServicePort) bool {
		return p.TargetPort.String() == port
	}) {
		return []cause.Cause{{Class: cause.Configuration, Trust: cause.ByEnvironment, Subject: ref,
			Message: fmt.Sprintf("the server is Ready, but it listens on port %s, and its Service %s forwards none to it", port, name),
			Evidence: []cause.Proof{{Object: v.AppRef(), Field: "spec.sparkConf[" + portSetting + "]", Value: port},
				{Object: ref, Field: "spec.ports", Value: portsOf(s)}},
			Next: []command.Command{command.Do("remove %s from spec.sparkConf: the operator forwards %s whatever it says", portSetting,
				defaultPort)}}}
	}
	var wrong []string
	for _, key := range slices.Sorted(maps.Keys(s.Spec.Selector)) {
		if has := v.Driver.Labels[key]; has != s.Spec.Selector[key] {
			wrong = append(wrong, fmt.Sprintf("%s=%s, and the pod has %s", key, s.Spec.Selector[key], cmp.Or(has, "no such label")))
		}
	}
	if len(wrong) == 0 {
		return nil
	}
	// The operator relabels the pod with each change of spec.sparkVersion, and sets the selector of the Service only when it creates it
	// (mutateServerPod and mutateServerService in internal/controller/sparkconnect/reconciler.go@v2.5.2).
	return []cause.Cause{{Class: cause.Network, Trust: cause.ByEnvironment, Subject: ref,
		Message: fmt.Sprintf("the server is Ready, but its Service %s does not select it, so clients do not reach it: it selects %s", name,
			strings.Join(wrong, "; ")),
		Evidence: []cause.Proof{{Object: ref, Field: "spec.selector", Value: selectorOf(s)},
			{Object: podRef(v.Driver), Field: "metadata.labels", Value: strings.Join(wrong, "; ")}},
		Next: []command.Command{command.Do("delete the Service: the operator creates it again with the labels of the pod").
			With("kubectl -n %s delete service %s", s.Namespace, s.Name)}}}
}

func portsOf(s *corev1.Service) string {
	parts := make([]string, 0, len(s.Spec.Ports))
	for _, p := range s.Spec.Ports {
		parts = append(parts, fmt.Sprintf("%d to %s", p.Port, p.TargetPort.String()))
	}
	return strings.Join(parts, ", ")
}

func selectorOf(s *corev1.Service) string {
	parts := make([]string, 0, len(s.Spec.Selector))
	for _, key := range slices.Sorted(maps.Keys(s.Spec.Selector)) {
		parts = append(parts, key+"="+s.Spec.Selector[key])
	}
	return strings.Join(parts, ", ")
}

// serviceName is how the operator calls the Service: as spec.server.service does since 2.4.0, else by the SparkConnect
// (GetServerServiceName in internal/controller/sparkconnect/util.go@v2.5.2).
func (v *View) serviceName() string {
	if v.Application != nil {
		if _, given, _ := unstructured.NestedMap(v.Application.Object, "spec", "server", "service"); given {
			return v.text("spec", "server", "service", "metadata", "name")
		}
	}
	return v.AppRef().Name + serverSuffix
}

// serverSuffix is behind the name of a SparkConnect in those of its pod and its Service (GetServerPodName in the same file).
const serverSuffix = "-server"

// statusBehind is about a status that its pod contradicts for minutes: the operator writes it at every change of the pod.
func statusBehind(v *View) []cause.Cause {
	if v.Application == nil || v.State == "" || v.Partial == nil || v.Partial("pods") {
		return nil
	}
	behind := func(since time.Time) bool { return !since.IsZero() && v.Now.Sub(since) > 5*time.Minute }
	c := cause.Cause{Class: cause.ObserverMissed, Certainty: check.Likely, Trust: cause.ByOperator, Subject: v.AppRef(),
		Evidence: []cause.Proof{{Object: v.AppRef(), Field: "status.state", Value: v.State}},
		Next:     []command.Command{scanConnect(v)}}
	switch {
	case v.Driver == nil && v.State == "Ready":
		c.Message = fmt.Sprintf("the status says Ready, but there is no server pod %s: the operator has neither seen that nor replaced the pod",
			v.AppRef().Name+serverSuffix)
	case v.Driver == nil:
		return nil
	case v.State == "NotReady" && v.serverUp() && behind(condition(v.Driver, corev1.PodReady).LastTransitionTime.Time):
		at := condition(v.Driver, corev1.PodReady).LastTransitionTime.Time
		c.Message = fmt.Sprintf("the status says NotReady, but the server is ready since %s: the operator does not update the status", ago(v, at))
		c.Evidence = append(c.Evidence, cause.Proof{Object: podRef(v.Driver), Field: "status.conditions[Ready]", Value: "True", At: at.UTC()})
	case v.State == "Ready" && !v.serverUp():
		ready := condition(v.Driver, corev1.PodReady)
		if ready == nil || ready.Status == corev1.ConditionTrue || !behind(ready.LastTransitionTime.Time) {
			return nil
		}
		c.Effect = true // why the server is not up is the cause
		c.Message = fmt.Sprintf("the status still says Ready, although the server is not since %s", ago(v, ready.LastTransitionTime.Time))
	default:
		return nil
	}
	return []cause.Cause{c}
}

func scanConnect(v *View) command.Command {
	return command.Do("scan the operator").With("kubectl sparkdoctor scan sparkconnect/%s -n %s", v.AppRef().Name, v.AppRef().Namespace)
}

// blamed are findings of checks that explain a server that is not up: those about it, and, where the operator has not made it, those about
// the platform.
func blamed(v *View) []cause.Cause {
	if v.Serves() {
		return nil
	}
	if v.State == "" {
		return platform(v)
	}
	var out []cause.Cause
	for i := range v.Findings {
		f := &v.Findings[i]
		about := slices.ContainsFunc(append(append([]snapshot.Ref{f.Object}, f.Objects...), f.Related...), func(o snapshot.Ref) bool {
			return o.Kind == connectKind && o.Namespace == v.AppRef().Namespace && o.Name == v.AppRef().Name
		})
		if about && f.Severity == check.Error && strings.HasPrefix(f.Check, "SD") {
			out = append(out, found(v, f))
		}
	}
	return out
}
