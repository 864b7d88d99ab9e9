package why

import (
	"regexp"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// executorLost matches what the driver says of an executor that it lost (core/src/main/scala/org/apache/spark/scheduler/
// TaskSchedulerImpl.scala@v3.5.5), and executorPod the name of its pod (resource-managers/kubernetes/core/src/main/scala/org/apache/spark/
// deploy/k8s/features/BasicExecutorFeatureStep.scala@v3.5.5).
var (
	executorLost = regexp.MustCompile(`\bLost executor (\d+) on `)
	executorPod  = regexp.MustCompile(`-exec-(\d+)$`)
)

// blamed lets what befell executors stand where the log of the driver gave the job up for these: a few losses alone end no job.
func blamed(byObjects, byLogs []cause.Cause) {
	ids := map[string]bool{}
	for i := range byLogs {
		if c := &byLogs[i]; stands(c) && c.Class == cause.ClusterKilled && c.Trust == cause.ByDriverLog {
			for _, p := range c.Evidence {
				if m := executorLost.FindStringSubmatch(p.Value); m != nil {
					ids[m[1]] = true
				}
			}
		}
	}
	for i := range byObjects {
		c := &byObjects[i]
		if !c.Effect || c.Class != cause.ClusterKilled {
			continue
		}
		for _, p := range c.Evidence {
			if m := executorPod.FindStringSubmatch(p.Object.Name); m != nil && ids[m[1]] {
				c.Effect = false
			}
		}
	}
}
