package command

import (
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
)

// Names of values by line of releases. In 1.x they are at the top (charts/spark-operator-chart/values.yaml@spark-operator-chart-1.4.6), in
// 2.x below controller, webhook and spark (the same @v2.0.0 to @v2.5.2). Before chart 1.2.4 there is one job namespace,
// sparkJobNamespace (the same @spark-operator-chart-1.1.27).

func legacy(in *operator.Installation) bool { return in != nil && in.Legacy() }

// JobNamespaces sets the namespaces that the operator watches; nil: for the reader to choose.
func JobNamespaces(in *operator.Installation, names []string) Value {
	v := Value{Path: "spark.jobNamespaces", Flag: "namespaces"}
	if legacy(in) {
		v = Value{Path: "sparkJobNamespaces", Flag: "namespace"}
	}
	switch {
	case names == nil:
	case legacy(in) && strings.HasPrefix(InstallerOf(in).Chart, "1.1."):
		v.Path = "sparkJobNamespace"
	default:
		v.To = List(names)
	}
	return v
}

// EnableWebhook switches the webhook on: in 1.x by a flag of the one process, in 2.x with a Deployment of its own.
func EnableWebhook(in *operator.Installation) Command {
	v := Value{Path: "webhook.enable", To: "true"}
	switch {
	case legacy(in):
		v.Flag = "enable-webhook"
	case in != nil && InstallerOf(in).Chart == "" && InstallerOf(in).Tool != FluxHelm && InstallerOf(in).Tool != Helm:
		return Do("deploy the webhook of operator %s beside its controller", in.Stated)
	}
	return Set(in, v)
}

// part is the value of the controller or the webhook.
func part(in *operator.Installation, webhook bool, path string) string {
	switch {
	case legacy(in):
		return path
	case webhook:
		return "webhook." + path
	default:
		return "controller." + path
	}
}

// MemoryLimit sets how much memory controller or webhook may take.
func MemoryLimit(in *operator.Installation, webhook bool, to string) Value {
	v := Value{Path: part(in, webhook, "resources.limits.memory"), To: to, Field: "resources.limits.memory"}
	if webhook && in != nil && in.Webhook != nil {
		v.Of = in.Webhook.Ref
	}
	return v
}

// Replicas sets how many there are of the controller or the webhook.
func Replicas(in *operator.Installation, webhook bool, to string) Value {
	if legacy(in) {
		return Value{Path: "replicaCount", To: to, Field: "spec.replicas"}
	}
	return Value{Path: part(in, webhook, "replicas"), To: to, Field: "spec.replicas"}
}

// Workers sets how many applications the controller works on at a time.
func Workers(in *operator.Installation, to string) Value {
	if legacy(in) {
		return Value{Path: "controllerThreads", To: to, Flag: "controller-threads"}
	}
	return Value{Path: "controller.workers", To: to, Flag: "controller-threads"}
}

// BatchScheduler switches batch scheduling on, for schedulers of these names beside those that the operator knows.
func BatchScheduler(in *operator.Installation, names ...string) []Value {
	out := []Value{{Path: part(in, false, "batchScheduler.enable"), To: "true", Flag: "enable-batch-scheduler"}}
	if len(names) > 0 && !legacy(in) {
		out = append(out, Value{Path: "controller.batchScheduler.kubeSchedulerNames", To: List(names), Flag: "kube-scheduler-names"})
	}
	return out
}
