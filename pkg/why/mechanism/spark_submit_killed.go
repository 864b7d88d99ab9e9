package mechanism

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// SparkSubmitKilled is a spark-submit that got SIGKILL in the operator's pod, whose memory limit it shares. Nothing tells this kill of the
// kernel from one by hand but an event of the node, which is shown where it was seen. It runs there as a process of its own
// (internal/controller/sparkapplication/submission.go@v2.5.2).
type SparkSubmitKilled struct {
	Limit string // memory limit of the operator's controller; empty: its pod was not seen, or has none
}

// Mechanism names it.
func (SparkSubmitKilled) Mechanism() cause.ID { return "spark-submit-killed" }

func submitKilled(v *View, recorded cause.Proof) cause.Cause {
	var killed SparkSubmitKilled
	proofs := []cause.Proof{recorded}
	for i := range v.Operator {
		p := &v.Operator[i]
		for _, one := range p.Spec.Containers {
			if limit, has := one.Resources.Limits[corev1.ResourceMemory]; has {
				killed.Limit = limit.String()
				proofs = append(proofs, cause.Proof{Object: Ref(p), Field: "spec.containers[" + one.Name + "].resources.limits.memory",
					Value: limit.String()})
			}
		}
		for _, e := range v.eventsOn("Node", p.Spec.NodeName, "OOMKilling", "SystemOOM") {
			proofs = append(proofs, cause.Proof{Object: e.Involved, Field: "event " + e.Reason, Value: e.Message, At: e.Last})
		}
	}
	return cause.Cause{Class: cause.Submission, Role: cause.SubmissionRole, Topics: cause.Memory, Certainty: check.Likely,
		Trust: cause.ByOperator, Subject: v.AppRef(), At: v.Submitted.UTC(), Detail: killed, Evidence: proofs}
}
