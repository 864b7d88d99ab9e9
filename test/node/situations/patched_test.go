package situations

import (
	"context"
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/controlplane"
)

// patches: what "why -o patch" prints, laid over the manifest as its user has it, makes an application complete that failed before. Without
// SPARKDOCTOR_NODE_SITUATIONS the slow ones are left out.
func (r repairs) patches(t *testing.T) {
	for _, p := range patched() {
		if p.Slow && os.Getenv(chosen) == "" {
			continue
		}
		t.Run(p.Name, func(t *testing.T) { r.patch(t, p) })
	}
}

func (r repairs) patch(t *testing.T, p patch) {
	ctx, dir := t.Context(), t.TempDir()
	at := place{r.bed.Cluster, r.bed.Node, p.namespace()}
	for _, step := range p.Steps {
		bounded, cancel := context.WithTimeout(ctx, patience)
		defer cancel()
		require.NoError(t, step.do(bounded, at), step.Name)
	}
	manifest, file := filepath.Join(dir, "etl.yaml"), filepath.Join(dir, "patch.yaml")
	r.manifest(t, p.namespace(), manifest)
	printed, err := r.bed.run(ctx, r.bed.Binary, "why", "etl", "-n", p.namespace(), "-o", "patch")
	if len(printed) == 0 {
		answer, _ := r.bed.run(ctx, r.bed.Binary, "why", "etl", "-n", p.namespace(), "-o", "wide")
		require.Fail(t, "no change is known", "%v\n%s", err, answer)
	}
	t.Log(string(printed))
	require.NoError(t, os.WriteFile(file, printed, 0o600))
	changed, err := r.bed.kubectl(ctx, "patch", "--local", "-f", manifest, "--type", "merge", "--patch-file", file, "-o", "yaml")
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(manifest, changed, 0o600))
	_, err = r.bed.kubectl(ctx, "delete", "sparkapplication", "etl", "-n", p.namespace(), "--wait")
	require.NoError(t, err)
	bounded, cancel := context.WithTimeout(ctx, 2*patience)
	defer cancel()
	require.NoError(t, gone(driver).do(bounded, at))
	_, err = r.bed.kubectl(ctx, "apply", "-f", manifest)
	require.NoError(t, err)
	require.NoError(t, state("COMPLETED").do(bounded, at), string(printed))
}

// manifest writes the application as its user wrote it: without what the server added.
func (r repairs) manifest(t *testing.T, namespace, file string) {
	t.Helper()
	app, err := r.bed.Cluster.Dynamic.Resource(controlplane.Applications()).Namespace(namespace).Get(t.Context(), "etl", metav1.GetOptions{})
	require.NoError(t, err)
	text, err := yaml.Marshal((&unstructured.Unstructured{Object: map[string]any{"apiVersion": app.GetAPIVersion(), "kind": app.GetKind(),
		"metadata": map[string]any{"name": "etl", "namespace": namespace}, "spec": app.Object["spec"]}}).Object)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(file, text, 0o600))
}
