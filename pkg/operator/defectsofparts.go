package operator

import (
	"net/netip"
	"slices"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// electionDefects are of the flags that time leader election: the binaries of 2.x declare all three and did not pass them on.
func electionDefects() []Defect {
	return []Defect{
		{
			ID: "election-timing-ignored", Since: Version{2, 0, 0}, Until: Version{2, 4, 0}, Harm: Spoils,
			Does:         "ignores the timing of its leader election, which stays at 15 s, 10 s and 2 s",
			Installation: timesElection, Source: "cmd/operator/controller/start.go@v2.3.0 and @v2.4.0, #2640",
		},
		{
			ID: "webhook-election-timing-ignored", Since: Version{2, 0, 0}, Harm: Spoils,
			Does:         "ignores the timing of its webhook's leader election, which stays at 15 s, 10 s and 2 s",
			Installation: timesWebhookElection, Source: "cmd/operator/webhook/start.go@v2.0.0 and @v2.5.2, #2640, #3068",
		},
	}
}

// connectDefects are of SparkConnect, which came with 2.3.0.
func connectDefects() []Defect {
	return []Defect{
		{
			ID: "connect-ipv6-refused", Since: Version{2, 3, 0}, Until: Version{2, 4, 0}, Harm: Stops,
			Does:    "gives SparkConnect servers an IPv6 address without brackets as spark.driver.host, which Spark refuses",
			Connect: servesIPv6, Source: "driverConfOption in internal/controller/sparkconnect/options.go@v2.3.0 and @v2.4.0, #2679, #2703",
		},
		{
			ID: "connect-finalizers-not-granted", Since: Version{2, 3, 0}, Until: Version{2, 4, 0}, Harm: Stops, Unsure: true,
			Does:    "may not set finalizers of SparkConnects, so that an API server with OwnerReferencesPermissionEnforcement, such as OpenShift's, lets it create nothing for them",
			Connect: neverTakenUp, Source: "charts/spark-operator-chart/templates/controller/_helpers.tpl@v2.3.0 and @v2.4.0, #2726, #2727",
		},
	}
}

// The flags and what is in force where they are ignored (pkg/manager/manager.go of controller-runtime v0.20.4).
func electionTimings() map[string]time.Duration {
	return map[string]time.Duration{
		"leader-election-lease-duration": 15 * time.Second, "leader-election-renew-deadline": 10 * time.Second, "leader-election-retry-period": 2 * time.Second,
	}
}

func timesElection(in *Installation) (Use, bool) {
	use, set := timesOf(in.controller.flags)
	return use, set && in.ControllerLease().Name != ""
}

func timesWebhookElection(in *Installation) (Use, bool) {
	use, set := timesOf(in.webhook.flags)
	use.Field += " of the webhook"
	return use, set && in.WebhookLease() != ""
}

// timesOf returns a flag that asks for another time than the one in force.
func timesOf(flags map[string]string) (Use, bool) {
	for _, name := range []string{"leader-election-lease-duration", "leader-election-renew-deadline", "leader-election-retry-period"} {
		value := unquoted(flags[name])
		if asked, err := time.ParseDuration(value); err == nil && asked != electionTimings()[name] {
			return Use{"--" + name, value}, true
		}
	}
	return Use{}, false
}

// servesIPv6 holds for a server that is not ready and has an IPv6 address.
func servesIPv6(c *snapshot.SparkConnect, now time.Time, patience time.Duration) (Use, bool) {
	ip, err := netip.ParseAddr(c.ServerPodIP)
	waiting := slices.Contains([]string{"NotReady", "Failed"}, c.State) && now.Sub(c.Created) > patience
	return Use{"status.server.podIp", c.ServerPodIP}, err == nil && ip.Is6() && !ip.Is4In6() && waiting
}

// neverTakenUp holds for one without any status: the first thing that the operator creates is a ConfigMap, and without it the status
// is never written (Reconcile in internal/controller/sparkconnect/reconciler.go@v2.3.0).
func neverTakenUp(c *snapshot.SparkConnect, now time.Time, patience time.Duration) (Use, bool) {
	return Use{"status.state", "not set"}, c.State == "" && c.Started.IsZero() && !c.Created.IsZero() && now.Sub(c.Created) > patience
}
