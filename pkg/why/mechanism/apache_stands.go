package mechanism

import (
	"slices"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// ApacheSucceeded is a SparkApplication of the Apache Spark Kubernetes Operator whose driver this operator saw end well (apache/
// spark-kubernetes-operator spark-operator/src/main/java/org/apache/spark/k8s/operator/reconciler/observers/BaseAppDriverObserver.java
// @1.0.0). One whose driver ended before it was ready looks alike, and has the state Failed.
type ApacheSucceeded struct{ Says string }

// Mechanism names it.
func (ApacheSucceeded) Mechanism() cause.ID { return "apache-succeeded" }

func apacheSucceeded(v *View) []cause.Cause {
	t, is := v.apacheOutcome(app.ApacheSucceeded)
	if !is || v.Driver != nil {
		return nil
	}
	return []cause.Cause{v.apacheSays(t, cause.Succeeded, ApacheSucceeded{Says: t.Message})}
}

// ApacheStopped is an object of the Apache Spark Kubernetes Operator whose resources this operator released before it had ended: that is
// done to what is deleted (appCancelled in spark-operator/src/main/java/org/apache/spark/k8s/operator/utils/SparkAppStatusUtils.java of
// apache/spark-kubernetes-operator@1.0.0). They are released after each end, too: then a state before that tells the end.
type ApacheStopped struct {
	Was  string // its state until then
	Says string
}

// Mechanism names it.
func (ApacheStopped) Mechanism() cause.ID { return "apache-stopped" }

func apacheStopped(v *View) []cause.Cause {
	if v.Apache == nil || !v.Apache.Stopped() {
		return nil
	}
	was := v.Apache.Outcome()
	c := v.apacheSays(v.Apache.Current(), cause.StoppedByUser, ApacheStopped{Was: was.State, Says: v.Apache.Message})
	c.Role, c.Certainty = cause.SubmissionRole, check.Likely
	return []cause.Cause{c}
}

// ApacheStands is an object of the Apache Spark Kubernetes Operator that has not ended, by its state alone: that it runs does not mean that
// the job gets on (apache/spark-kubernetes-operator spark-operator-api/src/main/java/org/apache/spark/k8s/operator/status/
// {ApplicationStateSummary,ClusterStateSummary}.java@1.0.0). Where its driver is there, the pod and its log tell more: then only a lack of
// executors is added. One that was given up looks alike while the operator has not yet written it.
type ApacheStands struct {
	State   string // empty: the operator has written none
	For     time.Duration
	Init    int // executors that it needs to count as started; 0: it does not wait for any
	Min     int // that it needs to count as healthy
	Says    string
	Cluster bool
}

// Mechanism names it.
func (ApacheStands) Mechanism() cause.ID { return "apache-stands" }

// apacheTooFew reports whether that operator finds fewer executors than the spec asks for.
func (v *View) apacheTooFew() bool {
	_, few := v.apacheOutcome("InitializedBelowThresholdExecutors", "RunningWithBelowThresholdExecutors")
	return few && !v.Apache.Released()
}

func apacheStands(v *View) []cause.Cause {
	if v.Apache == nil || v.Apache.Failed() || v.Apache.Released() {
		return nil
	}
	a := v.Apache
	t := a.Outcome()
	few := v.apacheTooFew()
	if v.Driver != nil && !few {
		return nil
	}
	d := ApacheStands{State: t.State, Says: t.Message, Cluster: a.IsCluster()}
	if d.State == "" {
		t.Field, t.State, t.At = "status.currentState", "none", a.CreationTimestamp.UTC()
	}
	if !t.At.IsZero() {
		d.For = v.Now.Sub(t.At)
	}
	c := v.apacheSays(t, cause.Unknown, nil)
	c.Certainty = check.Likely
	switch {
	case few:
		d.Init, d.Min = a.Init, a.Min
		c.Class, c.Role = cause.SlowButProgressing, cause.ExecutorRole
	case slices.Contains([]string{"RunningHealthy", "RunningWithPartialCapacity"}, t.State), d.State != "" && d.For < justStarted:
		c.Class = cause.RunningNormally
	default:
		c.Effect = true
	}
	c.Detail = d
	return []cause.Cause{c}
}
