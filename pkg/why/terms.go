package why

import (
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/fields"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/rank"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/spec"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/words"
)

// terms are the names of fields for what was asked about: a SparkConnect has other fields than an application, and what another than our
// operator started has settings of Spark.
func terms(v *mechanism.View) words.Terms {
	t := words.Terms{Runner: fields.Application, Catalog: catalog(v.Spec.Conf)}
	switch {
	case v.IsConnect():
		t.Runner = fields.Connect
	case v.Subject.Kind == "Pod" && v.Application == nil, v.Apache != nil:
		t.Runner = fields.Submit
	case v.OfSchedule():
		t.Runner = fields.Scheduled
	}
	return t
}

// catalog is the name of the only catalog of tables that settings of Spark configure; empty: there is none, or several.
func catalog(conf map[string]string) string {
	var names []string
	for setting := range conf {
		name, is := strings.CutPrefix(setting, "spark.sql.catalog.")
		if is && !strings.Contains(name, ".") {
			names = append(names, name)
		}
	}
	if len(names) != 1 {
		return ""
	}
	return names[0]
}

// verdict is how the first answer is said with what the spec adds to it, and what proves both.
func verdict(v *mechanism.View, a *rank.Answer, p words.Phrase, notes []spec.Note) (words.Phrase, []cause.Proof) {
	evidence := slices.Clone(a.Evidence)
	for _, n := range notes {
		for _, proof := range n.Proofs {
			same := func(o cause.Proof) bool { return o.Object.Name == proof.Object.Name && o.Field == proof.Field }
			if !slices.ContainsFunc(evidence, same) {
				evidence = append(evidence, proof)
			}
		}
		p.Do = words.Once(append(p.Do, terms(v).OfNote(&n).Do...))
	}
	again, needed := recreation(v, a)
	if !needed {
		return p, evidence
	}
	if !again.Changed.IsZero() {
		evidence = append(evidence, cause.Proof{Object: v.AppRef(), Field: "metadata.managedFields", Value: "spec written " +
			again.Changed.UTC().Format(time.TimeOnly), At: again.Changed.UTC()})
	}
	return words.Recreated(p, again), evidence
}

// recreation reports whether a server needs its pod created again: it takes a new spec only then, and the operator does not change a pod
// that exists (mutateServerPod in internal/controller/sparkconnect/reconciler.go@v2.5.2).
func recreation(v *mechanism.View, a *rank.Answer) (words.Recreation, bool) {
	bySpec := []cause.Class{cause.Image, cause.Configuration, cause.Dependency, cause.ClusterKilled, cause.Scheduling, cause.Storage}
	if !v.IsConnect() || v.Driver == nil || !slices.Contains(bySpec, a.Class) {
		return words.Recreation{}, false
	}
	ended := v.Driver.Status.Phase == corev1.PodFailed || v.Driver.Status.Phase == corev1.PodSucceeded
	again := words.Recreation{Pod: mechanism.Ref(v.Driver), Now: ended && a.Class == cause.ClusterKilled}
	if at, newer := v.SpecNewer(); newer {
		again.Changed = at
	}
	return again, true
}
