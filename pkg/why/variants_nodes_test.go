package why_test

import "testing"

// TestNodesThatHadToGo: only an event that tells that the pod was deleted for its node is a drain.
func TestNodesThatHadToGo(t *testing.T) {
	answerVariants(t, map[string]variant{
		"deleted for the node": {of: "857", class: "clusterKilled", says: []string{"karpenter", "NodePool"},
			not: []string{"annotate the driver"}},
		"Karpenter could not": {of: "857", objects: []string{"reason: Disrupted\n", "reason: DisruptionBlocked\n"}, class: "unknown"},
	})
}

// TestNodesThatDoNotCome: an autoscaler that tried and failed adds no node; one that tries again may.
func TestNodesThatDoNotCome(t *testing.T) {
	const failed = "reason: FailedScaleUp\n"
	answerVariants(t, map[string]variant{
		"the cloud has none": {of: "859", class: "scheduling", says: []string{"GCE out of resources", "zone, quota, machine type"}},
		"it waits after a failure": {of: "859", objects: []string{failed, "reason: Other\n"}, class: "scheduling",
			says: []string{"in backoff after failed scale-up"}},
		"it tries again": {of: "859", objects: []string{"lastTimestamp: '2026-05-19T13:37:10Z'", "lastTimestamp: '2026-05-19T13:43:00Z'"},
			class: "slowButProgressing"},
	})
}
