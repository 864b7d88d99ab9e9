package node_test

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/build"
	"github.com/sparkdoctor/kubectl-sparkdoctor/test/controlplane"
	"github.com/sparkdoctor/kubectl-sparkdoctor/test/images"
	"github.com/sparkdoctor/kubectl-sparkdoctor/test/node"
)

const operatorProgram = "/usr/bin/spark-operator"

// installed is an operator of two replicas each, whose pods run on a real node.
type installed struct {
	cp *controlplane.ControlPlane
	n  *node.Node
	op *controlplane.Operator
}

func install(t *testing.T, releases ...string) installed {
	t.Helper()
	node.Require(t)
	b, err := build.New(t.Output())
	require.NoError(t, err)
	archives, err := images.Archives(t.Context(), b, releases...)
	require.NoError(t, err)
	cp, n := start(t, node.Options{Images: archives})
	two := map[string]any{"replicas": 2}
	op, err := cp.InstallOperator(t.Context(), controlplane.OperatorOptions{
		Version: releases[0], JobNamespaces: []string{"jobs"}, Values: map[string]any{"controller": two, "webhook": two},
	})
	require.NoError(t, err)
	return installed{cp, n, op}
}

// TestOperator sees what the unmodified chart asks of a cluster done by a real one. The parts follow each other on one installation.
func TestOperator(t *testing.T) {
	newest := build.OperatorVersions()[len(build.OperatorVersions())-1]
	i := install(t, build.BaseOperator, newest)
	t.Run("pods run the release's image", i.runs)
	t.Run("the webhook is called at its pods", i.admits)
	t.Run("an application completes", i.completes)
	t.Run("one replica leads, and another follows it", i.leads)
	t.Run("probes take a pod out and restart it", i.probes)
	t.Run("a rolling update replaces every pod", func(t *testing.T) { i.rolls(t, newest) })
}

func (i installed) pods(t *testing.T, component string) []corev1.Pod {
	t.Helper()
	pods, err := i.op.Pods(t.Context(), component)
	require.NoError(t, err)
	return pods
}

func (i installed) runs(t *testing.T) {
	for _, component := range []string{"controller", "webhook"} {
		pods := i.pods(t, component)
		require.Len(t, pods, 2)
		for _, pod := range pods {
			status := pod.Status.ContainerStatuses[0]
			require.Equal(t, "ghcr.io/kubeflow/spark-operator/controller:"+i.op.Version, status.Image)
			require.True(t, strings.HasPrefix(status.ContainerID, "containerd://"), status.ContainerID)
			require.Equal(t, i.n.Name, pod.Spec.NodeName)
			require.True(t, controlplane.PodReady(&pod), pod.Name)
			logs, err := i.cp.Client.CoreV1().Pods(pod.Namespace).GetLogs(pod.Name, &corev1.PodLogOptions{}).DoRaw(t.Context())
			require.NoError(t, err)
			require.NotEmpty(t, logs, "its log comes from the kubelet")
		}
	}
}

func (i installed) admits(t *testing.T) {
	app := controlplane.NewApplication("jobs", "1-starts-with-a-digit")
	_, err := i.cp.CreateApplication(t.Context(), app)
	require.ErrorContains(t, err, "denied the request", "the operator's own validation answers")
}

func (i installed) completes(t *testing.T) {
	ctx := t.Context()
	_, err := i.cp.CreateApplication(ctx, controlplane.NewApplication("jobs", "pi"))
	require.NoError(t, err)
	_, err = i.cp.WaitForState(ctx, "jobs", "pi", "COMPLETED")
	require.NoError(t, err)
	driver, err := i.cp.Client.CoreV1().Pods("jobs").Get(ctx, "pi-driver", metav1.GetOptions{})
	require.NoError(t, err)
	ended := driver.Status.ContainerStatuses[0].State.Terminated
	require.NotNil(t, ended)
	require.Equal(t, "Completed", ended.Reason)
	require.True(t, slices.ContainsFunc(driver.Spec.Containers[0].Env, func(e corev1.EnvVar) bool { return e.Name == "FROM_WEBHOOK" }),
		"the env that only the webhook adds")
}

