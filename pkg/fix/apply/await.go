package apply

import (
	"cmp"
	"context"
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
)

// await waits until what a step asks for is true: the rollout is complete and a new replica leads.
func (c *Client) await(ctx context.Context, s fix.Step) error {
	ctx, cancel := context.WithTimeout(ctx, s.Await.Within)
	defer cancel()
	missing, renewed := "it was not looked at", ""
	for {
		waits, at, err := c.awaited(ctx, s, renewed)
		if err == nil && waits == "" {
			return nil
		}
		if err == nil {
			missing, renewed = waits, cmp.Or(renewed, at)
		}
		if sleep(ctx, time.Second) != nil {
			return fmt.Errorf("after %s the rollout of %s is not done: %s", phrase.Span(s.Await.Within), s.Target, missing)
		}
	}
}

// awaited returns what a rollout still waits for, and when the lease was renewed as far as was seen since it is complete.
func (c *Client) awaited(ctx context.Context, s fix.Step, before string) (waits, renewed string, err error) {
	lease := s.Await.Lease
	reads := []fix.Read{{Ref: s.Target}}
	if lease.Name != "" {
		reads = append(reads, fix.Read{Ref: lease})
	}
	f, err := c.Fetch(ctx, reads)
	if err != nil {
		return "", "", err
	}
	d := f.Object(s.Target)
	if d == nil {
		return "it is gone", "", nil
	}
	if waits := rollout(d); waits != "" || lease.Name == "" {
		return waits, "", nil
	}
	waits, renewed = leader(f.Object(lease), s.Await.Held, before)
	return waits, renewed, nil
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

// leader says whether a replica leads that is alive and did not before: only the leader writes the CA. A lease outlives
// its holder by 15 s, so it must have been renewed since the rollout was complete.
func leader(lease *fix.Object, held, before string) (waits, renewed string) {
	if lease == nil {
		return "no replica holds the lease", ""
	}
	holder, _, _ := unstructured.NestedString(lease.Object, "spec", "holderIdentity")
	renewed, _, _ = unstructured.NestedString(lease.Object, "spec", "renewTime")
	switch {
	case holder == "":
		return "no replica holds the lease", renewed
	case holder == held:
		return fmt.Sprintf("the lease is still held by %q", holder), renewed
	case before == "" || renewed == before:
		return fmt.Sprintf("%q has not renewed the lease", holder), renewed
	default:
		return "", renewed
	}
}
