package manifests

import (
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/input"
)

// kustomization reports whether a document tells kustomize what to build: by its group, or by the name of its file, where the group may be
// left out (api/types/kustomization.go and api/konfig/general.go of kubernetes-sigs/kustomize@api/v0.21.1).
func (h *head) kustomization(name string) bool {
	if h.groupKind().Group == "kustomize.config.k8s.io" {
		return true
	}
	file := path.Base(filepath.ToSlash(name))
	return (h.APIVersion == "" || h.Kind == "") && (file == "kustomization.yaml" || file == "kustomization.yml")
}

// kustomized is what a kustomization says of files beside it (api/types/kustomization.go and api/types/patch.go of
// kubernetes-sigs/kustomize@api/v0.21.1). A strategic merge patch may stand in place of a path.
type kustomized struct {
	Resources             []string `json:"resources"`
	PatchesStrategicMerge []string `json:"patchesStrategicMerge"`
	PatchesJSON6902       []patch  `json:"patchesJson6902"`
	Patches               []patch  `json:"patches"`
}

type patch struct {
	Path string `json:"path"`
}

// files are the paths that kustomize takes as patches.
func (k *kustomized) files() []string {
	out := slices.Clone(k.PatchesStrategicMerge)
	for _, p := range slices.Concat(k.PatchesJSON6902, k.Patches) {
		out = append(out, p.Path)
	}
	return slices.DeleteFunc(out, func(p string) bool { return p == "" || strings.Contains(p, "\n") })
}

// patches are the files that kustomizations among the sources take as patches: a part of an object, which no API server gets as it stands.
// A file that one of them takes as a resource is an object all the same.
func (d disk) patches(sources []source) map[string]bool {
	patches, resources := map[string]bool{}, map[string]bool{}
	for _, s := range sources {
		if base := filepath.Base(s.name); base != "kustomization.yaml" && base != "kustomization.yml" {
			continue
		}
		text := d.text(s.name)
		var k kustomized
		if input.Values(text) != nil || yaml.Unmarshal(text, &k) != nil {
			continue // readText says what is wrong with it
		}
		for _, file := range k.files() {
			patches[d.join(filepath.Dir(s.name), file)] = true
		}
		for _, file := range k.Resources {
			resources[d.join(filepath.Dir(s.name), file)] = true
		}
	}
	maps.DeleteFunc(patches, func(file string, _ bool) bool { return resources[file] })
	return patches
}

// withoutPatches leaves out the sources that are patches.
func (b *builder) withoutPatches(d disk, sources []source) []source {
	patches := d.patches(sources)
	return slices.DeleteFunc(sources, func(s source) bool {
		is := patches[filepath.Clean(s.name)]
		if is {
			b.input.Aside.Patches = append(b.input.Aside.Patches, s.name)
		}
		return is
	})
}
