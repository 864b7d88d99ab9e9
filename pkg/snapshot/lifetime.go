package snapshot

import "time"

// ScheduledAppLabel is on every SparkApplication that a schedule made; its value is the schedule's name
// (pkg/common/spark.go@v2.5.2, pkg/config/constants.go@v1beta2-1.6.2-3.5.0).
const ScheduledAppLabel = "sparkoperator.k8s.io/scheduled-app-name"

// Lifetime is spec.timeToLiveSeconds: how long after its end an application is to be deleted.
type Lifetime struct {
	Limited bool // the field is set
	Seconds int64
}

// maxLifetime is longer than any cluster lasts, and still a duration.
const maxLifetime = 100 * 365 * 24 * 3600

// Span is the time after which the application has expired; zero if that is at once.
func (l Lifetime) Span() time.Duration {
	return time.Duration(min(max(l.Seconds, 0), maxLifetime)) * time.Second
}
