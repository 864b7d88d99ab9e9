package mechanism

import (
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

// StageGivenUp is a stage that Spark gave up after several tries, because its tasks could not fetch what lost executors had written
// (spark.stage.maxConsecutiveAttempts, docs/configuration.md@v3.5.5). A stage that was tried again and went through looks alike: Spark does
// not say of it that it failed the maximum number of times.
type StageGivenUp struct{ logs.GivenUp }

// Mechanism names it.
func (StageGivenUp) Mechanism() cause.ID { return "stage-given-up" }

// GaveUpStage finds it where the cluster ended executors.
func GaveUpStage(v *View, about *cause.Cause) (cause.Cause, bool) {
	up := v.Work.GivenUp
	_, logged := about.Detail.(logs.Failure)
	if up == nil || logged || about.Class != cause.ClusterKilled || about.Role != cause.ExecutorRole {
		return cause.Cause{}, false
	}
	return v.ofWork(about, StageGivenUp{*up}, up.Line), true
}

// TellsStage reports whether a cause says itself which stage was given up, by the log of the driver.
func TellsStage(c *cause.Cause) bool {
	f, is := c.Detail.(logs.Failure)
	return is && f.GivenUp != nil
}
