package mechanism

import (
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

// KeepsPods is the setting by which Spark leaves the pods of executors that ended.
const KeepsPods = "spark.kubernetes.executor.deleteOnTermination"

// The settings of Spark that several causes are about (docs/configuration.md and docs/running-on-kubernetes.md@v3.5.5).
const (
	localDir       = "spark.local.dir"
	localDirsTmpfs = "spark.kubernetes.local.dirs.tmpfs"
	decommission   = "spark.decommission.enabled"
	moveBlocks     = "spark.storage.decommission.shuffleBlocks.enabled"
	pySparkMemory  = "spark.executor.pyspark.memory"
	batchSize      = "spark.kubernetes.allocation.batch.size"
	batchDelay     = "spark.kubernetes.allocation.batch.delay"
)

// SettingsOf are the settings of Spark that a detail is about, by what it holds: a reader looks up next what they are set to.
func SettingsOf(detail cause.Detail) []string {
	switch d := detail.(type) {
	case logs.Failure:
		return slices.Concat(d.Settings, settingsOfFinding(&d.Finding), settingsOfLoss(d.Lost.Reason))
	case FilesInMemory:
		return settingsOfTmpfs(d.Tmpfs)
	case PlaceholdersSmaller:
		return settingsOfPart(d.Uncounted)
	case OOM:
		return settingsOfTmpfs(d.Tmpfs)
	case Eviction:
		return settingsOfDisk(d.Unfit == nil && (d.For == OwnDisk || d.For == DiskShortage))
	case Drain:
		return settingsOfRemoval(&d.Removal)
	case Descheduling:
		return settingsOfRemoval(&d.Removal)
	case LostNode:
		return settingsOfRemoval(&d.Removal)
	case PastDeadline:
		return settingsOfRemoval(&d.Removal)
	case Rejection:
		if d.Shared.Setting != "" {
			return []string{d.Shared.Setting}
		}
		return nil
	case VolumesFull:
		if d.OnDemand.Volume != "" {
			return []string{d.OnDemand.Settings + "options.claimName"}
		}
		return nil
	case Unschedulable:
		return settingsOfDisk(d.Complaint == DiskShort)
	case BuiltForOther:
		if d.Archive != "" {
			return []string{"spark.archives"}
		}
		return nil
	case ApacheExecutorsTimedOut:
		if d.Setting != "" {
			return []string{d.Setting}
		}
		return nil
	case PolicyBlocks:
		if d.Asked.Name != "" {
			return []string{d.Asked.Name}
		}
		return nil
	case SubmissionFailed:
		return d.Settings
	case SubmissionRefused:
		return d.Settings
	default:
		return settingsOfStart(detail)
	}
}

// settingsOfStart are those of what does not start.
func settingsOfStart(detail cause.Detail) []string {
	switch d := detail.(type) {
	case LibraryMisfit:
		return map[NamedBy][]string{BySetting: {"spark.jars.packages"}, ByJarsSetting: {"spark.jars"}}[d.From]
	case UnquotedSetting:
		return []string{d.Key}
	case StoreRefused:
		return d.settings()
	case JarTooLate:
		return []string{shuffleManager, "spark.executor.extraClassPath", "spark.jars", "spark.jars.packages"}
	case SandboxUnmade:
		if d.Fault == PluginLimited {
			return []string{batchSize, batchDelay}
		}
		return nil
	default:
		return settingsOfKind(detail)
	}
}

// settingsOfKind are those of a detail whatever it holds.
func settingsOfKind(detail cause.Detail) []string {
	switch d := detail.(type) {
	case ServiceElsewhere:
		return []string{d.Setting}
	case PortUnserved:
		return []string{d.Setting}
	case UnresolvedBefore:
		return []string{d.Setting}
	case BucketInHost:
		return []string{d.Endpoint.Key, d.PathStyle.Key}
	case TokenOfSecret:
		return []string{"spark.kerberos.keytab", "spark.kerberos.principal"}
	case WorkersKilled:
		return []string{pySparkMemory}
	case QuotaRefuses:
		if d.Volume != "" {
			return []string{ClaimSettings + d.Volume + ".options.sizeLimit"}
		}
		return []string{"spark.kubernetes.executor.limit.cores"}
	case ANSIByDefault:
		return []string{ANSIMode}
	case TasksRefused:
		return []string{"spark.task.cpus"}
	case Straggler:
		return []string{AdaptiveExecution}
	case SessionClosed:
		return []string{sessionTimeout}
	case ServicePortWrong:
		return []string{PortSetting}
	case ServerClassMissing, ConnectUnpackaged:
		return []string{"spark.jars.packages"}
	case ExecutorExits, ExecutorsFailing:
		return []string{KeepsPods}
	default:
		return nil
	}
}

// settingsOfRemoval are about executors that outlive their node.
func settingsOfRemoval(r *Removal) []string {
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

func settingsOfTmpfs(t Tmpfs) []string {
	if t.LocalDirs {
		return []string{localDirsTmpfs}
	}
	return nil
}

func settingsOfPart(of app.MemoryUse) []string {
	switch of {
	case app.PySparkMemory:
		return []string{pySparkMemory}
	case app.OffHeapMemory:
		return []string{"spark.memory.offHeap.size"}
	default:
		return nil
	}
}

func settingsOfFinding(f *logs.Finding) []string {
	switch m := f.Meaning.(type) {
	case logs.Known:
		return m.Signature.Settings
	case logs.DriverUnreached:
		if m.Host == "" {
			return nil
		}
		return []string{"spark.driver.host", "spark.driver.bindAddress", "spark.driver.port", "spark.driver.blockManager.port"}
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
	case logs.Signalled:
		return []string{KeepsPods}
	case logs.NoHeartbeat:
		return []string{"spark.executor.heartbeat.maxFailures"}
	default:
		return nil
	}
}
