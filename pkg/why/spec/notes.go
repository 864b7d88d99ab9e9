// Package spec reads the spec of an application beside a verdict: the settings that explain it, and those that make it happen again. None
// of them is a verdict.
package spec

import (
	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// Note is what the spec adds to a verdict. Package words says it.
type Note struct {
	Detail cause.Detail
	Proofs []cause.Proof
}

// Notes are what the spec adds to the verdict about a role, driver or executor.
func Notes(v *mechanism.View, verdict *cause.Cause, role cause.Role) []Note {
	if v.Application == nil || v.Application.Kind != "SparkApplication" {
		return nil
	}
	var out []Note
	for _, read := range []func(*mechanism.View, *cause.Cause, cause.Role) (Note, bool){
		throttled, sharedByPython, versions, architecture, onSpot, notRetried, expires, unmutated, readOnlyRoot,
	} {
		if n, is := read(v, verdict, role); is {
			out = append(out, n)
		}
	}
	return append(out, ignored(v, verdict)...)
}

func proof(v *mechanism.View, field, value string) cause.Proof {
	return cause.Proof{Object: v.AppRef(), Field: "spec." + field, Value: value, Beside: true}
}

// podOf is the pod of a role that a cause is about; nil: it was not seen.
func podOf(v *mechanism.View, c *cause.Cause, role cause.Role) *corev1.Pod {
	if role != cause.ExecutorRole {
		return v.Driver
	}
	for _, e := range v.Executors {
		if e.Name == c.Subject.Name {
			return e
		}
	}
	return nil
}

// mainOf is the container of a pod that runs Spark; nil: there is none.
func mainOf(p *corev1.Pod) *corev1.Container {
	if p == nil {
		return nil
	}
	for i := range p.Spec.Containers {
		if p.Spec.Containers[i].Name == app.MainName(p) {
			return &p.Spec.Containers[i]
		}
	}
	return nil
}

// fromOutside reports whether a pod was taken away, rather than ended for what it did itself.
func fromOutside(c *cause.Cause) bool {
	return c.Class == cause.ClusterKilled && !c.Topics.Has(cause.OwnLimit)
}
