package rank

import (
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// The settings of Spark that several causes are about (docs/configuration.md and docs/running-on-kubernetes.md@v3.5.5).
const (
	localDir       = "spark.local.dir"
	localDirsTmpfs = "spark.kubernetes.local.dirs.tmpfs"
	decommission   = "spark.decommission.enabled"
	moveBlocks     = "spark.storage.decommission.shuffleBlocks.enabled"
	pySparkMemory  = "spark.executor.pyspark.memory"
	keepsPods      = "spark.kubernetes.executor.deleteOnTermination"
)

// Settings are those of Spark that an answer is about by what it consists of, beside those of its class: a reader looks up next what they
// are set to. No words of an answer name others, which a test holds.
func (a *Answer) Settings() []string {
	var out []string
	for i := range a.Clauses {
		out = append(out, settingsOf(a.Clauses[i].Cause.Detail)...)
	}
	for i := range a.Advice {
		out = append(out, settingsOf(a.Advice[i].Detail)...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func settingsOf(detail cause.Detail) []string {
	switch d := detail.(type) {
	case logs.Failure:
		return slices.Concat(d.Settings, settingsOfFinding(&d.Finding), settingsOfLoss(d.Lost.Reason))
	case mechanism.OOM:
		return settingsOfTmpfs(d.Tmpfs)
	case mechanism.Eviction:
		return settingsOfDisk(d.For == mechanism.OwnDisk || d.For == mechanism.DiskShortage)
	case mechanism.Drain:
		return settingsOfRemoval(&d.Removal)
	case mechanism.Descheduling:
		return settingsOfRemoval(&d.Removal)
	case mechanism.LostNode:
		return settingsOfRemoval(&d.Removal)
	case mechanism.PastDeadline:
		return settingsOfRemoval(&d.Removal)
	case mechanism.Rejection:
		return settingsOfRemoval(&d.Removal)
	case mechanism.Unschedulable:
		return settingsOfDisk(d.Complaint == mechanism.DiskShort)
	case mechanism.WorkersKilled:
		return []string{pySparkMemory}
	case mechanism.QuotaRefuses:
		return []string{"spark.kubernetes.executor.limit.cores"}
	case mechanism.TasksRefused:
		return []string{"spark.task.cpus"}
	case mechanism.ServicePortWrong:
		return []string{mechanism.PortSetting}
	case mechanism.ServerClassMissing:
		return []string{"spark.jars.packages"}
	case mechanism.ExecutorExits, mechanism.ExecutorsFailing, AskAgain, NextTime:
		return []string{keepsPods}
	case mechanism.SubmissionFailed:
		return d.Settings
	case mechanism.SubmissionRefused:
		return d.Settings
	default:
		return nil
	}
}

// settingsOfRemoval are about executors that outlive their node.
func settingsOfRemoval(r *mechanism.Removal) []string {
	if r.Lost.N == 0 || r.Decommissions {
		return nil
	}
	return []string{decommission, moveBlocks}
}

func settingsOfDisk(is bool) []string {
	if is {
		return []string{localDir}
	}
	return nil
}

func settingsOfTmpfs(t mechanism.Tmpfs) []string {
	if t.LocalDirs {
		return []string{localDirsTmpfs}
	}
	return nil
}

func settingsOfFinding(f *logs.Finding) []string {
	switch m := f.Meaning.(type) {
	case logs.Known:
		return m.Signature.Settings
	case logs.OfKind:
		return settingsOfDisk(m.Kind.Class() == cause.Storage)
	case logs.SparkNotStarted:
		return settingsOfFinding(&logs.Finding{Meaning: m.By})
	case logs.Untold:
		return settingsOfFinding(&m.Then)
	case logs.ShuffleUnreached:
		return []string{"spark.blockManager.port"}
	default:
		return nil
	}
}

func settingsOfLoss(why logs.LossReason) []string {
	switch why {
	case logs.Decommissioned, logs.Evicted, logs.PodDeleted, logs.Terminated:
		return []string{"spark.task.maxFailures", decommission}
	case logs.NoHeartbeat:
		return []string{"spark.executor.heartbeat.maxFailures"}
	default:
		return nil
	}
}
