package spec

import (
	"fmt"
	"strconv"
	"time"

	"k8s.io/apimachinery/pkg/util/duration"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// spotLabels are those by which nodes say that their provider may take them back at any time: of Karpenter
// (pkg/apis/v1/labels.go of kubernetes-sigs/karpenter), EKS managed node groups, GKE, AKS and kops.
func spotLabels() [][2]string {
	return [][2]string{
		{"karpenter.sh/capacity-type", "spot"}, {"eks.amazonaws.com/capacityType", "SPOT"}, {"cloud.google.com/gke-spot", "true"},
		{"cloud.google.com/gke-preemptible", "true"}, {"kubernetes.azure.com/scalesetpriority", "spot"},
		{"node.kubernetes.io/lifecycle", "spot"}, {"node.kubernetes.io/lifecycle", "Ec2Spot"},
	}
}

func spot(labels map[string]string) string {
	for _, pair := range spotLabels() {
		if labels[pair[0]] == pair[1] {
			return pair[0] + "=" + pair[1]
		}
	}
	return ""
}

// onSpot is about pods that were taken away, on nodes that their provider may take back. A node that is gone is known by what its pod
// selected.
func onSpot(v *mechanism.View, c *cause.Cause, role string) (Note, bool) {
	if !fromOutside(c) {
		return Note{}, false
	}
	p := podOf(v, c, role)
	if p == nil {
		return Note{}, false
	}
	n := Note{}
	label := ""
	for i := range v.Nodes {
		if v.Nodes[i].Name == p.Spec.NodeName {
			label = spot(v.Nodes[i].Labels)
			n.Text = fmt.Sprintf("node %s is a spot node (%s)", p.Spec.NodeName, label)
			n.Proofs = []cause.Proof{{Object: snapshot.Ref{APIVersion: "v1", Kind: "Node", Name: p.Spec.NodeName}, Field: "metadata.labels",
				Value: label, Beside: true}}
		}
	}
	if label == "" {
		if label = spot(p.Spec.NodeSelector); label == "" {
			return Note{}, false
		}
		n.Text = fmt.Sprintf("the %s selects spot nodes (%s)", role, label)
		n.Proofs = []cause.Proof{{Object: mechanism.Ref(p), Field: "spec.nodeSelector", Value: label, Beside: true}}
	}
	const key = "spark.decommission.enabled"
	switch {
	case role == "driver":
		n.Next = []command.Command{command.Do("run the driver on nodes that stay (driver.nodeSelector or driver.affinity)")}
	case v.Settings()[key] != "true":
		n.Text += fmt.Sprintf(", and %s is not set", key)
	}
	return n, true
}

// notRetried is about a run that something from outside ended and that the operator does not start again (ShouldRetry in
// pkg/util/sparkapplication.go@v2.5.2: OnFailure without onFailureRetries never does).
func notRetried(v *mechanism.View, c *cause.Cause, role string) (Note, bool) {
	if v.State != "FAILED" || role != "driver" || !fromOutside(c) {
		return Note{}, false
	}
	retries := v.Spec("restartPolicy", "onFailureRetries")
	switch policy := v.Spec("restartPolicy", "type"); {
	case policy == "" || policy == "Never":
		return Note{
			Text:   "restartPolicy is Never, so the operator does not run it again",
			Proofs: []cause.Proof{proof(v, "restartPolicy.type", "Never")},
			Next:   []command.Command{command.Do("set restartPolicy OnFailure with onFailureRetries, to run it again after such an end")},
		}, true
	case policy == "OnFailure" && retries == "":
		return Note{
			Text:   "restartPolicy OnFailure has no onFailureRetries, so the operator does not run it again",
			Proofs: []cause.Proof{proof(v, "restartPolicy.type", policy)},
			Next:   []command.Command{command.Do("set restartPolicy.onFailureRetries")},
		}, true
	case policy == "OnFailure":
		if n, err := strconv.Atoi(retries); err == nil && v.Attempts > n {
			return Note{Text: fmt.Sprintf("its retries are used up (onFailureRetries %d)", n),
				Proofs: []cause.Proof{proof(v, "restartPolicy.onFailureRetries", retries)}}, true
		}
	}
	return Note{}, false
}

// soon is how far ahead a deletion is announced.
const soon = time.Hour

// expires is about a failed application that the operator deletes before long, and the garbage collector its pods with their logs
// (IsExpired in pkg/util/sparkapplication.go@v2.5.2).
func expires(v *mechanism.View, c *cause.Cause, _ string) (Note, bool) {
	ttl, err := strconv.ParseInt(v.Spec("timeToLiveSeconds"), 10, 32)
	if err != nil || ttl <= 0 || v.Ended.IsZero() || !c.Class.Fault() {
		return Note{}, false
	}
	at := v.Ended.Add(time.Duration(ttl) * time.Second)
	left := at.Sub(v.Now)
	if left <= 0 || left > soon {
		return Note{}, false
	}
	app := v.AppRef()
	return Note{
		Text: fmt.Sprintf("timeToLiveSeconds deletes the application with its pods and logs in %s (%s UTC)", duration.HumanDuration(left),
			at.UTC().Format("15:04")),
		Proofs: []cause.Proof{proof(v, "timeToLiveSeconds", v.Spec("timeToLiveSeconds"))},
		Next: []command.Command{command.Do("save the evidence before it is deleted").
			With("kubectl sparkdoctor snapshot -n %s --logs -o %s.tar.gz", app.Namespace, app.Name)},
	}, true
}
