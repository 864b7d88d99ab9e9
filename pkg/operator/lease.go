package operator

import "cmp"

// WebhookLease is the name of the lease for which replicas of the webhook compete: the leader writes caBundle. It is in
// the Deployment's namespace. Empty if there is none (charts/spark-operator-chart/templates/webhook/deployment.yaml@v2.5.2;
// the flag's default is in cmd/operator/webhook/start.go@v2.5.2).
func (in *Installation) WebhookLease() string {
	if in.Webhook == nil || in.Legacy() {
		return ""
	}
	flags := flagsOf(in.Webhook)
	if on, set := flags["leader-election"]; !set || on == "false" {
		return ""
	}
	return cmp.Or(flags["leader-election-lock-name"], "spark-operator-lock")
}
