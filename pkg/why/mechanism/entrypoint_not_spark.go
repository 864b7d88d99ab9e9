package mechanism

import (
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// EntrypointNotSpark is about an image whose entrypoint starts another program with the argument that Spark's own turns into a call of
// spark-submit, as the operator's image does (resource-managers/kubernetes/docker/src/main/dockerfiles/spark/entrypoint.sh@v3.5.5). An
// entrypoint that does something first and then starts Spark looks alike: Spark writes at level INFO then.
type EntrypointNotSpark struct {
	Program string // "/usr/bin/spark-operator"
}

// Mechanism names it.
func (EntrypointNotSpark) Mechanism() cause.ID { return "entrypoint-not-spark" }

func entrypointNotSpark(v *View) []cause.Cause {
	w := &v.Work
	if !w.Seen || w.Entrypoint == "" || w.Info {
		return nil
	}
	pod := Ref(v.Driver)
	return []cause.Cause{{Class: cause.Image, Certainty: check.Likely, Role: cause.DriverRole, Subject: pod, Trust: cause.ByContainer,
		Detail:   EntrypointNotSpark{Program: w.Entrypoint},
		Evidence: []cause.Proof{{Object: pod, Field: v.logField(), Value: "exec " + w.Entrypoint + " driver"}}}}
}
