package operator

import (
	"strconv"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// Installation is one operator release in a cluster: in 1.x one Deployment, in 2.x a controller and a webhook.
type Installation struct {
	Namespace  string
	Name       string // the Helm full name: Deployment name without -controller or -webhook
	Version    Version
	Recognised bool   // the version is a release that this build has facts about
	Stated     string // the version as the Deployment states it, for people
	Controller *snapshot.Deployment
	Webhook    *snapshot.Deployment // the same as Controller in 1.x with -enable-webhook=true

	controller, webhook settings // of their Deployments
}

// Judged returns the version whose behaviour is assumed: the stated one, or the newest known for builds that are
// not a known release.
func (in *Installation) Judged() Version {
	if in.Recognised {
		return in.Version
	}
	return Newest()
}

// Legacy reports whether the installation is of the 1.x line.
func (in *Installation) Legacy() bool { return in.Version.Major == 1 }

// Namespaces returns the job namespaces that the controller watches, or nil for all of them. In 1.x the chart
// passes -namespace only when its list has exactly one entry (charts/spark-operator-chart/templates/
// deployment.yaml@spark-operator-chart-1.4.6). A --namespace-selector (2.5.0) is not resolved here and means nil.
func (in *Installation) Namespaces() []string {
	if in.Controller == nil {
		return nil
	}
	if in.flag("namespace-selector") != "" {
		return nil
	}
	return in.controller.namespaces
}

// Watches reports whether the controller reconciles applications of a namespace.
func (in *Installation) Watches(namespace string) bool {
	return in.Namespaces() == nil || in.controller.named[namespace]
}

// Narrowed reports whether the controller leaves out applications by a selector that Watches does not resolve:
// --namespace-selector (cmd/operator/controller/start.go@v2.5.0) or 1.x's -label-selector-filter
// (main.go@v1beta2-1.6.2-3.5.0).
func (in *Installation) Narrowed() bool {
	return in.flag("namespace-selector") != "" || in.flag("label-selector-filter") != ""
}

// defaultTrackedExecutors is the default of --max-tracked-executor-per-app (cmd/operator/controller/start.go@v2.1.0).
const defaultTrackedExecutors = 1000

// TrackedExecutors returns the highest executor id that the controller writes to status.executorState, and whether
// there is such a limit: before 2.1.0 there is none (#2181).
func (in *Installation) TrackedExecutors() (limit int, limited bool) {
	if in.Judged().Before(2, 1, 0) {
		return 0, false
	}
	if n, err := strconv.Atoi(in.flag("max-tracked-executor-per-app")); err == nil {
		return n, true
	}
	return defaultTrackedExecutors, true
}

// DriverGrace returns how long the controller waits for a driver pod to appear before it calls it lost: 10 s unless
// set, since 2.1.0 (#2315); before that it does not wait.
func (in *Installation) DriverGrace() time.Duration {
	if in.Judged().Before(2, 1, 0) {
		return 0
	}
	if d, err := time.ParseDuration(in.flag("driver-pod-creation-grace-period")); err == nil {
		return d
	}
	return 10 * time.Second
}
