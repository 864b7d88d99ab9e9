package manifests

import (
	"archive/tar"
	"bytes"
	"compress/flate"
	"context"
	"io"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"sigs.k8s.io/yaml"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/archive"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/input"
)

// kustomization reports whether a document tells kustomize what to build: by its group, or by the name of its file, where the group may be
// left out (api/types/kustomization.go and api/konfig/general.go of kubernetes-sigs/kustomize@api/v0.21.1).
func (h *head) kustomization(name string) bool {
	if h.groupKind().Group == "kustomize.config.k8s.io" {
		return true
	}
	file := path.Base(filepath.ToSlash(name))
	return (h.APIVersion == "" || h.Kind == "") && isKustomization(file)
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

// patched are the files of kustomizations: a patch is a part of an object, which no API server gets as it stands. A file that one of them
// takes as a resource is an object all the same.
type patched struct{ patches, resources map[string]bool }

// isKustomization reports whether a file is one by its name.
func isKustomization(base string) bool {
	return base == "kustomization.yaml" || base == "kustomization.yml"
}

// add reads a kustomization, whose paths join makes those of the input.
func (f *patched) add(text []byte, join func(file string) string) {
	var k kustomized
	if input.Values(text) != nil || yaml.Unmarshal(text, &k) != nil {
		return // readText says what is wrong with it
	}
	for _, file := range k.files() {
		f.patches[join(file)] = true
	}
	for _, file := range k.Resources {
		f.resources[join(file)] = true
	}
}

// files are the patches.
func (f *patched) files() map[string]bool {
	maps.DeleteFunc(f.patches, func(file string, _ bool) bool { return f.resources[file] })
	return f.patches
}

// patches are the files that kustomizations among the sources take as patches.
func (d disk) patches(sources []source) map[string]bool {
	found := patched{map[string]bool{}, map[string]bool{}}
	for _, s := range sources {
		if isKustomization(filepath.Base(s.name)) {
			found.add(d.text(s.name), func(file string) string { return d.join(filepath.Dir(s.name), file) })
		}
	}
	return found.files()
}

// packedPatches are the same of an archive, and the stream from its start. A kustomization may stand behind the files that it names, so
// that the archive is unpacked once more for it: from the disk again, or from what was kept of a stream that comes but once. What is wrong
// with the archive is an error when it is read.
func packedPatches(ctx context.Context, s source, stream io.Reader) (map[string]bool, io.Reader) {
	ext := strings.ToLower(filepath.Ext(s.name))
	if ext == ".yaml" || ext == ".yml" || ext == ".json" || isLog(s.name) {
		return nil, stream
	}
	if s.onDisk {
		again, err := s.open(ctx)
		if err != nil {
			return nil, stream
		}
		defer again.Close() //nolint:errcheck // read only
		return patchesIn(s.name, again), stream
	}
	var kept bytes.Buffer
	pack, err := flate.NewWriter(&kept, flate.BestSpeed) // text of objects packs to a twentieth
	if err != nil {
		return nil, stream
	}
	found := patchesIn(s.name, io.TeeReader(stream, pack))
	_ = pack.Close() // a buffer takes everything
	return found, io.MultiReader(flate.NewReader(&kept), stream)
}

// patchesIn reads the kustomizations of an archive, and of another stream no more than its first bytes.
func patchesIn(name string, stream io.Reader) map[string]bool {
	var spent input.Budget
	found := patched{map[string]bool{}, map[string]bool{}}
	u := unpacker{spent: &spent, saved: func(string, *archive.Limited, *tar.Reader, *tar.Header) error { return nil }}
	u.text = func(file string, r io.Reader) error {
		if !isKustomization(path.Base(file)) || file == name {
			return nil
		}
		text, err := io.ReadAll(io.LimitReader(r, maxYAML))
		found.add(text, func(beside string) string { return path.Join(path.Dir(file), beside) })
		return err
	}
	_, _ = u.unpack(name, spent.Packed(stream), buffered, 0)
	return found.files()
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
