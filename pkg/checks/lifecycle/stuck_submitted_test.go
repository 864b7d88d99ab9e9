package lifecycle_test

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check/checktest"
)

// messages are the findings as "severity certainty: message".
func messages(r check.Result) []string {
	out := []string{}
	for _, f := range r.Findings {
		out = append(out, fmt.Sprintf("%s %s: %s", f.Severity, f.Certainty, f.Message))
	}
	return out
}

// TestWhoSchedules: what a scheduler says of a driver without a node. Another scheduler than the default queues pods by
// itself, and has a grammar of its own.
func TestWhoSchedules(t *testing.T) {
	for name, tt := range map[string]struct{ app, metadata, spec, status, want string }{
		"the default scheduler does not run": {
			spec: `"schedulerName":"default-scheduler"`, want: "error proven: no scheduler has reported on it",
		},
		"YuniKorn queues it": {
			spec: `"schedulerName":"yunikorn"`, metadata: `,"annotations":{"yunikorn.apache.org/queue":"root.team-a"}`,
			want: `warning likely: scheduler "yunikorn" (queue "root.team-a") has not reported on it: the pod waits in its queue, or no such scheduler runs`,
		},
		"no such scheduler": {
			spec: `"schedulerName":"vulcano"`,
			want: `warning likely: scheduler "vulcano" has not reported on it: the pod waits in its queue, or no such scheduler runs`,
		},
		"Volcano's gang": {
			app: `,"batchScheduler":"volcano","batchSchedulerOptions":{"queue":"team-a"}`, spec: `"schedulerName":"volcano"`,
			status: `{"type":"PodScheduled","status":"False","reason":"Unschedulable","message":"3/4 tasks in gang unschedulable: pod group is not ready, 1 Pending, 4 minAvailable; Pending: 1 Unschedulable, 3 Undetermined"}`,
			want: `warning proven: scheduler "volcano" (queue "team-a") has not placed it: 3/4 tasks in gang unschedulable: pod group is not ready, 1 Pending, 4 minAvailable; ` +
				`Pending: 1 Unschedulable, 3 Undetermined`,
		},
		"Volcano's nodes": {
			spec: `"schedulerName":"volcano"`, metadata: `,"annotations":{"volcano.sh/queue-name":"q1"}`,
			status: `{"type":"PodScheduled","status":"False","reason":"Unschedulable","message":"all nodes are unavailable: 2 Insufficient cpu, 1 node(s) had taint {a: b}."}`,
			want:   `warning proven: scheduler "volcano" (queue "q1") has not placed it: all nodes are unavailable: 2 Insufficient cpu, 1 node(s) had taint {a: b}`,
		},
		"a second kube-scheduler": {
			spec:   `"schedulerName":"gpu-scheduler"`,
			status: `{"type":"PodScheduled","status":"False","reason":"Unschedulable","message":"0/5 nodes are available: 5 node(s) didn't match Pod's node affinity/selector. preemption: 0/5 nodes are available: 5 Preemption is not helpful for scheduling."}`,
			want:   "error proven: no node fits: didn't match Pod's node affinity/selector",
		},
		"a claim that Volcano does not find": {
			spec:   `"schedulerName":"volcano"`,
			status: `{"type":"PodScheduled","status":"False","reason":"Unschedulable","message":"persistentvolumeclaim \"data\" not found"}`,
			want:   "error proven: PersistentVolumeClaim team-a/data does not exist",
		},
		"no nodes": {
			spec:   `"schedulerName":"default-scheduler"`,
			status: `{"type":"PodScheduled","status":"False","reason":"Unschedulable","message":"no nodes available to schedule pods"}`,
			want:   "error proven: not scheduled: no nodes available to schedule pods",
		},
		"Kueue's gate": {
			spec:     `"schedulerName":"default-scheduler","schedulingGates":[{"name":"kueue.x-k8s.io/admission"}]`,
			metadata: `,"annotations":{"a":"b"}`,
			status:   `{"type":"PodScheduled","status":"False","reason":"SchedulingGated","message":"Scheduling is blocked due to non-empty scheduling gates"}`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			conditions := `"phase":"Pending"`
			if tt.status != "" {
				conditions += `,"conditions":[` + tt.status + `]`
			}
			r := asked(t, "SD6002", checktest.Application("SUBMITTED", tt.app),
				checktest.SparkPod("driver", "etl-driver", time.Hour, tt.metadata, tt.spec, conditions))
			if tt.want == "" {
				require.Empty(t, messages(r))
				require.Equal(t, check.Passed, r.Status, "held back on purpose")
				return
			}
			severity, text := splitWant(tt.want)
			require.Equal(t, []string{severity + `driver pod "etl-driver" has been Pending for 60 min: ` + text}, messages(r))
		})
	}
}

