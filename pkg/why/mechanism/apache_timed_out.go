package mechanism

import (
	"regexp"
	"strings"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// ApacheTimedOut is a SparkApplication of the Apache Spark Kubernetes Operator that this operator gave up because its driver had not
// started in time. Only events are read of such an object: their reason is its state (apache/spark-kubernetes-operator
// spark-operator-api/src/main/ java/org/apache/spark/k8s/operator/status/ApplicationStateSummary.java@0.4.0). A driver that started and did
// not become ready in time looks alike, and has another reason.
type ApacheTimedOut struct {
	Pull  time.Duration // of the image of a driver; 0: no event tells
	Whole time.Duration // from the creation of that driver to the end of the pull
}

// Mechanism names it.
func (ApacheTimedOut) Mechanism() cause.ID { return "apache-timed-out" }

// OfApache is the API group of the objects of the Apache Spark Kubernetes Operator.
const OfApache = "spark.apache.org/"

// pulledIn matches how long a pull took (pkg/kubelet/images/image_manager.go of kubernetes@v1.36.3).
var pulledIn = regexp.MustCompile(`^Successfully pulled image \S+ in ([\d.hms]+) `)

func apacheTimedOut(v *View) []cause.Cause {
	if v.Application != nil || v.Driver != nil {
		return nil
	}
	var gave *app.Event
	for _, e := range v.eventsOn("SparkApplication", v.Subject.Name, "DriverStartTimedOut") {
		if strings.HasPrefix(e.Involved.APIVersion, OfApache) {
			gave = &e
		}
	}
	if gave == nil {
		return nil
	}
	c := cause.Cause{Class: cause.Configuration, Certainty: check.Likely, Role: cause.DriverRole, Subject: v.AppRef(), At: gave.Last,
		Trust:    cause.ByOperator,
		Evidence: []cause.Proof{{Object: gave.Involved, Field: "event " + gave.Reason, Value: gave.Message, At: gave.Last}}}
	found := ApacheTimedOut{}
	began := map[string]time.Time{} // by the name of the pod
	for i := range v.Events {
		e := &v.Events[i]
		if e.Involved.Kind != "Pod" || !strings.HasSuffix(e.Involved.Name, "-driver") {
			continue
		}
		if at := began[e.Involved.Name]; at.IsZero() || e.First.Before(at) {
			began[e.Involved.Name] = e.First
		}
	}
	for i := range v.Events {
		e := &v.Events[i]
		m := pulledIn.FindStringSubmatch(e.Message)
		if e.Reason != "Pulled" || m == nil || began[e.Involved.Name].IsZero() {
			continue
		}
		if took, err := time.ParseDuration(m[1]); err == nil && took > found.Pull {
			found.Pull, found.Whole = took, e.Last.Sub(began[e.Involved.Name])
			c.Class = cause.Image
			c.Evidence = append(c.Evidence[:1], cause.Proof{Object: e.Involved, Field: "event " + e.Reason, Value: e.Message, At: e.Last})
		}
	}
	c.Detail = found
	return []cause.Cause{c}
}
