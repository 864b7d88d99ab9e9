package words_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/words"
)

// two are executors of a job that goes on without them.
var two = mechanism.Waiting{Who: mechanism.Who{Role: cause.ExecutorRole, N: 2, Of: 6}, For: 51 * time.Minute,
	Others: mechanism.Others{Running: 4, Of: 6}}

// TestPodsThatHaveNotStarted: each detail has words that name whose pods they are, zero or filled, and the pods that run come first.
func TestPodsThatHaveNotStarted(t *testing.T) {
	room := mechanism.Room{Nodes: 3, None: true, Unlabelled: 1, Selector: "pool=spark", Short: []mechanism.Shortfall{{
		Resource: corev1.ResourceMemory, Asks: resource.MustParse("8Gi"), Most: resource.MustParse("4Gi"), Node: "a", Counted: true, Lack: 1,
		Of: 2}}}
	const begins, waits = "4 of 6 executors run and the job goes on without the rest: 2 of 6 executors", " have been pending for 51 min"
	for _, c := range []struct {
		zero, filled cause.Detail
		says         string // behind the subject
	}{
		{mechanism.SchedulingGated{}, mechanism.SchedulingGated{Waiting: two, Gates: []string{"a/b", "c"}},
			" have been held back by scheduling gates for 51 min: a/b, c"},
		{mechanism.NodeComing{}, mechanism.NodeComing{Waiting: two, Said: "pod triggered scale-up."},
			waits + " while the autoscaler adds a node: pod triggered scale-up"},
		{mechanism.Unschedulable{}, mechanism.Unschedulable{Waiting: two, Unfit: mechanism.Unfit{Room: room,
			Placement: mechanism.Placement{Said: "0/3 nodes"}, NoNode: true, OfNoNode: "no quota",
			Group: mechanism.Group{Ref: snapshot.Ref{Name: "g"}, Wants: "cpu=8"}}}, waits + ": each asks for 8 GiB memory, and 1 of the 2 " +
			"nodes with its labels has at most 4 GiB free (a); it fits on none of 3 nodes; 1 of 3 lacks label pool=spark; the " +
			"scheduler says: 0/3 nodes; the autoscaler could not add a node: no quota; PodGroup g wants room for all of it at once (cpu=8)"},
		{mechanism.QueueFull{}, mechanism.QueueFull{Waiting: two, Said: "exceeds", Queue: "q", Unfit: &mechanism.Unfit{}},
			waits + ": exceeds (queue q)"},
		{mechanism.SchedulerSilent{}, mechanism.SchedulerSilent{Waiting: two, Scheduler: "yunikorn"}, waits + ", and scheduler yunikorn has " +
			"written nothing about it: it does not run here, or its queue is stuck"},
		{mechanism.PendingUnexplained{}, mechanism.PendingUnexplained{Waiting: two}, waits + ", and nothing here shows why"},
		{mechanism.ImagePull{}, mechanism.ImagePull{Waiting: two, Image: "i:1", Reason: "ErrImagePull",
			Said: `Failed to pull image "i:1": denied`},
			" cannot start: image i:1 cannot be pulled (ErrImagePull): denied"},
		{mechanism.ImagePull{}, mechanism.ImagePull{Waiting: two, Image: "i:1", Reason: "ErrImagePull", Said: "denied",
			Fault: mechanism.PullDenied, SecretsGone: []string{"regcred"}}, " cannot start: image i:1 cannot be pulled (ErrImagePull) without " +
			"an account, since pull secret regcred does not exist in namespace jobs; the kubelet says: denied"},
		{mechanism.ImagePull{}, mechanism.ImagePull{Waiting: two, Image: "i:1", Reason: "ErrImagePull", Said: "manifest.v1+prettyjws",
			Fault: mechanism.ManifestTooOld, Node: "n1", Runtime: "containerd://2.1.4"}, " cannot start: image i:1 cannot be pulled " +
			"(ErrImagePull): its manifest has Docker schema 1 (manifest.v1+prettyjws), which containerd 2.1.4 no longer takes; it " +
			"runs on node n1"},
		{mechanism.ImagePulls{}, mechanism.ImagePulls{Waiting: two, Pulling: time.Minute, Said: "Pulling"},
			" waits for its image for 60 s: Pulling"},
		{mechanism.ContainerUnmade{}, mechanism.ContainerUnmade{Waiting: two, Reason: "CreateContainerConfigError",
			Absent: mechanism.Absent{Kind: "Secret", Name: "s"}},
			` cannot start (CreateContainerConfigError): Secret "s" does not exist in namespace jobs (not found)`},
		{mechanism.ContainerCrashes{}, mechanism.ContainerCrashes{Waiting: two, Container: "proxy", Restarts: 2, Ended: true, Exit: 1},
			" cannot start: its container proxy keeps crashing (2 restarts, last with exit code 1)"},
		{mechanism.ContainerCrashes{}, mechanism.ContainerCrashes{Waiting: two, Container: "proxy", Restarts: 1, Ended: true, OOMKilled: true},
			" cannot start: its container proxy keeps exceeding its memory limit (OOMKilled, 1 restart)"},
		{mechanism.InitContainerRuns{}, mechanism.InitContainerRuns{Waiting: two, Container: "wait", Running: time.Hour},
			" waits for init container wait, which runs for 60 min"},
		{mechanism.VolumeWanted{}, mechanism.VolumeWanted{Waiting: two, Placement: mechanism.Placement{Text: "no volume"},
			Claims: []string{"a", "b"}},
			" cannot be scheduled for want of a volume: no volume; its claims: a, b"},
		{mechanism.NoFreeVolume{}, mechanism.NoFreeVolume{Waiting: two, Claim: "a", Asks: resource.MustParse("1Gi"), Class: "fast"},
			" cannot be scheduled: no node has a free volume, or can get one, for PersistentVolumeClaim a, which asks for 1Gi of storage class " +
				`"fast"`},
		{mechanism.ClaimMissing{}, mechanism.ClaimMissing{Waiting: two, Claim: "a"},
			` cannot be scheduled: PersistentVolumeClaim "a" does not exist in namespace jobs (not found)`},
		{mechanism.ClaimUnbound{}, mechanism.ClaimUnbound{Waiting: two, Claim: "a", Phase: corev1.ClaimPending, Since: time.Hour, Class: "fast"},
			` cannot be scheduled: PersistentVolumeClaim a is Pending (unbound) for 60 min: each asks for storage class "fast"`},
		{mechanism.ConfigMapUnmade{}, mechanism.ConfigMapUnmade{Waiting: two, Name: "c"},
			` cannot start: spark-submit ended before it made ConfigMap "c", which it makes right after the pod`},
		{mechanism.ObjectMissing{}, mechanism.ObjectMissing{Waiting: two, Absent: mechanism.Absent{Kind: "Secret", Name: "s"}, Awaited: true},
			" cannot start: it waits for Secret s, which most likely does not exist or lacks a key"},
		{mechanism.VolumeUnmounted{}, mechanism.VolumeUnmounted{Waiting: two, Told: mechanism.Told{Said: "exit status 32"},
			Claim: mechanism.ClaimUse{Name: "a", Modes: []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce}, Users: 3}},
			" cannot start: a volume cannot be mounted: exit status 32; it is claim a (ReadWriteOnce), which 3 pods of the application mount"},
		{mechanism.VolumeUnmounted{}, mechanism.VolumeUnmounted{Waiting: two, Fault: mechanism.HeldElsewhere, Claim: mechanism.ClaimUse{Name: "a",
			Modes: []corev1.PersistentVolumeAccessMode{corev1.ReadWriteOnce}, Contended: true, By: mechanism.ClaimHolder{
				Pod: "etl-driver", Role: cause.DriverRole, Node: "n1"}}}, " cannot start: claim a is ReadWriteOnce and attached to the driver's " +
			"node n1, so executors on other nodes cannot mount it (Multi-Attach error)"},
		{mechanism.VolumeUnmounted{}, mechanism.VolumeUnmounted{Waiting: two, Fault: mechanism.NoNodeDriver, Driver: mechanism.Unregistered{
			Driver: "efs.csi.aws.com", Nodes: []string{"n1"}, Plugin: mechanism.Plugin{Namespace: "kube-system", Name: "efs-csi-node",
				Fault: mechanism.PluginUntolerated, Taints: []string{"team=a:NoSchedule"}}}}, " cannot start: node n1 has no CSI driver " +
			"efs.csi.aws.com: DaemonSet kube-system/efs-csi-node does not tolerate its taint team=a:NoSchedule"},
		{mechanism.SandboxUnmade{}, mechanism.SandboxUnmade{Waiting: two, Node: "n", Told: mechanism.Told{Said: "x"},
			Fault: mechanism.NoRuntimeHandler, Handler: "gvisor"},
			` cannot start: node n has no container runtime "gvisor", which its RuntimeClass asks for: x`},
		{mechanism.SandboxUnmade{}, mechanism.SandboxUnmade{Waiting: two, Node: "n", Fault: mechanism.NoNetwork, Plugin: "calico", Error: "x"},
			" cannot start: its network cannot be set up: network plugin calico of node n fails: x"},
		{mechanism.SandboxUnmade{}, mechanism.SandboxUnmade{Waiting: two, Node: "n", Fault: mechanism.NoNetwork, Plugin: "calico", Error: "x",
			Beside: true}, " wait for their network: network plugin calico of node n fails: x; another pod of the node started meanwhile"},
		{mechanism.SandboxUnmade{}, mechanism.SandboxUnmade{Waiting: two, Node: "n", Fault: mechanism.PluginLimited, Plugin: "cilium-cni"},
			" wait for their network: node n starts more pods at a time than network plugin cilium-cni serves (429 Too Many Requests), and the " +
				"kubelet tries again"},
	} {
		of := cause.Cause{Subject: snapshot.Ref{APIVersion: "v1", Kind: "Pod", Namespace: "jobs", Name: "etl-exec-1"}, Detail: c.zero}
		require.True(t, strings.HasPrefix(words.Terms{}.Of(&of).Says, "the driver "), c.zero)
		of.Detail = c.filled
		require.Equal(t, begins+c.says, words.Terms{}.Of(&of).Says)
	}
}

