package apply

import (
	"context"
	"fmt"
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/labels"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// await waits until what a step asks for is true: the rollout is complete and a new pod leads.
func (c *Client) await(ctx context.Context, s fix.Step) error {
	ctx, cancel := context.WithTimeout(ctx, s.Await.Within)
	defer cancel()
	missing := "it was not looked at"
	for {
		waits, err := c.awaited(ctx, s)
		if err == nil && waits == "" {
			return nil
		}
		if err == nil {
			missing = waits
		}
		if sleep(ctx, time.Second) != nil {
			return fmt.Errorf("after %s the rollout of %s is not done: %s", s.Await.Within, s.Target, missing)
		}
	}
}

// awaited returns what a rollout still waits for.
func (c *Client) awaited(ctx context.Context, s fix.Step) (string, error) {
	f, err := c.Fetch(ctx, []fix.Read{{Ref: s.Target}})
	if err != nil {
		return "", err
	}
	d := f.Object(s.Target)
	if d == nil {
		return "it is gone", nil
	}
	if waits := rollout(d); waits != "" {
		return waits, nil
	}
	if s.Await.Lease == nil {
		return "", nil
	}
	return c.leader(ctx, d, *s.Await)
}

// rollout says what is left of a Deployment's rollout, as "kubectl rollout status" judges it
// (k8s.io/kubectl pkg/polymorphichelpers/rollout_status.go).
func rollout(d *fix.Object) string {
	number := func(path ...string) int64 { n, _, _ := unstructured.NestedInt64(d.Object, path...); return n }
	want, found, _ := unstructured.NestedInt64(d.Object, "spec", "replicas")
	if !found {
		want = 1
	}
	switch {
	case number("status", "observedGeneration") < d.GetGeneration():
		return "the controller manager has not seen it"
	case number("status", "updatedReplicas") < want:
		return fmt.Sprintf("%d of %d replicas are new", number("status", "updatedReplicas"), want)
	case number("status", "replicas") > number("status", "updatedReplicas"):
		return fmt.Sprintf("%d old replicas are not gone", number("status", "replicas")-number("status", "updatedReplicas"))
	case number("status", "availableReplicas") < want:
		return fmt.Sprintf("%d of %d new replicas are available", number("status", "availableReplicas"), want)
	default:
		return ""
	}
}

// leader says whether one of the new pods holds the lease: only the leader writes the CA. An identity is the name of the
// pod, "_" and a random part (sigs.k8s.io/controller-runtime pkg/leaderelection). Without a lease there is no election.
func (c *Client) leader(ctx context.Context, d *fix.Object, a fix.Await) (string, error) {
	ref := snapshot.Ref{APIVersion: "coordination.k8s.io/v1", Kind: "Lease", Namespace: a.Lease.Namespace, Name: a.Lease.Name}
	selector, _, _ := unstructured.NestedStringMap(d.Object, "spec", "selector", "matchLabels")
	pods := fix.Read{Ref: snapshot.Ref{APIVersion: "v1", Kind: "Pod", Namespace: a.Lease.Namespace}, Selector: labels.Set(selector).String()}
	f, err := c.Fetch(ctx, []fix.Read{{Ref: ref}, pods})
	if err != nil {
		return "", err
	}
	lease := f.Object(ref)
	if lease == nil {
		return "", nil
	}
	holder, _, _ := unstructured.NestedString(lease.Object, "spec", "holderIdentity")
	since, err := time.Parse(time.RFC3339, a.Rollout)
	if err != nil {
		return "", err
	}
	for _, p := range f.List(pods) {
		if strings.HasPrefix(holder, p.GetName()+"_") && p.GetDeletionTimestamp() == nil && !p.GetCreationTimestamp().Time.Before(since) {
			return "", nil
		}
	}
	return fmt.Sprintf("lease %s is still held by %q", ref, holder), nil
}
