package snapshot

import (
	"time"
)

// SparkConnect is what checks read of a sparkconnects.sparkoperator.k8s.io (api/v1alpha1@v2.5.2).
type SparkConnect struct {
	Object
	Contested

	State       string    // status.state; empty until the operator got as far as to make the server pod
	Started     time.Time // status.startTime
	ServerPodIP string    // status.server.podIp

	// Malformed says what of spec could not be decoded; metadata is good then, the rest is not.
	Malformed string
}
