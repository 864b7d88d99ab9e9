package why

import (
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/words"
)

// inTerms puts next steps into the words of what was asked for: a SparkConnect has other fields than an application, and what another than
// our operator started has settings of Spark.
func inTerms(v *mechanism.View, causes []Cause) {
	said := make([]*words.Phrase, 0, len(causes))
	for i := range causes {
		said = append(said, &words.Phrase{Says: causes[i].Message, Do: causes[i].Next})
	}
	words.InTerms(runnerOf(v), said...)
	if len(causes) > 0 && v.IsConnect() {
		submitAgain(v, &causes[0], said[0])
	}
	for i, p := range said {
		causes[i].Message, causes[i].Next = p.Says, p.Do
	}
}

func runnerOf(v *mechanism.View) words.Runner {
	switch {
	case v.IsConnect():
		return words.ByConnect
	case v.Subject.Kind == "Pod" && v.Application == nil:
		return words.BySubmit
	default:
		return words.ByApplication
	}
}

// submitAgain adds that a server takes a new spec only when its pod is created: the operator does not change one that exists
// (mutateServerPod in internal/controller/sparkconnect/reconciler.go@v2.5.2).
func submitAgain(v *mechanism.View, c *Cause, said *words.Phrase) {
	bySpec := []cause.Class{cause.Image, cause.Configuration, cause.Dependency, cause.ClusterKilled, cause.Scheduling, cause.Storage}
	if v.Driver == nil || !slices.Contains(bySpec, c.Class) {
		return
	}
	ended := v.Driver.Status.Phase == corev1.PodFailed || v.Driver.Status.Phase == corev1.PodSucceeded
	again := words.Recreation{Pod: mechanism.Ref(v.Driver), Now: ended && c.Class == cause.ClusterKilled}
	if at, newer := v.SpecNewer(); newer {
		again.Changed = at
		c.Evidence = append(c.Evidence, cause.Proof{Object: v.AppRef(), Field: "metadata.managedFields", Value: "spec written " +
			at.UTC().Format(time.TimeOnly), At: at.UTC()})
	}
	words.Recreate(said, again)
}
