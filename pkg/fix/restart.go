package fix

import (
	"fmt"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// RestartedAtAnnotation is what "kubectl rollout restart" sets (k8s.io/kubectl pkg/polymorphichelpers/objectrestarter.go).
const RestartedAtAnnotation = "kubectl.kubernetes.io/restartedAt"

// Restart rolls the webhook's Deployment over, so that all replicas read one certificate and the leader writes its CA.
type Restart struct {
	Deployment snapshot.Ref `json:"deployment"`
	At         time.Time    `json:"at"`
	Lease      string       `json:"lease,omitempty"` // leader election's, in the Deployment's namespace; empty: none is known
}

func (i Restart) lease() snapshot.Ref {
	return snapshot.Ref{APIVersion: "coordination.k8s.io/v1", Kind: "Lease", Namespace: i.Deployment.Namespace, Name: i.Lease}
}

// rolloutTime is how long a rollout and the handover of the lease may take: pods start in a minute, and a leader that
// was killed holds its lease for 15 s (cmd/operator/webhook/start.go@v2.5.2).
const rolloutTime = 5 * time.Minute

func (i Restart) traits() Traits {
	reads := []Read{{Ref: i.Deployment}}
	if i.Lease != "" {
		reads = append(reads, Read{Ref: i.lease()})
	}
	return Traits{
		Reads:  reads,
		Target: i.Deployment,
		Title:  "restart all replicas of the webhook",
		Risk:   Disruptive,
		Order:  Webhook,
	}
}

func (i Restart) wrong() (field, why string) { return missing(i.At) }

func (i Restart) pin(planned Intent) Intent {
	if p, ok := planned.(Restart); ok {
		i.At = p.At
	}
	return i
}

func (i Restart) resolve(f Fresh) ([]Step, error) {
	d, err := f.Target(i.Deployment)
	if err != nil {
		return nil, err
	}
	replicas, found, _ := unstructured.NestedInt64(d.Object, "spec", "replicas")
	if found && replicas == 0 {
		return nil, &Refused{Reason: fmt.Sprintf("%s is scaled to 0", i.Deployment),
			Advice: fmt.Sprintf("kubectl scale deployment -n %s %s --replicas=1", i.Deployment.Namespace, i.Deployment.Name)}
	}
	if paused, _, _ := unstructured.NestedBool(d.Object, "spec", "paused"); paused {
		return nil, &Refused{Reason: fmt.Sprintf("the rollout of %s is paused", i.Deployment)}
	}
	at := i.At.UTC().Format(time.RFC3339)
	change := annotation(d, []string{"spec", "template", "metadata"}, RestartedAtAnnotation, at)
	if change.Old == change.New {
		return nil, done("%s was restarted at %s", i.Deployment, at)
	}
	await := &Await{Within: rolloutTime}
	if lease := f.Object(i.lease()); i.Lease != "" && lease != nil {
		await.Lease = i.lease()
		await.Held, _, _ = unstructured.NestedString(lease.Object, "spec", "holderIdentity")
	}
	return []Step{{Target: i.Deployment, Why: "the webhook reads its certificate when it starts, and its leader then writes the CA",
		Changes: []Change{change}, Await: await}}, nil
}
