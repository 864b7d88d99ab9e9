package mechanism

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// ServiceMissing is a server that is ready, and whose Service, the subject, does not exist. The operator creates it again at once.
type ServiceMissing struct{ Connect snapshot.Ref }

// Mechanism names it.
func (ServiceMissing) Mechanism() cause.ID { return "service-missing" }

// ServicePortWrong is a server that listens on a port to which its Service forwards nothing.
type ServicePortWrong struct{ Port string }

// Mechanism names it.
func (ServicePortWrong) Mechanism() cause.ID { return "service-port-wrong" }

// ServiceSelectsOthers is a Service that does not select the server's pod. The operator relabels the pod with each change of
// spec.sparkVersion, and sets the selector of the Service only when it creates it (mutateServerPod and mutateServerService in
// internal/controller/sparkconnect/reconciler.go@v2.5.2).
type ServiceSelectsOthers struct{ Labels []UnmatchedLabel }

// Mechanism names it.
func (ServiceSelectsOthers) Mechanism() cause.ID { return "service-selects-others" }

// UnmatchedLabel is a label that a selector asks for, and what the pod has.
type UnmatchedLabel struct{ Key, Wants, Has string }

// String is the label as it is shown.
func (l UnmatchedLabel) String() string {
	return fmt.Sprintf("%s=%s, and the pod has %s", l.Key, l.Wants, cmp.Or(l.Has, "no such label"))
}

// unserved is about a server that runs and that clients do not reach by its Service.
func unserved(v *View) []cause.Cause {
	if !v.serverUp() || v.Application == nil || v.State == "" {
		return nil
	}
	name := cmp.Or(v.ServerService, serviceName(v))
	ref := snapshot.Ref{APIVersion: "v1", Kind: "Service", Namespace: v.AppRef().Namespace, Name: name}
	c := cause.Cause{Class: cause.Network, Role: cause.DriverRole, Trust: cause.ByEnvironment, Subject: ref}
	at := slices.IndexFunc(v.Services, func(s corev1.Service) bool { return s.Name == name })
	if at < 0 {
		if v.mayMiss("services") || v.Now.Sub(v.Driver.CreationTimestamp.Time) < 2*time.Minute {
			return nil
		}
		c.Detail = ServiceMissing{Connect: v.AppRef()}
		c.Evidence = []cause.Proof{{Object: v.AppRef(), Field: "status.server.serviceName", Value: name}}
		return []cause.Cause{c}
	}
	s := &v.Services[at]
	if port := v.grpcPort(); port != DefaultPort && !slices.ContainsFunc(s.Spec.Ports, func(p corev1.ServicePort) bool {
		return p.TargetPort.String() == port
	}) {
		c.Class, c.Detail = cause.Configuration, ServicePortWrong{Port: port}
		c.Evidence = []cause.Proof{{Object: v.AppRef(), Field: "spec.sparkConf[" + PortSetting + "]", Value: port},
			{Object: ref, Field: "spec.ports", Value: portsOf(s)}}
		return []cause.Cause{c}
	}
	var labels []UnmatchedLabel
	var shown []string
	for _, key := range slices.Sorted(maps.Keys(s.Spec.Selector)) {
		if has := v.Driver.Labels[key]; has != s.Spec.Selector[key] {
			one := UnmatchedLabel{Key: key, Wants: s.Spec.Selector[key], Has: has}
			labels, shown = append(labels, one), append(shown, one.String())
		}
	}
	if len(labels) == 0 {
		return nil
	}
	c.Detail = ServiceSelectsOthers{Labels: labels}
	c.Evidence = []cause.Proof{{Object: ref, Field: "spec.selector", Value: selectorOf(s)},
		{Object: Ref(v.Driver), Field: "metadata.labels", Value: strings.Join(shown, "; ")}}
	return []cause.Cause{c}
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
func serviceName(v *View) string {
	if given := v.Spec.Service; given != nil {
		return given.Name
	}
	return v.AppRef().Name + serverSuffix
}

// serverSuffix is behind the name of a SparkConnect in those of its pod and its Service (GetServerPodName in the same file).
const serverSuffix = "-server"
