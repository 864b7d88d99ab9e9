package mechanism

import "strings"

// Probe is one of those by which a kubelet asks how a container is.
type Probe int

// The probes.
const (
	NoProbe Probe = iota
	LivenessFails
	ReadinessFails
	StartupFails
)

// failedProbe is the one that an event Unhealthy is about (pkg/kubelet/prober/prober.go of kubernetes@v1.36.3: "Liveness probe failed: …").
func failedProbe(message string) Probe {
	of, _, _ := strings.Cut(message, " probe failed")
	switch of {
	case "Liveness":
		return LivenessFails
	case "Readiness":
		return ReadinessFails
	case "Startup":
		return StartupFails
	default:
		return NoProbe
	}
}
