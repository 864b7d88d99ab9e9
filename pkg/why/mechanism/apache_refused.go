package mechanism

import (
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// ApacheRefused is a SparkApplication or a SparkCluster of the Apache Spark Kubernetes Operator whose pods it could not create: the API
// server or an admission plugin refused them, or the operator could not build them from the spec (SchedulingFailure; apache/
// spark-kubernetes-operator spark-operator/src/main/java/org/apache/spark/k8s/operator/reconciler/reconcilesteps/{AppInitStep,
// ClusterInitStep}.java@1.0.0). A pod that was created and finds no node looks alike by the name of the state, and has another: the driver
// is given up for the time (ApacheTimedOut).
type ApacheRefused struct {
	Refusal *Refusal // nil: in no words that are known
	Says    string   // the operator, without a stack trace
	Cluster bool
	Again   bool // the operator tries it again
}

// Mechanism names it.
func (ApacheRefused) Mechanism() cause.ID { return "apache-refused" }

func apacheRefused(v *View) []cause.Cause {
	t, is := v.apacheOutcome(app.SchedulingFailure)
	if !is {
		return nil
	}
	d := ApacheRefused{Says: withoutTrace(t.Message), Cluster: v.Apache.IsCluster(), Again: v.Apache.Restarts()}
	t.Message = d.Says
	c := v.apacheSays(t, cause.Submission, nil)
	c.Role = cause.SubmissionRole
	if refusal, known := NewMessages().Refused(d.Says); known {
		d.Refusal, c.Class, c.Topics = &refusal, refusal.Class, refusal.Topics
	} else {
		c.Certainty = check.Likely
	}
	c.Detail = d
	return []cause.Cause{c}
}

// withoutTrace is a message without the frames of a Java exception, and what the operator puts before one.
func withoutTrace(text string) string {
	text, _, _ = strings.Cut(text, "\n\tat ")
	text, _, _ = strings.Cut(text, "\n    at ")
	if _, after, has := strings.Cut(text, "StackTrace: "); has {
		text = after
	}
	return strings.TrimSpace(FirstAnswer(text))
}