func splitWant(want string) (severity, text string) {
	for i := range want {
		if want[i] == ':' {
			return want[:i+2], want[i+2:]
		}
	}
	return want, ""
}

const (
	runs        = `"phase":"Running","conditions":[{"type":"Ready","status":"True"}]`
	placed      = `"phase":"Pending","conditions":[{"type":"PodScheduled","status":"True"}]`
	noRoom      = `"phase":"Pending","conditions":[{"type":"PodScheduled","status":"False","reason":"Unschedulable","message":"0/5 nodes are available: 5 Insufficient cpu. preemption: 0/5 nodes are available: 5 No preemption victims found for incoming pod."}]`
	noSuchNode  = `"phase":"Pending","conditions":[{"type":"PodScheduled","status":"False","reason":"Unschedulable","message":"0/5 nodes are available: 5 node(s) didn't match Pod's node affinity/selector."}]`
	noClaim     = `"phase":"Pending","conditions":[{"type":"PodScheduled","status":"False","reason":"Unschedulable","message":"0/5 nodes are available: persistentvolumeclaim \"etl-exec-2-pvc-0\" not found. not found"}]`
	gated       = `"phase":"Pending","conditions":[{"type":"PodScheduled","status":"False","reason":"SchedulingGated"}]`
	noImage     = placed + `,"containerStatuses":[{"name":"spark-kubernetes-executor","image":"spark:9","state":{"waiting":{"reason":"ImagePullBackOff","message":"Back-off pulling image \"spark:9\""}}}]`
	noSecret    = placed + `,"containerStatuses":[{"name":"spark-kubernetes-executor","image":"spark:4","state":{"waiting":{"reason":"CreateContainerConfigError","message":"secret \"db\" not found"}}}]`
	pulling     = placed + `,"containerStatuses":[{"name":"spark-kubernetes-executor","image":"spark:4","state":{"waiting":{"reason":"ContainerCreating"}}}]`
	attachError = `Multi-Attach error for volume \"pvc-1\" Volume is already used by pod(s) etl-exec-1`
)

// podEvent is a warning about a pod, as old as it says.
func podEvent(pod, reason, message string, old time.Duration) string {
	at := checktest.Now().Add(-old).Format(time.RFC3339)
	return fmt.Sprintf(`{"apiVersion":"v1","kind":"Event","metadata":{"name":"%s.%s","namespace":"team-a"},"type":"Warning","reason":%q,"message":"%s","count":1,
		"firstTimestamp":%q,"lastTimestamp":%q,"involvedObject":{"apiVersion":"v1","kind":"Pod","namespace":"team-a","name":%q,"uid":%q}}`, pod, reason, reason, message, at, at, pod, pod)
}

