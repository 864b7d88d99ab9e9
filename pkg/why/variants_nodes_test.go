package why_test

import (
	"strings"
	"testing"
)

// TestNodesThatHadToGo: only an event that tells that the pod was deleted for its node is a drain.
func TestNodesThatHadToGo(t *testing.T) {
	answerVariants(t, map[string]variant{
		"deleted for the node": {of: "857", class: "clusterKilled", says: []string{"karpenter", "NodePool"},
			not: []string{"annotate the driver"}},
		"Karpenter could not": {of: "857", objects: []string{"reason: Disrupted\n", "reason: DisruptionBlocked\n"}, class: "unknown"},
	})
}

// TestSpotNodesThatWereReclaimed: only an interruption of the driver's own node, just before Karpenter drained it for no reason of its own.
func TestSpotNodesThatWereReclaimed(t *testing.T) {
	const (
		told, at = "reason: SpotInterrupted\n", "'2026-10-08T21:26:41Z'"
		own      = "  kind: Node\n  name: ip-10-88-141-23.ec2.internal\n"
		evicted  = "Evicted pod: Forceful Termination"
	)
	answerVariants(t, map[string]variant{
		"told": {of: "726", class: "clusterKilled", says: []string{"spot node ip-10-88-141-23.ec2.internal was reclaimed by the cloud provider",
			"karpenter.sh/capacity-type: on-demand", "event SpotInterrupted"}, not: []string{"do-not-disrupt"}},
		"interrupted otherwise": {of: "726", class: "clusterKilled", objects: []string{told, "reason: TerminatingOnInterruption\n"},
			says: []string{"interrupted the machine of node ip-10-88-141-23.ec2.internal", "does not hold off"}, not: []string{"spot"}},
	})
	chosen := map[string]variant{}
	for name, changed := range map[string][]string{
		"recommended only":      {told, "reason: SpotRebalanceRecommendation\n"},
		"terminates in the end": {told, "reason: InstanceTerminating\n"},
		"another node":          {own, strings.Replace(own, "141-23", "1-1", 1)},
		"long before":           {at, strings.Replace(at, "T21", "T20", 1)},
		"after that":            {at, strings.Replace(at, "26:41", "27:41", 1)},
		"chosen":                {evicted, "Evicted pod: Underutilized"},
		"drifted":               {evicted, "Evicted pod: Drifted"},
	} {
		chosen[name] = variant{of: "726", class: "clusterKilled", objects: changed, not: []string{"reclaimed", "interrupted"},
			says: []string{"karpenter.sh/do-not-disrupt: \"true\" (spec.driver.annotations)", "ip-10-88-141-23.ec2.internal"}}
	}
	answerVariants(t, chosen)
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
