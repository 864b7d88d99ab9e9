package operator

import (
	"strconv"
	"strings"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator/release"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator/releases"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// Installation is one operator release in a cluster: in 1.x one Deployment, in 2.x a controller and a webhook.
type Installation struct {
	Namespace  string
	Name       string  // the Helm full name: Deployment name without -controller or -webhook
	Version    Version // of the application
	Chart      Version // by its label; zero: none
	Recognised bool    // the version is a release that this build has facts about
	Stated     string  // the version as the Deployment states it, for people
	Controller *snapshot.Deployment
	Webhook    *snapshot.Deployment // the same as Controller in 1.x with -enable-webhook=true

	controller, webhook settings // of their Deployments
}

// Judged returns the version whose behaviour is assumed: the stated one, or the newest known for builds that are
// not a known release. A release that this build does not know yet is nearest to what its branch had before it; nothing about it is
// certain (see Newer).
func (in *Installation) Judged() Version {
	switch {
	case in.Recognised:
		return in.Version
	case in.Version.Compare(Next()) > 0:
		return Next()
	default:
		return Newest()
	}
}

// Newer reports whether the installed release came after those that this build knows. What depends on the release is not known of it.
func (in *Installation) Newer() bool {
	return !in.Recognised && !in.Version.IsZero() && IsNewer(in.Version)
}

// Release is what the release is called that the Deployment states.
func (in *Installation) Release() Name { return Name{Application: in.Version, Chart: in.Chart} }

// Facts are those of the version as which the installation is judged. They must not be changed.
func (in *Installation) Facts() *Facts { return releases.Of(in.Judged()) }

// Setup is what of the installation a defect may need.
func (in *Installation) Setup() *release.Setup {
	return &release.Setup{
		Controller: in.Controller, ControllerFlags: in.controller.flags, WebhookFlags: in.webhook.flags,
		ControllerElects: in.ControllerLease().Name != "", WebhookElects: in.WebhookLease() != "",
	}
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

// TrackedExecutors returns the highest executor id that the controller writes to status.executorState, and whether
// there is such a limit: before 2.1.0 there is none (#2181).
func (in *Installation) TrackedExecutors() (limit int, limited bool) {
	limit = in.Facts().TrackedExecutors
	if limit == 0 {
		return 0, false
	}
	if n, err := strconv.Atoi(in.flag("max-tracked-executor-per-app")); err == nil {
		return n, true
	}
	return limit, true
}

// DriverGrace returns how long the controller waits for a driver pod to appear before it calls it lost (#2315).
func (in *Installation) DriverGrace() time.Duration {
	grace := in.Facts().DriverGrace
	if grace == 0 {
		return 0
	}
	if d, err := time.ParseDuration(in.flag("driver-pod-creation-grace-period")); err == nil {
		return d
	}
	return grace
}

// Workers returns how many applications the controller works on at a time; 0: its flags do not say.
func (in *Installation) Workers() int {
	n, _ := strconv.Atoi(in.flag("controller-threads"))
	return n
}

// DefaultTimeToLive is what the controller takes for applications without spec.timeToLiveSeconds; zero in every release
// up to 2.5.2. Builds after it have the flag --default-time-to-live-seconds, which counts only with the feature gate
// DefaultTimeToLive (#3042, cmd/operator/controller/start.go@38082f33).
func (in *Installation) DefaultTimeToLive() time.Duration {
	seconds, err := strconv.ParseInt(unquoted(in.flag("default-time-to-live-seconds")), 10, 32)
	if err != nil || seconds <= 0 || !strings.Contains(in.flag("feature-gates"), "DefaultTimeToLive=true") {
		return 0
	}
	return time.Duration(seconds) * time.Second
}

// Down reports whether no replica of the controller is ready, so that no application moves. A Deployment without any
// status says nothing.
func (in *Installation) Down() bool {
	d := in.Controller
	if d == nil {
		return false
	}
	return d.Replicas == 0 || d.Ready == 0 && !d.Changed.IsZero()
}
