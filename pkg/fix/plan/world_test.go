package plan

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	utiljson "k8s.io/apimachinery/pkg/util/json"
	"sigs.k8s.io/yaml"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// What follows is as in the tests of pkg/fix.

// cluster is a set of objects, one a YAML document.
func cluster(t testing.TB, documents string) fix.Fresh {
	t.Helper()
	f := fix.NewFresh()
	lists := map[fix.Read][]*fix.Object{}
	for _, text := range strings.Split(documents, "\n---\n") {
		if strings.TrimSpace(text) == "" {
			continue
		}
		o := &fix.Object{}
		asJSON, err := yaml.YAMLToJSON([]byte(text))
		require.NoError(t, err, text)
		require.NoError(t, utiljson.Unmarshal(asJSON, &o.Object), text) // numbers as a client reads them
		f.Put(o)
		if name := o.GetLabels()[snapshot.AppNameLabel]; name != "" {
			r := fix.Read{Ref: snapshot.Ref{APIVersion: o.GetAPIVersion(), Kind: o.GetKind(), Namespace: o.GetNamespace()},
				Selector: snapshot.AppNameLabel + "=" + name}
			lists[r] = append(lists[r], o)
		}
	}
	for r, list := range lists {
		f.PutList(r, list)
	}
	return f
}

func app() snapshot.Ref {
	return snapshot.Ref{APIVersion: "sparkoperator.k8s.io/v1beta2", Kind: "SparkApplication", Namespace: "a", Name: "etl", UID: "app"}
}

func pod(name string) snapshot.Ref {
	return snapshot.Ref{APIVersion: "v1", Kind: "Pod", Namespace: "a", Name: name, UID: "pod"}
}

const (
	anApp = "apiVersion: sparkoperator.k8s.io/v1beta2\nkind: SparkApplication\nmetadata: {namespace: a, name: etl, uid: %s%s}\nspec: " +
		"{mode: cluster%s}\nstatus: {submissionID: %s, applicationState: {state: %s}, executorState: {%s}}\n---\n"
	aDriver = "apiVersion: v1\nkind: Pod\nmetadata: {namespace: a, name: etl-driver, uid: pod, creationTimestamp: " +
		"\"2026-11-21T00:00:00Z\", labels: {sparkoperator.k8s.io/app-name: etl, sparkoperator.k8s.io/submission-id: s1, spark-role: " +
		"driver}%s}\nstatus: {phase: %s}\n---\n"
	deleted  = ", deletionTimestamp: \"2026-11-21T00:00:00Z\""
	anOwner  = ", ownerReferences: [{apiVersion: v1, kind: ConfigMap, name: o, uid: o1}]"
	finalize = ", finalizers: [x, other]"
)

func anApplication(uid, metadata, spec, submission, state, executors string) string {
	return fmt.Sprintf(anApp, uid, metadata, spec, submission, state, executors)
}

func configuration() snapshot.Ref {
	return snapshot.Ref{APIVersion: "admissionregistration.k8s.io/v1", Kind: "MutatingWebhookConfiguration", Name: "c", UID: "c"}
}

// aConfiguration has one webhook w1 with these further fields.
func aConfiguration(fields string) string {
	return fmt.Sprintf("apiVersion: admissionregistration.k8s.io/v1\nkind: MutatingWebhookConfiguration\nmetadata: {name: c, uid: "+
		"c}\nwebhooks:\n- {name: w1.sparkoperator.k8s.io, clientConfig: {caBundle: b2xk, service: {namespace: op, name: svc}}%s}\n---\n", fields)
}

const (
	aDeployment = "apiVersion: apps/v1\nkind: Deployment\nmetadata: {namespace: op, name: webhook, uid: d}\nspec: {replicas: %d%s, " +
		"template: {metadata: {}}}\n---\n"
	aLease = "apiVersion: coordination.k8s.io/v1\nkind: Lease\nmetadata: {namespace: op, name: lock, uid: l}\nspec: {holderIdentity: " +
		"old}\n---\n"
	aSecret = "apiVersion: v1\nkind: Secret\nmetadata: {namespace: op, name: certs, uid: s}\ndata: {ca-cert.pem: %s}\n---\n"
)

func aTime() time.Time { return time.Date(2026, 11, 21, 3, 0, 0, 0, time.UTC) }

func deployment() snapshot.Ref {
	return snapshot.Ref{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "op", Name: "webhook", UID: "d"}
}

func secret() snapshot.Ref {
	return snapshot.Ref{APIVersion: "v1", Kind: "Secret", Namespace: "op", Name: "certs", UID: "s"}
}

// say puts what Resolve returned into a line.
func say(steps []fix.Step, err error) string {
	switch err := err.(type) { //nolint:errorlint // Resolve wraps none of its own errors
	case *fix.Done:
		return "done: " + err.Reason
	case *fix.Stale:
		return "stale: " + err.Reason
	case *fix.Refused:
		return "refused: " + err.Reason
	case nil:
	default:
		return "error: " + err.Error()
	}
	var out []string
	for _, s := range steps {
		if s.Delete {
			out = append(out, "delete")
		}
		for _, c := range s.Changes {
			out = append(out, c.String())
		}
	}
	return strings.Join(out, "; ")
}
