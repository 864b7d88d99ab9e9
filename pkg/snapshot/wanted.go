package snapshot

import (
	"slices"
)

// Wants returns what the application asks of the webhook for its pods of a role: only what nothing else brings, and
// only values that change a pod.
func (a *SparkApplication) Wants(role string) []Feature {
	switch role {
	case "driver":
		return a.DriverWants
	case "executor":
		return a.ExecutorWants
	default:
		return nil
	}
}

// DriverSets reports whether spec.driver has an env or a securityContext at all, be it only what Spark sets itself.
func (a *SparkApplication) DriverSets(field Field) bool { return slices.Contains(a.DriverHas, field) }
