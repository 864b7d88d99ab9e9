package releases

import "github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator/release"

// v2_0_2 is of 2024-10-11.
func v2_0_2() release.Release {
	return release.Release{
		Version: version(2, 0, 2), Compared: "v2.0.1", Hop: true,
		Defects: []release.Defect{{
			ID: "executor-lifecycle-refused", Harm: release.Stops,
			Does:        "rejects the executors of Spark 3 applications with executor.lifecycle",
			Application: asksLifecycle, Spared: hasExecutors,
			Source: "addPodLifeCycleConfig in internal/webhook/sparkpod_defaulter.go@v2.0.2, @v2.1.0 and @v2.1.1, #2457, #2458",
		}},
		Fixes: []string{"pull-options-dropped", "packages-not-downloadable"},
		Fatal: &release.Fatal{
			Next:   "2.1.1",
			Why:    "never retries a failed submission, and its webhook rejects the executors of Spark 3 that have a lifecycle",
			Source: requeues + "; addPodLifeCycleConfig in internal/webhook/sparkpod_defaulter.go@v2.0.2, #2457",
		},
	}
}
