package words_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/words"
)

// TestWordsOfEnds: how drivers and executors end, and how an application stands, is said in one line, whatever is known of it.
func TestWordsOfEnds(t *testing.T) {
	lost := mechanism.Lost{N: 3, Of: 7}
	removal := mechanism.Removal{Gone: true, Node: "node-1", By: "karpenter", Remover: mechanism.Karpenter, Reason: "Evicted",
		Says: "Node is old."}
	executors := mechanism.Removal{Lost: lost, Says: "Node is old."}
	limit := mechanism.MemoryLimit{Pod: resource.MustParse("1Gi"), Over: -1, Sum: app.MemorySum{MiB: 2432, Factor: 0.1, Least: 384,
		Parts: []app.MemoryPart{{Of: app.HeapMemory, MiB: 2048}, {Of: app.OverheadMemory, MiB: 384},
			{Of: app.OffHeapMemory, MiB: 64, Uncounted: true}}}}
	writers := []mechanism.Writer{{Manager: "kubectl", At: time.Unix(0, 0)}}
	gang := app.Gang{Timeout: 5 * time.Minute, Parts: []app.GangPart{{Name: "driver", MinMember: 1, Each: room("2", "8Gi")},
		{Name: "executor", MinMember: 8, Each: room("4", "16Gi")}}}
	for _, row := range []struct {
		filled cause.Detail
		says   string
	}{
		{mechanism.OOM{Limit: limit, Tmpfs: mechanism.Tmpfs{Volumes: []string{"a", "b"}}}, "1Gi, less than the 2432Mi that the spec adds up " +
			"to (2g heap + 384Mi overhead (10 %, at least 384Mi), without 64Mi off-heap, which Spark counts since 3.1); files in " +
			"volumes a, b (emptyDir, medium Memory) count toward it"},
		{mechanism.OOM{Lost: mechanism.Lost{N: 1, Of: 2}, Tmpfs: mechanism.Tmpfs{LocalDirs: true},
			Spilled: mechanism.Spilled{Executor: "2", MiB: 1536}},
			"scratch files in memory count toward it (spark.kubernetes.local.dirs.tmpfs=true), and executor 2 spilled 1.5 GiB to them"},
		{mechanism.OOM{Lost: mechanism.Lost{N: 1, Of: 2}, Limit: mechanism.MemoryLimit{Field: 2048, Sum: limit.Sum}},
			"1 executor of 2 exceeded its memory limit and the kernel killed it (OOMKilled, 137): limit 2g (memoryLimit"},
		{mechanism.Eviction{Node: "node-1", Says: "The node was low on resource: memory."}, "from node node-1 (Evicted): The node was low"},
		{mechanism.Eviction{Lost: lost}, "evicted 3 executors of 7 (Evicted): no message says more"},
		{mechanism.Preemption{Class: "low"}, "a pod of higher priority (its own class is low)"},
		{mechanism.Preemption{Lost: lost}, "preempted 3 executors of 7 for pods of higher priority: no message"},
		{mechanism.Drain{Removal: mechanism.Removal{Node: "node-1", Asked: true}}, "evicted from node node-1 by a controller"},
		{mechanism.Drain{Removal: removal}, "the driver was lost (node drain by karpenter, node-1): Node is old"},
		{mechanism.Drain{Removal: executors}, "3 executors of 7 lost (node drain): Node is old"},
		{mechanism.Drain{Removal: removal, Interrupted: mechanism.Interruption{Told: true, Spot: true}}, "spot node node-1 was reclaimed by"},
		{mechanism.Drain{Removal: removal, Interrupted: mechanism.Interruption{Told: true}}, "interrupted the machine of node node-1, and"},
		{mechanism.Drain{Interrupted: mechanism.Interruption{Told: true, Spot: true}}, "spot node of the driver was reclaimed by"},
		{mechanism.Descheduling{Removal: removal}, "the descheduler evicted the driver (Evicted): Node is old"},
		{mechanism.Descheduling{Removal: executors}, "lost (evicted by the descheduler)"},
		{mechanism.LostNode{Removal: removal}, "the driver was lost (node lost by karpenter, node-1)"},
		{mechanism.LostNode{Removal: executors}, "lost (node lost)"},
		{mechanism.PastDeadline{Seconds: 60}, "activeDeadlineSeconds of 60"},
		{mechanism.PastDeadline{Removal: executors}, "lost (deadline)"},
		{mechanism.Rejection{Removal: removal}, "the kubelet of node node-1 rejected the driver (Evicted)"},
		{mechanism.Rejection{Removal: executors}, "lost (rejected by the kubelet)"},
		{mechanism.Rejection{Removal: executors, Shared: mechanism.SharedDevices{Resource: "nvidia.com/gpu", Asks: 2}},
			"3 executors of 7 rejected by the kubelet: each asks for 2 nvidia.com/gpu, which pods share here, and a pod may have 1"},
		{mechanism.Rejection{Removal: removal, Shared: mechanism.SharedDevices{Asks: 2}},
			"the driver rejected by the kubelet: it asks for 2 devices"},
		{mechanism.LivenessProbe{Code: 143}, "liveness probe failed (143)"},
		{mechanism.NodeOutOfMemory{Node: "node-1"}, "when node node-1 ran out of memory"},
		{mechanism.ContainerLost{Node: "node-1", Code: 137}, "the exit code 137 stands for one that it does not know"},
		{mechanism.NoEntrypoint{Code: 127, Image: "spark"}, "missing in image spark"},
		{mechanism.NoMainClass{Class: "a.B"}, "did not find the main class a.B"},
		{mechanism.ExitCode{Code: 1, Says: "no table"}, "exit code 1: no table"},
		{mechanism.ExitCode{Code: 143, Gone: true}, "ended by a signal (exit code 143)"},
		{mechanism.ExitCode{Code: 1, Reason: "Error", Gone: true}, "exit code 1 (Error); its pod and its log are gone"},
		{mechanism.TurnedAway{Queue: "root.a"}, "asks for queue root.a"},
		{mechanism.TurnedAway{Scheduler: "yunikorn", Queue: "root.a", Why: mechanism.QueueBelowAGang, Gang: gang, Most: room("64", "64Gi")},
			"its gang asks for 136 GiB of memory and 34 vcore at once (driver 8 GiB and 2 vcore, 8 × executor 16 GiB and 4 vcore), and queue " +
				"root.a may have 64 GiB of memory and 64 vcore"},
		{mechanism.TurnedAway{Queue: "root.a", Why: mechanism.QueueBelowAGang, Gang: gang}, "more than queue root.a may have"},
		{mechanism.TurnedAway{Queue: "root.a", Why: mechanism.QueueNotLeaf}, "queue root.a has queues below it"},
		{mechanism.GangTimedOut{Scheduler: "yunikorn", Queue: "root.a", Gang: gang,
			Holders: []mechanism.GangHolder{{Application: "other", CPU: resource.MustParse("22")}}},
			"34 vcore and 136 GiB (1 driver, 8 executor) of queue root.a did not all get room within 300 s; " +
				"other of the namespace holds 22 vcore now"},
		{mechanism.GangTimedOut{Scheduler: "yunikorn"}, "its members did not all get room within 15 min, the default"},
		{mechanism.GangTimedOut{Scheduler: "yunikorn", Gang: gang, Short: mechanism.GangShort{Part: gang.Parts[1], Placed: 5, All: true,
			Said: "1 max node group size reached"}}, "5 of 8 executor (4 vcore, 16 GiB each) got a node within 300 s, and the autoscaler adds none"},
		{mechanism.LostNode{Removal: mechanism.Removal{Node: "node-1", Says: "shutdown"}, Spot: mechanism.Spot{Key: "spot", Value: "true"}},
			"spot node node-1 was lost under the driver: shutdown"},
		{mechanism.InitContainer{Name: "copy", OOM: true, Limit: "1Gi"}, "init container copy of the driver exceeded its memory limit of 1Gi"},
		{mechanism.InitContainer{Name: "copy", Server: true, Code: 2}, "of the server failed with exit code 2"},
		{mechanism.JVMOutOfMemory{Lost: lost, Heap: 4096}, "at executor.memory 4g"},
		{mechanism.ExecutorExits{Lost: lost, Why: mechanism.EndReason{Kind: mechanism.Exited, Code: 1}, Pod: pod()},
			"3 executors of 7 exited with 1"},
		{mechanism.Deletion{Code: 143, By: mechanism.ToRestart, Generation: 2}, "SIGTERM, exit code 143): the operator restarts the job"},
		{mechanism.Deletion{Node: "node-1", NodeIs: mechanism.NodeLeftService, Says: "Drained"}, "when node node-1 left service: Drained"},
		{mechanism.Deletion{Preempted: true}, "look alike; a preemption cannot be excluded"},
		{mechanism.NodeNotReady{Node: "node-1", Seen: true, Deleting: true, For: time.Hour},
			"has been NotReady for 60 min (no message says more); the driver is stuck"},
		{mechanism.DriverNotFound{State: "FAILED", TooSoon: true, After: time.Second}, `driver pod "etl-driver" 1s after`},
		{mechanism.DriverNotFound{State: "FAILED", Stopped: time.Hour}, "its executors were stopped 60 min before"},
		{mechanism.DriverUnseen{State: "RUNNING"}, `RUNNING, but no driver pod "etl-driver"`},
		{mechanism.DriverGone{Says: "odd."}, "odd; the driver's pod and its log are gone"},
		{mechanism.StillRuns{State: "FAILED", Executors: 2, Created: time.Minute}, "with 2 executors; it was created 60 s after"},
		{mechanism.Completed{Exited: true, Sidecars: []string{"proxy"}, Attempt: 2, Lost: 1, Why: mechanism.EndReason{Kind: mechanism.OOMKilled}},
			"sidecar proxy does not exit; it was attempt 2, after 1 attempt that failed; 1 executor lost on the way (OOMKilled)"},
		{mechanism.MarkedFailed{State: "FAILED", Says: "x"}, `the operator recorded "x"`},
		{mechanism.MarkedFailed{State: "FAILED", Says: "failed to run spark-submit: failed to run spark-submit: 26/04/21 01:30:05 WARN A: b"},
			`the operator recorded "failed to run spark-submit"`},
		{mechanism.MarkedFailed{State: "FAILED", Says: "x: 26/04/21 01:30:05 INFO A: b\nException in thread \"main\" E"},
			`the operator recorded "x: 26/04/21 01:30:05 INFO A: b\nException in thread \"main\" E"`},
		{mechanism.Unrecorded{Log: "it is stuck", Forbids: true}, "without a state, but its driver completed (exit code 0) 0 s ago"},
		{mechanism.Running{Executors: 1, Asked: 2, Failed: 4, Unsaid: true}, "the driver and 1 of 2 executors have been running for 0 s; " +
			"4 other executors failed, and their pods are gone"},
		{mechanism.Running{Failed: 4, OOMKilled: 3, Sidecars: []mechanism.SidecarExit{{Name: "proxy", Code: 1}}},
			"sidecar proxy of the driver exited with 1; 4 other executors failed, 3 of them OOMKilled"},
		{mechanism.ExecutorsFailing{Failed: 4, Asked: 2, Keeps: true}, "4 executors failed one after another (2 requested)"},
		{mechanism.ServiceGone{Failed: 4}, "the headless Service of the driver"},
		{mechanism.OwnerElsewhere{Says: "x"}, "its owner is not in its namespace: x"},
		{mechanism.Finding{Check: "SD5001", Says: "as found"}, "as found"},
		{mechanism.ScheduleRejected{Says: "x"}, "does not accept the schedule: x"},
		{mechanism.NoRun{In: -time.Hour, Overdue: true}, "due 60 min ago"},
		{mechanism.SuspendIgnored{Resume: true}, "not resumed"},
		{mechanism.Suspended{Schedule: true}, "the schedule is suspended"},
		{mechanism.ApplicationDeleted{Connect: true, Finalizers: []string{"a", "b"}, Writers: writers},
			"the SparkConnect was deleted 0 s ago and is terminating; it waits for finalizers a, b; spec written by kubectl (1970-01-01T00:00:00Z)"},
		{mechanism.NoNewRun{Changes: 2}, "(2 times, the last at 00:00:00)"},
		{mechanism.SpecChanged{Generation: 3, Left: "etl-driver"}, "(generation 3); pod etl-driver of that run is not deleted"},
		{mechanism.HeldByFinalizers{Resumes: true, Finalizers: []string{"a/b"}}, "resumes the application when pod etl-driver is gone"},
		{mechanism.DeletionRefused{Tries: 7}, "tried 7 times to suspend the application, and pod etl-driver is not deleted"},
	} {
		c := cause.Cause{Detail: row.filled, Role: cause.DriverRole, Subject: pod()}
		p := words.Terms{}.Of(&c)
		require.Contains(t, p.Says, row.says)
		require.NotContains(t, p.Says+fmt.Sprint(p.Do), "%!", row.says)
		require.NotContains(t, p.Says, "\n")
		require.Equal(t, strings.TrimSpace(p.Says), p.Says)
	}
}

