package failures_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"sigs.k8s.io/yaml"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check/checktest"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// TestScanAndWhySeeTheSameWait: what a scan keeps of a pod and its events tells why it does not start as all of the pod does.
func TestScanAndWhySeeTheSameWait(t *testing.T) {
	var statuses []string
	for _, message := range []string{"0/3 nodes are available: 3 Insufficient cpu.",
		"0/3 nodes are available: 3 node(s) had untolerated taint {a: b}.",
		`0/3 nodes are available: persistentvolumeclaim "data" not found.`,
		"0/3 nodes are available: 3 node(s) had volume node affinity conflict.",
		"pod group is not ready", "pod does not fit in queue root.team", ""} {
		for _, reason := range []string{"Unschedulable", "SchedulingGated"} {
			statuses = append(statuses, fmt.Sprintf(`conditions: [{type: PodScheduled, status: "False", reason: %s, message: '%s'}]`, reason,
				message))
		}
	}
	const placed = `conditions: [{type: PodScheduled, status: "True"}], `
	for _, reason := range []string{"ContainerCreating", "ErrImagePull", "SignatureValidationFailed", "CreateContainerConfigError",
		"CrashLoopBackOff", "PostStartHookError"} {
		for _, message := range []string{"", `secret "db" not found`, "couldn't find key k in ConfigMap jobs/conf"} {
			for _, list := range []string{"containerStatuses", "initContainerStatuses"} {
				statuses = append(statuses, fmt.Sprintf(`%s%s: [{name: c, image: spark, state: {waiting: {reason: %s, message: '%s'}}}]`, placed, list,
					reason, strings.ReplaceAll(message, "'", "''")))
			}
		}
	}
	statuses = append(statuses, "", placed+"initContainerStatuses: [{name: c, state: {running: {startedAt: '2026-11-23T11:01:00Z'}}}]",
		placed+"initContainerStatuses: [{name: c, state: {terminated: {exitCode: 1, reason: Error}}}]")
	now := time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC)
	var events [][]app.Event
	for _, reason := range []string{"", snapshot.FailedMount, snapshot.FailedAttachVolume, snapshot.FailedCreatePodSandBox} {
		for _, message := range []string{`secret "db" not found`, "Multi-Attach error for volume \"v\"", "no IP address"} {
			for _, old := range []time.Duration{time.Minute, time.Hour} {
				events = append(events, []app.Event{{Type: "Warning", Reason: reason, Message: message, Last: now.Add(-old),
					Involved: snapshot.Ref{Kind: "Pod", Namespace: "jobs", Name: "etl-driver"}}})
			}
		}
	}
	for _, status := range statuses {
		text := `apiVersion: v1
kind: Pod
metadata:
  name: etl-driver
  namespace: jobs
  uid: u
  creationTimestamp: "2026-11-23T11:00:00Z"
  labels: {spark-role: driver, sparkoperator.k8s.io/app-name: etl, sparkoperator.k8s.io/launched-by-spark-operator: "true"}
spec: {schedulerName: volcano, containers: [{name: spark-kubernetes-driver, image: spark}], initContainers: [{name: c, image: spark}]}
status: {phase: Pending, ` + strings.TrimSuffix(status, ", ") + "}"
		var whole corev1.Pod
		require.NoError(t, yaml.Unmarshal([]byte(text), &whole))
		pods := checktest.Parse(t, text, now).SparkPods()
		require.Len(t, pods, 1, status)
		for _, of := range events {
			want, _ := mechanism.NotStarted(now, &whole, of)
			got, _ := mechanism.NotStarted(now, app.NarrowPod(pods[0]), of)
			require.Equal(t, found(want.Detail), found(got.Detail), "%s %v", status, of)
		}
	}
}

// found is what a scan says of a cause.
func found(d cause.Detail) []any {
	out := []any{d.Mechanism()}
	switch d := d.(type) {
	case mechanism.Unschedulable:
		return append(out, d.Placement)
	case mechanism.VolumeWanted:
		return append(out, d.Placement)
	case mechanism.ClaimMissing:
		return append(out, d.Claim)
	case mechanism.QueueFull:
		return append(out, d.Unfit.Placement)
	case mechanism.ImagePull:
		return append(out, d.Container, d.Image, d.Reason)
	case mechanism.ContainerUnmade:
		return append(out, d.Container, d.Reason, d.Fault, d.Absent)
	case mechanism.ContainerCrashes:
		return append(out, d.Container, d.Reason, d.Said)
	case mechanism.InitContainer:
		return append(out, d.Name, d.Reason, d.Said)
	case mechanism.InitContainerRuns:
		return append(out, d.Container)
	case mechanism.ObjectMissing:
		return append(out, d.Told, d.Absent)
	case mechanism.VolumeUnmounted:
		return append(out, d.Told)
	case mechanism.SandboxUnmade:
		return append(out, d.Told, d.Fault)
	default:
		return out
	}
}
