package whole

import (
	"slices"
	"strconv"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// trackingAnnotation is by what Argo CD knows an object that it applied: APPLICATION:GROUP/KIND:NAMESPACE/NAME (util/argo/
// resource_tracking.go of argoproj/argo-cd@v2.11.0).
const trackingAnnotation = "argocd.argoproj.io/tracking-id"

// aside leaves of objects of other controllers what they say of the application's.
func aside(src snapshot.Source, fields map[string]any) {
	switch src.View {
	case snapshot.WholeExternalSecrets:
		keepBelow(fields, "spec", "target", "secretStoreRef")
		keepBelow(fields, "status", "conditions")
	case snapshot.WholeNodePools:
		keepBelow(fields, "spec", "limits")
		keepBelow(fields, "status", "resources")
	case snapshot.WholeArgoApplications:
		delete(fields, "spec")
		keepBelow(fields, "status", "history", "operationState")
		status, _ := fields["status"].(map[string]any)
		status["history"] = deployments(status)
		if last, is := status["operationState"].(map[string]any); is {
			status["operationState"] = pruning(last)
		}
	}
}

// mostDeployments bounds those that are kept of an Application, which Argo CD itself bounds by 10 (spec.revisionHistoryLimit).
const mostDeployments = 20

// plainValue reports whether a value cannot be a secret: a number, or a flag.
func plainValue(value string) bool {
	const digits = 9
	_, err := strconv.ParseUint(value, 10, 32)
	return err == nil && len(value) <= digits || value == "true" || value == "false"
}

// deployments are what an Application of Argo CD applied, the last one last: when, by whom, and with which parameters of Helm. A value that
// may be a secret is not kept (RevisionHistory in pkg/apis/application/v1alpha1/types.go of argoproj/argo-cd@v2.11.0).
func deployments(status map[string]any) []any {
	list, _ := status["history"].([]any)
	var out []any
	for _, one := range list[max(0, len(list)-mostDeployments):] {
		entry, _ := one.(map[string]any)
		source, _ := entry["source"].(map[string]any)
		helm, _ := source["helm"].(map[string]any)
		given, _ := helm["parameters"].([]any)
		var parameters []any
		for _, parameter := range given {
			fields, _ := parameter.(map[string]any)
			if value, is := fields["value"].(string); is && plainValue(value) {
				parameters = append(parameters, keep(fields, "name", "value"))
			}
		}
		by, _ := entry["initiatedBy"].(map[string]any)
		kept := keep(entry, "deployStartedAt", "deployedAt", "revision")
		kept["initiatedBy"], kept["parameters"] = keep(by, "automated"), parameters
		out = append(out, kept)
	}
	return slices.Clip(out)
}

// mostPruned bounds the pods that are kept of a sync.
const mostPruned = 1000

// pruning is of a sync of Argo CD when it was, and which pods it deleted (OperationState there).
func pruning(last map[string]any) map[string]any {
	result, _ := last["syncResult"].(map[string]any)
	list, _ := result["resources"].([]any)
	var pods []any
	for _, one := range list {
		if r, _ := one.(map[string]any); r["kind"] == "Pod" && r["status"] == "Pruned" && len(pods) < mostPruned {
			pods = append(pods, keep(r, "kind", "namespace", "name", "status"))
		}
	}
	operation, _ := last["operation"].(map[string]any)
	by, _ := operation["initiatedBy"].(map[string]any)
	out := keep(last, "startedAt", "finishedAt")
	out["operation"] = map[string]any{"initiatedBy": keep(by, "automated")}
	out["syncResult"] = map[string]any{"resources": slices.Clip(pods)}
	return out
}