func pod() snapshot.Ref {
	return snapshot.Ref{APIVersion: "v1", Kind: "Pod", Namespace: "jobs", Name: "etl-driver"}
}

// TestAdviceOfEnds: it is made for what was found, with the names of it.
func TestAdviceOfEnds(t *testing.T) {
	for _, row := range []struct {
		of   cause.Detail
		text string
		line string
	}{
		{mechanism.OOM{}, "keep the job from collecting so much", ""},
		{mechanism.Eviction{For: mechanism.OwnDisk}, "the sizeLimit of the volume of the driver", ""},
		{mechanism.Eviction{For: mechanism.DiskShortage}, "request ephemeral-storage for the driver", ""},
		{mechanism.Eviction{For: mechanism.MemoryShortage}, "(driver.memory and driver.memoryOverhead)", ""},
		{mechanism.LostNode{Removal: mechanism.Removal{Node: "node-1"}}, "check node node-1", "kubectl describe node node-1"},
		{mechanism.ExecutorExits{Pod: pod()}, "read the log of an executor that failed", "kubectl -n jobs logs pod/etl-driver"},
		{mechanism.ExecutorExits{Keeps: true}, "collect the logs of pods (spark.kubernetes.executor.deleteOnTermination is false", ""},
		{mechanism.ExecutorExits{}, "set spark.kubernetes.executor.deleteOnTermination to false, run it again", ""},
		{mechanism.InitContainer{Name: "copy"}, "read the log of the init container", "kubectl -n jobs logs etl-driver -c copy"},
		{mechanism.Deletion{}, "who deleted it: verb delete, resource pods, name etl-driver", ""},
		{mechanism.Finding{Check: "SD5014", Namespace: "team", Manifest: true}, "correct the manifest", "kubectl sparkdoctor explain SD5014"},
		{mechanism.Finding{Check: "SD5001", Namespace: "team"}, "read what SD5001 found", "kubectl sparkdoctor scan -n team"},
	} {
		c := cause.Cause{Detail: row.of, Role: cause.DriverRole, Subject: pod()}
		do := words.Terms{}.Of(&c).Do
		require.NotEmpty(t, do, "%T", row.of)
		require.Contains(t, do[0].Text, row.text)
		require.Equal(t, row.line, do[0].Line)
	}
	removers := map[string]bool{}
	for r := mechanism.OtherRemover; r <= mechanism.ClusterAutoscaler; r++ {
		c := cause.Cause{Detail: mechanism.Drain{Removal: mechanism.Removal{Gone: true, Remover: r}}}
		removers[words.Terms{}.Of(&c).Do[0].Text] = true
	}
	require.Len(t, removers, 5, "each is told to wait in its own way")
}

