package spark

import (
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// DriverRequest is something that Spark does in the driver through the API server.
type DriverRequest struct {
	Verb, Resource string
	Ends           bool // whether a driver to which it is refused ends
	asks           func(*DriverAccess) bool
}

// In is the request in a namespace.
func (r DriverRequest) In(namespace string) snapshot.Request {
	return snapshot.Request{Verb: r.Verb, Resource: r.Resource, Namespace: namespace}
}

// DriverRequests lists what every driver in cluster mode does (resource-managers/kubernetes/core of apache/spark@v3.5.5:
// ExecutorPodsAllocator gets its own pod and creates executors and their claims, ExecutorPodsWatchSnapshotSource watches,
// ExecutorPodsPollingSnapshotSource lists, and KubernetesClusterSchedulerBackend creates a ConfigMap since 3.1.0,
// SPARK-30985), as far as one of these drivers does it. What it deletes when it ends is the garbage collector's anyway.
func DriverRequests(drivers ...DriverAccess) []DriverRequest {
	always := func(*DriverAccess) bool { return true }
	all := []DriverRequest{
		{"get", "pods", true, always},
		{"watch", "pods", true, func(d *DriverAccess) bool { return !d.NoWatch }},
		{"create", "pods", true, always},
		{"create", "configmaps", true, func(d *DriverAccess) bool { return !d.NoConfigMap && !before31(d.SparkVersion) }},
		{"create", "persistentvolumeclaims", true, func(d *DriverAccess) bool { return d.ClaimsByDriver }},
		{"list", "pods", false, always},
		{"delete", "pods", false, always},
	}
	return slices.DeleteFunc(all, func(r DriverRequest) bool {
		return !slices.ContainsFunc(drivers, func(d DriverAccess) bool { return r.asks(&d) })
	})
}

// before31 reports whether a version of Spark is older than 3.1, or not stated.
func before31(version string) bool {
	return version == "" || strings.HasPrefix(version, "2.") || strings.HasPrefix(version, "3.0")
}
