package casefile_test

import "testing"

// TestExecutorsThatEndBeforeTheyWork: their logs tell why, though the driver runs and some reported to it; where tasks finish, others do
// their work.
func TestExecutorsThatEndBeforeTheyWork(t *testing.T) {
	const lost = "INFO KubernetesClusterSchedulerBackend$KubernetesDriverEndpoint: Disabling executor 1."
	const done = "INFO TaskSetManager: Finished task 3.0 in stage 0.0 (TID 3) in 15000 ms on 10.88.6.41 (executor 1) (1/8)"
	const taken = "was less than the minimum allocation of"
	answerVariants(t, map[string]variant{
		"no task finished": {of: "unseen/1191", class: "configuration", says: []string{"the GPU lacks free memory", "3777.5 MB"}},
		"one did":          {of: "unseen/1191", logs: []string{lost, done}, class: "slowButProgressing", not: []string{"GPU"}},
		"for another reason": {of: "unseen/1191", logs: []string{taken, "is not what was asked for, which is"}, class: "unknown",
			not: []string{"GPU lacks"}},
	})
}

// TestSpecsThatAreNotRunAgain: an operator 1.x says which change it took a run down for.
func TestSpecsThatAreNotRunAgain(t *testing.T) {
	const changed = "SparkApplicationSpecUpdateProcessed"
	answerVariants(t, map[string]variant{
		"twice": {of: "unseen/1172", class: "stoppedByUser", says: []string{"the spec was changed while it ran (2 times", "PENDING_RERUN"}},
		"not":   {of: "unseen/1172", objects: []string{changed, "SparkApplicationOther"}, class: "unknown", says: []string{"PENDING_RERUN"}},
	})
}
