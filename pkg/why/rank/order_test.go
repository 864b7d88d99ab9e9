package rank

import (
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// failedDriver is an application whose driver exited by itself.
func failedDriver() *mechanism.View {
	driver := &corev1.Pod{}
	driver.Name = "etl-driver"
	driver.Spec.Containers = []corev1.Container{{Name: "spark-kubernetes-driver"}}
	driver.Status.ContainerStatuses = []corev1.ContainerStatus{{Name: "spark-kubernetes-driver",
		State: corev1.ContainerState{Terminated: &corev1.ContainerStateTerminated{ExitCode: 1, Reason: "Error"}}}}
	return &mechanism.View{Evidence: &app.Evidence{}, Driver: driver, DriverName: driver.Name}
}

// TestEachCriterionDecides shows, for each criterion, two answers that all criteria before it hold for equal, and that it alone orders:
// with the criteria after it turned against it.
func TestEachCriterionDecides(t *testing.T) {
	pod := func(name string) snapshot.Ref { return snapshot.Ref{Kind: "Pod", Name: name} }
	good := cause.Cause{Class: cause.Succeeded}
	decides := map[string]struct {
		good        *cause.Cause
		first, last cause.Cause
	}{
		"outcome": {&good,
			cause.Cause{Class: cause.Succeeded, Certainty: check.Likely, Trust: cause.BySpec},
			cause.Cause{Class: cause.CodeFailed, Certainty: check.Proven, Trust: cause.ByContainer}},
		"cause-before-effect": {nil,
			cause.Cause{Class: cause.RunningNormally, Certainty: check.Likely, Trust: cause.BySpec},
			cause.Cause{Class: cause.CodeFailed, Effect: true, Certainty: check.Proven, Trust: cause.ByContainer}},
		"fault-before-health": {nil,
			cause.Cause{Class: cause.Network, Certainty: check.Likely, Trust: cause.BySpec},
			cause.Cause{Class: cause.RunningNormally, Certainty: check.Proven, Trust: cause.ByContainer}},
		"own-words": {nil,
			cause.Cause{Class: cause.CodeFailed, Certainty: check.Proven, Trust: cause.ByExecutorLog},
			cause.Cause{Class: cause.ClusterKilled, Certainty: check.Proven, Trust: cause.ByContainer}},
		"certainty": {nil,
			cause.Cause{Class: cause.Storage, Certainty: check.Proven, Trust: cause.ByEnvironment},
			cause.Cause{Class: cause.ClusterKilled, Certainty: check.Likely, Trust: cause.ByContainer}},
		"losses-end-no-job": {nil,
			cause.Cause{Class: cause.CodeFailed, Certainty: check.Likely, Trust: cause.ByDriverLog},
			cause.Cause{Class: cause.ClusterKilled, Certainty: check.Likely, Trust: cause.ByContainer, Role: cause.ExecutorRole,
				Subject: pod("etl-exec-1")}},
		"directness": {nil,
			cause.Cause{Class: cause.Storage, Certainty: check.Likely, Trust: cause.ByPod},
			cause.Cause{Class: cause.Storage, Certainty: check.Likely, Trust: cause.ByEvent}},
	}
	for i, c := range criteria() {
		d, shown := decides[c.name]
		require.True(t, shown, "nothing shows that %s decides", c.name)
		require.NotEmpty(t, c.why)
		s := &standing{v: failedDriver(), good: d.good}
		first, last := alone(d.first), alone(d.last)
		for _, before := range criteria()[:i] {
			require.Equal(t, before.of(s, &first), before.of(s, &last), "%s decides before %s", before.name, c.name)
		}
		require.Less(t, c.of(s, &first), c.of(s, &last), c.name)
		list := []Answer{last, first}
		s.sort(list)
		require.Equal(t, []Answer{first, last}, list, c.name)
	}
	require.Len(t, decides, len(criteria()))
}

// TestEqualAnswersStayInTheirOrder holds that what no criterion tells apart is ranked as it was found.
func TestEqualAnswersStayInTheirOrder(t *testing.T) {
	s := &standing{v: failedDriver()}
	var list []Answer
	for _, class := range cause.Classes() {
		if class.Fault() && class != cause.Unknown {
			list = append(list, alone(cause.Cause{Class: class}))
		}
	}
	before := append([]Answer{}, list...)
	s.sort(list)
	require.Equal(t, before, list)
}