// TestWhoHasNotStarted: one detail of the driver, of the server, of executors of a run that is over, and of those of a server at work.
func TestWhoHasNotStarted(t *testing.T) {
	over, serving := two, two
	over.Others, over.Over, serving.Others.Serve = mechanism.Others{}, true, true
	for want, w := range map[string]mechanism.Waiting{
		"the driver cannot start: ":          {Who: mechanism.Who{Role: cause.DriverRole}},
		"the server cannot start: ":          {Who: mechanism.Who{Role: cause.DriverRole, Server: true}},
		"2 of 6 executors could not start: ": over,
		"4 of 6 executors run and queries go on without the rest: 2 of 6 executors cannot start: ": serving,
	} {
		says := words.Terms{}.Of(&cause.Cause{Detail: mechanism.ObjectMissing{Waiting: w}}).Says
		require.True(t, strings.HasPrefix(says, want), says)
	}
}

// TestWhatIsNotThere: executors that are refused, applications that a queue holds, containers that a runtime could not start.
func TestWhatIsNotThere(t *testing.T) {
	some, cpu, gib := two.Others, resource.MustParse("2"), resource.MustParse("1Gi")
	const begins = "4 of 6 executors run and the job goes on without the rest: "
	for _, c := range []struct {
		zero, filled cause.Detail
		says         string
	}{
		{mechanism.LimitBelowRequest{}, mechanism.LimitBelowRequest{Asks: cpu, Limit: resource.MustParse("1"), LimitRange: "r", Others: some},
			begins + "each executor asks for 2 CPU and the default limit of LimitRange r is 1, so the API server refuses every executor (a " +
				"request must be less than or equal to the limit)"},
		{mechanism.AboveLimitRange{}, mechanism.AboveLimitRange{LimitRange: "r", Type: corev1.LimitTypePod, Resource: "memory", Most: gib,
			Asks: resource.MustParse("2Gi"), Others: some},
			begins + "LimitRange r allows a pod at most 1 GiB memory, and an executor has a limit of 2 GiB, so the API server refuses every " +
				"executor"},
		{mechanism.QuotaRefuses{}, mechanism.QuotaRefuses{Quota: "q", Resource: "requests.cpu", Missing: 1, Asks: cpu, Hard: cpu, Used: cpu,
			Lacks: cpu, Holder: mechanism.Holder{Pod: "p", Holds: cpu}, Others: some},
			begins + "1 more executor (2 requests.cpu each) needs 2 more than ResourceQuota q has left (2 of 2 used); pod p holds 2"},
		{mechanism.QuotaRefuses{}, mechanism.QuotaRefuses{Quota: "q", Resource: "requests.storage", Volume: "v", Missing: 2, Asks: gib,
			Hard: gib},
			"ResourceQuota q refuses the volume claim of each executor (v, OnDemand): 2 executors ask for 1 GiB each, and 1 GiB of its 1 GiB " +
				"requests.storage are left"},
		{mechanism.QuotaRefuses{}, mechanism.QuotaRefuses{Quota: "q", Resource: "limits.cpu", Unset: true},
			"ResourceQuota q counts limits.cpu, which executors do not set, so the API server refuses every executor (must specify limits.cpu)"},
		{mechanism.ExecutorsMissing{}, mechanism.ExecutorsMissing{Server: true, Asked: 3, Running: time.Hour},
			"none of the 3 executors exists although the server has been running for 60 min; its log says whether it asked for them"},
		{mechanism.QueueHolds{}, mechanism.QueueHolds{Queue: "q", Hold: mechanism.HeldForQuota, Said: "no room", Preempted: true,
			ForWhat: "another"},
			"Kueue preempted the application (another) and holds it suspended in queue q until its quota has room: no room"},
		{mechanism.QueueHolds{}, mechanism.QueueHolds{Queue: "q", Hold: mechanism.HeldStopped, Said: "it is stopped", Preempted: true},
			"Kueue holds the application suspended in queue q: it is stopped (stopPolicy)"},
		{mechanism.StartFailed{}, mechanism.StartFailed{Server: true, Reason: "StartError", Exit: 128, Said: "x"},
			"the container of the server could not be started (StartError, exit code 128): x"},
		{mechanism.ExecutorsUnstarted{}, mechanism.ExecutorsUnstarted{N: 2, Of: 4, Said: "x", Fault: mechanism.NoCommand},
			"2 executors of 4 could not be started: x"},
		{mechanism.MountFailed{}, mechanism.MountFailed{At: "/conf", Said: "not a directory", Volume: "v", SubPath: "s",
			Source: mechanism.Source{Kind: "ConfigMap", Name: "c"}}, "the container of the driver could not be started: volume v cannot be " +
			"mounted at /conf: not a directory; the kubelet creates a directory for a subPath that does not exist: s in ConfigMap c"},
	} {
		require.NotEmpty(t, words.Terms{}.Of(&cause.Cause{Detail: c.zero}).Says)
		require.Equal(t, c.says, words.Terms{}.Of(&cause.Cause{Detail: c.filled}).Says)
	}
}