// TestExecutorsThatCannotStart: of a job of which others run, executors are reported that need something mended. Those that
// wait for room, for their turn or on purpose are not.
func TestExecutorsThatCannotStart(t *testing.T) {
	const hour = time.Hour
	executor := func(n int, old time.Duration, status string) string {
		return checktest.SparkPod("executor", fmt.Sprint("etl-exec-", n), old, "", `"schedulerName":"default-scheduler"`, status)
	}
	one := executor(1, hour, runs)
	for name, tt := range map[string]struct {
		documents []string
		want      []string
	}{
		"room":                     {[]string{one, executor(2, hour, noRoom)}, nil},
		"a node that may be added": {[]string{one, executor(2, hour, noSuchNode)}, nil},
		"a gate":                   {[]string{one, executor(2, hour, gated)}, nil},
		"young":                    {[]string{one, executor(2, 9*time.Minute, noImage)}, nil},
		"a large image":            {[]string{one, executor(2, hour, pulling)}, nil},
		"a fault that passed": {[]string{one, executor(2, hour, pulling),
			podEvent("etl-exec-2", "FailedMount", `MountVolume.SetUp failed for volume \"conf\" : configmap \"c\" not found`, 58*time.Minute)}, nil},
		"an attachment that succeeded": {[]string{one, executor(2, hour, pulling),
			podEvent("etl-exec-2", "FailedAttachVolume", "AttachVolume.Attach failed for volume: CSINode not found", 58*time.Minute)}, nil},
		"a ramp": {[]string{one, executor(2, time.Minute, placed), executor(3, 20*time.Second, noRoom)}, nil},
		"an image": {[]string{one, executor(2, hour, noImage), executor(3, hour, noImage)}, []string{
			`warning proven: 2 of 3 executors of driver pod "etl-driver" cannot start, such as "etl-exec-2", Pending for 60 min: image "spark:9" cannot be pulled (ImagePullBackOff); the job continues with 1`,
		}},
		"two reasons": {[]string{one, executor(2, hour, noImage), executor(3, hour, noSecret), executor(4, hour, noRoom)}, []string{
			`warning proven: 1 of 4 executors of driver pod "etl-driver" cannot start, such as "etl-exec-2", Pending for 60 min: image "spark:9" cannot be pulled (ImagePullBackOff); the job continues with 1`,
			`warning proven: 1 of 4 executors of driver pod "etl-driver" cannot start, such as "etl-exec-3", Pending for 60 min: Secret team-a/db does not exist; the job continues with 1`,
		}},
		"a claim": {[]string{one, executor(2, hour, noClaim)}, []string{
			`warning proven: 1 of 2 executors of driver pod "etl-driver" cannot start, such as "etl-exec-2", Pending for 60 min: PersistentVolumeClaim team-a/etl-exec-2-pvc-0 does not exist; the job continues with 1`,
		}},
		"a volume of another node": {[]string{
			one, executor(2, hour, placed), podEvent("etl-exec-2", "FailedAttachVolume", attachError, 59*time.Minute),
			podEvent("etl-exec-2", "FailedMount", "Unable to attach or mount volumes: unmounted volumes=[data], unattached volumes=[], failed to "+
				"process volumes=[]: context deadline exceeded", time.Minute),
		}, []string{
			`warning proven: 1 of 2 executors of driver pod "etl-driver" cannot start, such as "etl-exec-2", Pending for 60 min: its containers cannot be created ` +
				`(FailedAttachVolume: Multi-Attach error for volume "pvc-1" Volume is already used by pod(s) etl-exec-1); the job continues with 1`,
		}},
		"a volume of another node, said once": {[]string{one, executor(2, hour, placed),
			podEvent("etl-exec-2", "FailedAttachVolume", attachError, 59*time.Minute)}, []string{
			`warning likely: 1 of 2 executors of driver pod "etl-driver" cannot start, such as "etl-exec-2", Pending for 60 min: its containers cannot be created ` +
				`(FailedAttachVolume: Multi-Attach error for volume "pvc-1" Volume is already used by pod(s) etl-exec-1); the job continues with 1`,
		}},
		"none runs, and others are young": {[]string{executor(2, hour, noImage), executor(3, time.Minute, noImage)}, []string{
			`error proven: 1 of 2 executors of driver pod "etl-driver" cannot start, such as "etl-exec-2", Pending for 60 min: image "spark:9" cannot be pulled (ImagePullBackOff); none runs yet`,
		}},
		"none runs": {[]string{executor(2, hour, noImage), executor(3, hour, noRoom)}, []string{
			`error proven: driver pod "etl-driver" runs without executors; 2 pods Pending for 60 min, such as "etl-exec-2": image "spark:9" cannot be pulled (ImagePullBackOff)`,
		}},
	} {
		t.Run(name, func(t *testing.T) {
			r := asked(t, "SD6002",
				append([]string{checktest.Application("RUNNING", ""), checktest.SparkPod("driver", "etl-driver", hour, "", "", runs)},
					tt.documents...)...)
			require.ElementsMatch(t, tt.want, messages(r))
			whats := map[string]bool{}
			for _, f := range r.Findings {
				require.False(t, whats[string(f.Kind)+f.What], "findings about one application differ in what they say")
				whats[string(f.Kind)+f.What] = true
			}
		})
	}
}

// TestOldEventsOfADriver: an event of a fault that may be over proves nothing.
func TestOldEventsOfADriver(t *testing.T) {
	driver := checktest.SparkPod("driver", "etl-driver", time.Hour, "", "", pulling)
	const mount = `MountVolume.SetUp failed for volume \"conf\" : configmap \"c\" not found`
	require.Equal(t, []string{`error proven: driver pod "etl-driver" has been Pending for 60 min: ConfigMap team-a/c does not exist`},
		messages(asked(t, "SD6002", checktest.Application("SUBMITTED", ""), driver, podEvent("etl-driver", "FailedMount", mount, 2*time.Minute))))
	require.Equal(t,
		[]string{`warning proven: driver pod "etl-driver" has been Pending for 60 min: its containers are not created; the last event about that is 58 min old (FailedMount)`},
		messages(asked(t, "SD6002", checktest.Application("SUBMITTED", ""), driver,
			podEvent("etl-driver", "FailedMount", mount, 58*time.Minute))))
}
