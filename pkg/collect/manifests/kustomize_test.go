package manifests

import (
	"testing"
	"testing/fstest"

	"github.com/stretchr/testify/require"
)

// TestPatches holds that a file which a kustomization of the input takes as a patch is no object, in each of the three fields; and that one
// which is a resource too, or which only lies beside it, is an object.
func TestPatches(t *testing.T) {
	file := func(text string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(text)} }
	files := fstest.MapFS{
		"base/kustomization.yaml": file("resources: [app.yaml]\n"),
		"base/app.yaml":           file(app("a")),
		"prod/kustomization.yaml": file("apiVersion: kustomize.config.k8s.io/v1beta1\nkind: Kustomization\nresources: [../base]\n" +
			"patches: [{path: one.yaml}, {patch: '[]', target: {kind: SparkApplication}}]\n"),
		"prod/one.yaml": file(app("a") + "spec: {suspend: false}\n"),
		"dev/kustomization.yml": file("patchesStrategicMerge: [./two.yaml, \"kind: X\\nspec: {}\\n\"]\n" +
			"patchesJson6902: [{path: ../dev/three.yaml}]\n"),
		"dev/two.yaml":           file(app("a") + "spec: {type: Java}\n"),
		"dev/three.yaml":         file("- {op: remove, path: /spec}\n"),
		"dev/beside.yaml":        file(app("b")),
		"both/kustomization.yml": file("resources: [c.yaml]\npatches: [{path: c.yaml}]\n"),
		"both/c.yaml":            file(app("c")),
		"odd/kustomization.yaml": file("patches: one.yaml\n"),
	}
	s, in, err := Read(t.Context(), Options{Paths: []string{"."}, FS: files, Recursive: true, SkipUnreadable: true, Now: later})
	require.NoError(t, err)
	require.Equal(t, []string{"a", "b", "c"}, names(s))
	require.Equal(t, []string{"dev/three.yaml", "dev/two.yaml", "prod/one.yaml"}, in.Aside.Patches)
	require.Empty(t, in.Differing)

	s, in, err = Read(t.Context(), Options{Paths: []string{"prod/one.yaml"}, FS: files, Now: later})
	require.NoError(t, err, "without its kustomization nothing tells")
	require.Equal(t, []string{"a"}, names(s))
	require.Empty(t, in.Aside.Patches)
}
