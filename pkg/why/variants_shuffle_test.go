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

// TestShuffleThatCelebornRefuses: the workers that refused it, or that the master excludes, and for which disk.
func TestShuffleThatCelebornRefuses(t *testing.T) {
	const third, dirs = "10.33.13.30:RpcPort:9095:PushPort:9092:FetchPort:9093:ReplicatePort:9094. Reason: ",
		"Local storage has no available dirs!"
	answerVariants(t, map[string]variant{
		"all refuse": {of: "1486", class: "storage", says: []string{"all 3 Celeborn workers", "10.33.13.30"}},
		"one shuts down": {of: "1486", logs: []string{third + dirs, third + "Current worker is shutting down!"}, class: "storage",
			says: []string{"2 Celeborn workers have no usable disk"}, not: []string{"all ", "10.33.13.30"}},
		"another may be left": {of: "1486", logs: []string{"failed caused by not enough slots.", "failed after 3 retry."}, class: "storage",
			says: []string{"3 Celeborn workers"}, not: []string{"all 3"}},
		"the master excludes them": {of: "1506", class: "storage", says: []string{"excludes 3 workers for a disk that is full (/mnt/disk1"}},
		"one for its load": {of: "1506", logs: []string{"Offer slots", "Worker \nHost: bm-cel-9\nDisks: \n (unhealthy disks num: 0, high " +
			"workload: true) adds to excluded workers\nOffer slots"}, class: "storage", says: []string{"3 of 4 workers"}},
		"it refused another application": {of: "1506", logs: []string{"Offer slots for spark-7", "Offer slots for spark-8"}, class: "storage",
			says: []string{"look in the log"}, not: []string{"/mnt/disk1"}},
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
