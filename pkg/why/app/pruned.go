package app

import (
	"strings"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot/whole"
)

// Pruned is a pod that Argo CD deleted as one that Git does not have.
type Pruned struct {
	By    snapshot.Ref // the Application of Argo CD
	Pod   string
	Began time.Time
	At    time.Time // when that sync was over
	// Automated says that Argo CD began it by itself.
	Automated bool
}

// prunedFrom finds the pods of a namespace that the last sync of each Application pruned, by its result (ResultCodePruned in
// pkg/sync/common/types.go of argoproj/gitops-engine@v0.7.3). What it skipped is PruneSkipped.
func prunedFrom(objects []unstructured.Unstructured, namespace string) []Pruned {
	var out []Pruned
	for i := range objects {
		o := &objects[i]
		if o.GetKind() != "Application" || !strings.HasPrefix(o.GetAPIVersion(), "argoproj.io/") {
			continue
		}
		last := whole.Fields(o.Object).Object("status", "operationState")
		for _, r := range last.Objects("syncResult", "resources") {
			if r.Text("kind") == "Pod" && r.Text("namespace") == namespace && r.Text("status") == "Pruned" {
				out = append(out, Pruned{By: refOf(o), Pod: r.Text("name"), Began: last.When("startedAt"), At: last.When("finishedAt"),
					Automated: last.Flag("operation", "initiatedBy", "automated")})
			}
		}
	}
	return out
}
