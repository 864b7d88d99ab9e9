package mechanism

import (
	"strconv"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// ApacheExecutorsTimedOut is a SparkApplication of the Apache Spark Kubernetes Operator that this operator gives up because fewer executors
// than initExecutors were ready in time (apache/spark-kubernetes-operator spark-operator/src/main/java/org/apache/spark/k8s/operator/
// reconciler/reconcilesteps/AppRunningStep.java and observers/AppDriverTimeoutObserver.java@1.0.0). Spark does not know that field: where
// its own settings allow fewer executors, no cluster can give them, and the operator ends a job that works. Where they allow as many, it
// looks alike; then the pods and events of the executors, which come first, tell what they waited for.
type ApacheExecutorsTimedOut struct {
	Asked   int    // initExecutors
	Most    int    // executors that Spark asks for at most, where these are fewer; 0: they are not
	Setting string // that says so
	Unset   bool   // it is not set
	Begins  int    // executors that dynamic allocation asks for at first, where these are fewer; 0: they are not, or it is off
	Within  time.Duration
	Left    time.Duration // until the operator gives it up; 0: it did
}

// Mechanism names it.
func (ApacheExecutorsTimedOut) Mechanism() cause.ID { return "apache-executors-timed-out" }

func apacheExecutorsTimedOut(v *View) []cause.Cause {
	t, is := v.apacheOutcome(app.ExecutorsStartTimedOut, "DriverReady", "InitializedBelowThresholdExecutors")
	if !is || v.Apache.Released() && !v.Apache.Failed() {
		return nil
	}
	a := v.Apache
	d := ApacheExecutorsTimedOut{Asked: a.Init, Within: a.ExecutorStart}
	c := v.apacheSays(t, cause.Configuration, nil, v.apacheField("applicationTolerations.instanceConfig.initExecutors", strconv.Itoa(a.Init)))
	c.Role = cause.ExecutorRole
	if most, setting, set := a.Most(); most > 0 && most < a.Init && len(v.Executors) <= most {
		d.Most, d.Setting, d.Unset = most, setting, !set
		value := "not set, which is " + strconv.Itoa(most)
		if set {
			value = strconv.Itoa(most)
		}
		c.Evidence = append(c.Evidence, v.apacheField("sparkConf."+setting, value))
	} else if begins := a.Begins(); a.Allocates() && begins < a.Init {
		d.Begins = begins
	}
	if t.State != app.ExecutorsStartTimedOut {
		d.Left = t.At.Add(d.Within).Sub(v.Now)
		if d.Most == 0 || d.Within == 0 || t.At.IsZero() || d.Left <= 0 {
			return nil // it may get them yet, or goes on without
		}
	}
	if d.Most == 0 {
		c.Class, c.Certainty = cause.Scheduling, check.Likely
	}
	c.Detail = d
	return []cause.Cause{c}
}
