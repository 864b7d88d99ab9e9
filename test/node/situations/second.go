package situations

import (
	"context"
	"fmt"
	"time"

	coordinationv1 "k8s.io/api/coordination/v1"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// secondName is a Node of another team: ready, and nothing is scheduled to it. No kubelet is behind it.
const secondName = "tainted"

// secondNode creates the second Node and renews its Lease until the context ends.
func (b Bed) secondNode(ctx context.Context) error {
	room := corev1.ResourceList{corev1.ResourceCPU: resource.MustParse("16"), corev1.ResourceMemory: resource.MustParse("64Gi"),
		corev1.ResourcePods: resource.MustParse("110")}
	node := &corev1.Node{
		ObjectMeta: metav1.ObjectMeta{Name: secondName, Labels: map[string]string{"pool": secondName, corev1.LabelHostname: secondName}},
		Spec:       corev1.NodeSpec{Taints: []corev1.Taint{{Key: "dedicated", Value: "other", Effect: corev1.TaintEffectNoSchedule}}},
		Status: corev1.NodeStatus{Capacity: room, Allocatable: room, Conditions: []corev1.NodeCondition{{Type: corev1.NodeReady,
			Status: corev1.ConditionTrue, Reason: "KubeletReady", LastHeartbeatTime: metav1.Now(), LastTransitionTime: metav1.Now()}}},
	}
	if _, err := b.Cluster.Client.CoreV1().Nodes().Create(ctx, node, metav1.CreateOptions{}); err != nil && !apierrors.IsAlreadyExists(err) {
		return fmt.Errorf("creating the second node: %w", err)
	}
	if err := b.heartbeat(ctx); err != nil {
		return err
	}
	go func() {
		tick := time.NewTicker(5 * time.Second)
		defer tick.Stop()
		for {
			select {
			case <-ctx.Done():
				return
			case <-tick.C:
				if err := b.heartbeat(ctx); err != nil && ctx.Err() == nil {
					fmt.Fprintln(b.Log, err) // the next one may get through
				}
			}
		}
	}()
	return nil
}

// heartbeat renews the Lease by which the node controller knows that a node is alive
// (kubernetes.io/docs/concepts/architecture/leases/#node-heart-beats).
func (b Bed) heartbeat(ctx context.Context) error {
	leases := b.Cluster.Client.CoordinationV1().Leases(corev1.NamespaceNodeLease)
	now := metav1.NowMicro()
	lease, err := leases.Get(ctx, secondName, metav1.GetOptions{})
	if apierrors.IsNotFound(err) {
		_, err = leases.Create(ctx, &coordinationv1.Lease{ObjectMeta: metav1.ObjectMeta{Name: secondName},
			Spec: coordinationv1.LeaseSpec{HolderIdentity: new(secondName), LeaseDurationSeconds: new(int32(40)), RenewTime: &now}},
			metav1.CreateOptions{})
	} else if err == nil {
		lease.Spec.RenewTime = &now
		_, err = leases.Update(ctx, lease, metav1.UpdateOptions{})
	}
	if err != nil {
		return fmt.Errorf("renewing the Lease of the second node: %w", err)
	}
	return nil
}