// leader returns the pod that holds the controller's lease.
func (i installed) leader(ctx context.Context) (string, error) {
	leases, err := i.cp.Client.CoordinationV1().Leases(i.op.Namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		return "", err
	}
	pods, err := i.op.Pods(ctx, "controller")
	if err != nil {
		return "", err
	}
	for _, pod := range pods {
		for _, lease := range leases.Items {
			// controller-runtime's identity is the host's name, _ and a UUID (pkg/leaderelection/leader_election.go@v0.20.4).
			if holder := lease.Spec.HolderIdentity; holder != nil && strings.HasPrefix(*holder, pod.Name+"_") {
				return pod.Name, nil
			}
		}
	}
	return "", fmt.Errorf("no pod of the controller holds a lease: %v", leases.Items)
}

func (i installed) leads(t *testing.T) {
	ctx := t.Context()
	first, err := i.leader(ctx)
	require.NoError(t, err)
	require.NoError(t, i.cp.Client.CoreV1().Pods(i.op.Namespace).Delete(ctx, first, metav1.DeleteOptions{}))
	require.NoError(t, controlplane.Until(ctx, 90*time.Second, "another replica to lead", func(ctx context.Context) (bool, error) {
		next, err := i.leader(ctx)
		return err == nil && next != first, err
	}))
}

// probes stops the process of one webhook pod: it answers no probe, so the pod is not ready, and its container is restarted. The chart
// sets no periods, so that both take half a minute.
func (i installed) probes(t *testing.T) {
	ctx := t.Context()
	pod := i.pods(t, "webhook")[0]
	require.NoError(t, i.n.SignalPod(pod.UID, operatorProgram, syscall.SIGSTOP))
	get := func(ctx context.Context) (*corev1.Pod, error) {
		return i.cp.Client.CoreV1().Pods(pod.Namespace).Get(ctx, pod.Name, metav1.GetOptions{})
	}
	require.NoError(t, controlplane.Until(ctx, 2*time.Minute, "the pod not to be ready", func(ctx context.Context) (bool, error) {
		now, err := get(ctx)
		return err == nil && !controlplane.PodReady(now), err
	}))
	require.NoError(t, controlplane.Until(ctx, 2*time.Minute, "the kubelet to end its container", func(ctx context.Context) (bool, error) {
		events, err := i.cp.Client.CoreV1().Events(pod.Namespace).List(ctx, metav1.ListOptions{
			FieldSelector: "reason=Killing,involvedObject.name=" + pod.Name})
		return err == nil && len(events.Items) > 0, err
	}))
	// Now it may follow the signal to end, for which the kubelet would wait another half minute.
	require.NoError(t, i.n.SignalPod(pod.UID, operatorProgram, syscall.SIGCONT))
	require.NoError(t, controlplane.Until(ctx, 2*time.Minute, "its container to be restarted", func(ctx context.Context) (bool, error) {
		now, err := get(ctx)
		if err != nil {
			return false, err
		}
		s := now.Status.ContainerStatuses[0]
		// The kubelet says how the first one ended, if not in the first status that counts the restart.
		return s.RestartCount == 1 && controlplane.PodReady(now) && s.LastTerminationState.Terminated != nil, fmt.Errorf("status %v", s)
	}))
}

func (i installed) rolls(t *testing.T, newest string) {
	before := append(i.pods(t, "controller"), i.pods(t, "webhook")...)
	require.NoError(t, i.op.Upgrade(t.Context(), newest))
	for _, component := range []string{"controller", "webhook"} {
		running := slices.DeleteFunc(i.pods(t, component), func(p corev1.Pod) bool { return p.DeletionTimestamp != nil })
		require.Len(t, running, 2)
		for _, pod := range running {
			require.Equal(t, "ghcr.io/kubeflow/spark-operator/controller:"+newest, pod.Status.ContainerStatuses[0].Image)
			require.False(t, slices.ContainsFunc(before, func(p corev1.Pod) bool { return p.UID == pod.UID }), pod.Name)
		}
	}
}
