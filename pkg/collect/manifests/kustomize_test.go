package manifests

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/fstest"
	"testing/iotest"

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

// TestPackedPatches holds the same of archives from the disk, stdin and a URL, wherever in one the kustomization stands.
func TestPackedPatches(t *testing.T) {
	const overlay = "resources: [base, both.yaml]\npatches: [{path: patch.yaml}, {path: both.yaml}]\n"
	patch := [2]string{"./repo/patch.yaml", app("patch") + "spec: {suspend: false}\n"}
	kustomization := [2]string{"repo/kustomization.yaml", overlay}
	rest := [][2]string{{"repo/base/app.yaml", app("a")}, {"repo/both.yaml", app("both")}, {"repo/other/patch.yaml", app("b")}}
	for name, files := range map[string][][2]string{
		"before": append([][2]string{kustomization, patch}, rest...), "behind": append(append([][2]string{patch}, rest...), kustomization),
	} {
		packed := tarred(t, files...)
		fs := fstest.MapFS{"repo.tar.gz": {Data: []byte(gzipped(t, packed))}, "dir/repo.tgz": {Data: []byte(gzipped(t, packed))},
			"repo.tar": {Data: []byte(packed)}}
		server := httptest.NewServer(http.FileServerFS(fs))
		t.Cleanup(server.Close)
		for _, path := range []string{"repo.tar.gz", "dir", "repo.tar", server.URL + "/repo.tar.gz", server.URL + "/repo.tar", "-"} {
			requirePatch(t, Options{Paths: []string{path}, FS: fs, Stdin: strings.NewReader(packed), Now: later}, name)
		}
		requirePatch(t, Options{Paths: []string{"-"}, Stdin: strings.NewReader(gzipped(t, packed)), Now: later}, name)
		requirePatch(t, Options{Paths: []string{"-"}, Stdin: iotest.OneByteReader(strings.NewReader(packed)), Now: later}, name)
	}
}

// requirePatch reads an input whose one patch is patch.yaml.
func requirePatch(t *testing.T, o Options, name string) {
	t.Helper()
	s, in, err := Read(t.Context(), o)
	require.NoError(t, err, name)
	require.Equal(t, []string{"a", "b", "both"}, names(s), "%s %s", name, o.Paths)
	require.Len(t, in.Aside.Patches, 1)
	require.Contains(t, in.Aside.Patches[0], "repo/patch.yaml")
	require.Len(t, in.Aside.Kustomizations, 1)
}

// TestStreamIsReadWhole holds that looking for patches loses nothing of a stream that comes once, be it an archive or not.
func TestStreamIsReadWhole(t *testing.T) {
	many := strings.Builder{}
	var want []string
	for i := range 5000 { // more than is read at once
		want = append(want, fmt.Sprintf("app-%04d", i))
		many.WriteString("---\n" + app(want[i]))
	}
	for name, text := range map[string]string{"plain": many.String(), "gzip": gzipped(t, many.String()),
		"tar": tarred(t, [2]string{"repo/kustomization.yaml", "resources: [a.yaml]\n"}, [2]string{"repo/a.yaml", many.String()})} {
		s, _, err := Read(t.Context(), Options{Paths: []string{"-"}, Stdin: strings.NewReader(text), Now: later})
		require.NoError(t, err, name)
		require.Equal(t, want, names(s), name)
	}
}