// emptyEnds are all details about ends, with nothing filled.
func emptyEnds() []cause.Detail {
	return []cause.Detail{
		mechanism.OOM{}, mechanism.Eviction{}, mechanism.Preemption{}, mechanism.Drain{}, mechanism.Descheduling{}, mechanism.LostNode{},
		mechanism.PastDeadline{}, mechanism.Rejection{}, mechanism.LivenessProbe{}, mechanism.NodeOutOfMemory{}, mechanism.ContainerLost{},
		mechanism.NoEntrypoint{}, mechanism.NoMainClass{}, mechanism.ExitCode{}, mechanism.TurnedAway{}, mechanism.InitContainer{},
		mechanism.GangTimedOut{},
		mechanism.JVMOutOfMemory{}, mechanism.ExecutorExits{}, mechanism.Deletion{}, mechanism.NodeNotReady{},
		mechanism.DriverNotFound{}, mechanism.DriverUnseen{}, mechanism.DriverGone{}, mechanism.StillRuns{}, mechanism.Completed{},
		mechanism.MarkedFailed{}, mechanism.Unrecorded{}, mechanism.Running{}, mechanism.ExecutorsFailing{}, mechanism.ServiceGone{},
		mechanism.OwnerElsewhere{}, mechanism.ScheduleRejected{}, mechanism.NoRun{}, mechanism.SuspendIgnored{}, mechanism.Suspended{},
		mechanism.ApplicationDeleted{}, mechanism.NoNewRun{}, mechanism.SpecChanged{}, mechanism.HeldByFinalizers{}, mechanism.DeletionRefused{},
	}
}

// TestWordsOfEmptyEnds: a detail of which nothing is filled is said, too.
func TestWordsOfEmptyEnds(t *testing.T) {
	for _, d := range emptyEnds() {
		p := words.Terms{}.Of(&cause.Cause{Detail: d})
		require.NotEmpty(t, p.Says, "%T", d)
		require.NotContains(t, p.Says+fmt.Sprint(p.Do), "%!", "%T", d)
	}
}

func room(cpu, memory string) corev1.ResourceList {
	return corev1.ResourceList{corev1.ResourceCPU: resource.MustParse(cpu), corev1.ResourceMemory: resource.MustParse(memory)}
}
