package fix

import (
	"errors"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// TestUndoOfWhatWasNotWritten: a record may say that fix wrote what it did not. The object tells who did.
func TestUndoOfWhatWasNotWritten(t *testing.T) {
	configuration := snapshot.Ref{APIVersion: "admissionregistration.k8s.io/v1", Kind: "MutatingWebhookConfiguration", Name: "w", UID: "u"}
	pod := snapshot.Ref{APIVersion: "v1", Kind: "Pod", Namespace: "team-a", Name: "p", UID: "u"}
	const hook = "mutate--v1-pod.sparkoperator.k8s.io"
	policy := Change{Path: Path{"webhooks", "[name=" + hook + "]", "failurePolicy"}, Old: "Ignore", New: "Fail"}
	bundle := Change{Path: Path{"webhooks", "[name=" + hook + "]", "clientConfig", "caBundle"}, Old: "YQ==", New: "Yg=="}
	unset := Change{Path: bundle.Path, Old: "YQ=="}
	owner := Change{Path: Path{"metadata", "ownerReferences", "[uid=a]"}, New: map[string]any{
		"apiVersion": "sparkoperator.k8s.io/v1beta2", "kind": "SparkApplication", "name": "etl", "uid": "a",
	}}
	removed := Change{Path: owner.Path, Old: owner.New}
	entry := func(manager, subresource, tree string) string {
		return "{manager: " + manager + ", operation: Update, subresource: '" + subresource + "', fieldsType: FieldsV1, fieldsV1: " + tree + "}"
	}
	hooks := func(of string) string { return `{"f:webhooks": {'k:{"name":"` + hook + `"}': ` + of + `}}` }
	const owned = `{"f:metadata": {"f:ownerReferences": {'k:{"uid":"a"}': {}}}}`
	for name, c := range map[string]struct {
		object  snapshot.Ref
		change  Change
		of      string
		managed string
		refused bool
	}{
		"a policy that fix set": {configuration, policy, "setFailurePolicy",
			entry("kubectl-sparkdoctor", "", hooks(`{"f:failurePolicy": {}}`)), false},
		"a policy that Helm set": {configuration, policy, "setFailurePolicy", entry("helm", "", hooks(`{"f:failurePolicy": {}}`)),
			true},
		"a policy, and fix wrote a bundle": {configuration, policy, "setFailurePolicy",
			entry("kubectl-sparkdoctor", "", hooks(`{"f:clientConfig": {"f:caBundle": {}}}`)), true},
		"a policy, and nothing tells": {configuration, policy, "setFailurePolicy", "", true},
		"another subresource": {configuration, policy, "setFailurePolicy",
			entry("kubectl-sparkdoctor", "status", hooks(`{"f:failurePolicy": {}}`)), true},
		"a bundle that fix set": {configuration, bundle, "patchBundle",
			entry("kubectl-sparkdoctor", "", hooks(`{"f:clientConfig": {"f:caBundle": {}}}`)), false},
		"a bundle that the operator set": {configuration, bundle, "patchBundle",
			entry("spark-operator", "", hooks(`{"f:clientConfig": {"f:caBundle": {}}}`)), true},
		"an owner that fix added":          {pod, owner, "addOwner", entry("kubectl-sparkdoctor", "", owned), false},
		"an owner that Spark set":          {pod, owner, "addOwner", entry("fabric8-kubernetes-client", "", owned), true},
		"an owner that fix did not remove": {pod, removed, "addOwner", "", true},
		"a bundle that fix did not take out": {configuration, unset, "patchBundle",
			entry("kubectl-sparkdoctor", "", hooks(`{"f:failurePolicy": {}}`)), true},
	} {
		t.Run(name, func(t *testing.T) {
			text := "apiVersion: " + c.object.APIVersion + "\nkind: " + c.object.Kind + "\nmetadata:\n  name: " + c.object.Name +
				"\n  uid: u\n  resourceVersion: '1'\n  managedFields: [" + c.managed + "]\n"
			if c.object.Namespace != "" {
				text += "  namespace: team-a\n"
			}
			if c.change.New != nil && c.of == "addOwner" {
				text += "  ownerReferences: [{apiVersion: sparkoperator.k8s.io/v1beta2, kind: SparkApplication, name: etl, uid: a}]\n"
			}
			if c.object.Kind != "Pod" {
				text += "webhooks: [{name: " + hook + ", failurePolicy: Fail, clientConfig: {caBundle: Yg==}}]\n"
			}
			if c.change.New == nil {
				text = strings.ReplaceAll(text, "caBundle: Yg==", "")
			}
			i := Restore{Object: c.object, Changes: []Change{c.change}, Of: c.of, Manager: "kubectl-sparkdoctor"}
			steps, err := i.resolve(cluster(t, text))
			var unowned *Unowned
			require.Equal(t, c.refused, errors.As(err, &unowned), "%v", err)
			if !c.refused {
				require.NoError(t, err)
				require.Len(t, steps, 1)
			}
		})
	}
}
