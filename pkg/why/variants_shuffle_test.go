package why_test

import "testing"

// TestBlocksThatAreNotFetched: where an executor was lost its blocks are; where none was, it is the network between them.
func TestBlocksThatAreNotFetched(t *testing.T) {
	const first = "26/06/09 11:21:08 WARN TaskSetManager: Lost task 1.0 in stage 1.0"
	answerVariants(t, map[string]variant{
		"connections are reset": {of: "1095", class: "network",
			says: []string{"none of them was lost", "service mesh (sidecar istio-proxy)"}},
		"an executor was lost": {of: "1095", logs: []string{first, "26/06/09 11:21:07 ERROR TaskSchedulerImpl: Lost executor 1 on " +
			"10.20.8.61: The executor with id 1 exited with exit code 137.\n" + first}, class: "clusterKilled",
			not: []string{"fetch shuffle blocks"}},
		"their outputs are gone": {of: "1095", logs: []string{"Connection reset by peer", "Missing an output location"}, class: "unknown"},
	})
}

// TestShuffleThatCelebornLost: the worker that did not answer is named by an exception before.
func TestShuffleThatCelebornLost(t *testing.T) {
	answerVariants(t, map[string]variant{
		"a worker": {of: "1156", class: "network", says: []string{"Celeborn", "celeborn-worker-2"}},
		"none is named": {of: "1156", logs: []string{"Failed to connect to celeborn-worker-2", "Failed at", "Connection refused",
			"Over", ".svc.cluster.local/10.72.9.33:38811", ""}, class: "network", not: []string{"celeborn-worker-2"}},
	})
}
