package mechanism

import (
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

// CheckpointShared is another application that runs and names the checkpoint of a query that was stopped since two use it. One that names
// another location, or ended, looks alike.
type CheckpointShared struct {
	By         snapshot.Ref
	Checkpoint string
}

// Mechanism names it.
func (CheckpointShared) Mechanism() cause.ID { return "checkpoint-shared" }

// checkpointOf matches how a query says where its checkpoint is (sql/core/src/main/scala/org/apache/spark/sql/execution/streaming/
// StreamExecution.scala@v3.5.5).
var checkpointOf = lazyregexp.New(`Use (\S+) to store the query checkpoint`)

// SharedCheckpoint finds it.
func SharedCheckpoint(v *View, about *cause.Cause) (cause.Cause, bool) {
	failed, _ := about.Detail.(logs.Failure)
	if known, is := failed.Meaning.(logs.Known); !is || known.Signature.ID != "checkpoint-concurrent" {
		return cause.Cause{}, false
	}
	for _, m := range allInDriverLogs(v, checkpointOf) {
		at := strings.TrimRight(m[1], "/")
		for i := range v.Located {
			if one := &v.Located[i]; slices.Contains(one.Locations, at) {
				return cause.Cause{Class: about.Class, Role: about.Role, Subject: about.Subject, Trust: cause.BySpec,
					Detail:   CheckpointShared{By: one.Ref, Checkpoint: at},
					Evidence: []cause.Proof{{Object: one.Ref, Field: "spec", Value: at}}}, true
			}
		}
	}
	return cause.Cause{}, false
}
