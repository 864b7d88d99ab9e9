package mechanism

import (
	"fmt"
	"slices"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// ServiceGone are executors that fail again and again while the headless Service, by which they find the driver, is missing. That is known
// only where another Service of the same application was seen.
type ServiceGone struct {
	Failed int // executors
}

// Mechanism names what was found.
func (ServiceGone) Mechanism() cause.ID { return "service-gone" }

func serviceGone(v *View) []cause.Cause {
	failed := v.failed()
	if !v.DriverRuns() || failed < 3 || len(v.Services) == 0 {
		return nil
	}
	selector := v.Driver.Labels["spark-app-selector"]
	others, name := 0, ""
	if v.Application != nil {
		name = v.Application.Name
	}
	for i := range v.Services {
		s := &v.Services[i]
		// Older releases of Spark give it a selector and no label (DriverServiceFeatureStep.scala, apache/spark@0074389).
		if slices.Contains([]string{s.Labels["spark-app-selector"], s.Spec.Selector["spark-app-selector"]}, selector) && headless(s) {
			return nil
		}
		if app.NamedAfter(name, s.Name) || s.Labels["sparkoperator.k8s.io/app-name"] == name {
			others++
		}
	}
	if others == 0 || selector == "" {
		return nil
	}
	return []cause.Cause{{Class: cause.Network, Role: cause.ExecutorRole, Certainty: check.Likely, Trust: cause.ByEnvironment,
		Subject: v.AppRef(), Detail: ServiceGone{Failed: failed},
		Evidence: []cause.Proof{{Object: v.AppRef(), Field: "status.executorState", Value: fmt.Sprintf("%d FAILED", failed)},
			{Object: snapshot.Ref{APIVersion: "v1", Kind: "Service", Namespace: v.Subject.Namespace},
				Field: "metadata.labels[spark-app-selector]", Value: "no headless Service with " + selector}}}}
}

func headless(s *corev1.Service) bool {
	return s.Spec.ClusterIP == corev1.ClusterIPNone && app.DriverService(s.Name)
}
