package release

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"sigs.k8s.io/yaml"
)

// plugin is what a krew manifest may have (krew/pkg/index/types.go@v0.4.4), as far as ours uses it.
type plugin struct {
	APIVersion string `json:"apiVersion"`
	Kind       string `json:"kind"`
	Metadata   struct {
		Name string `json:"name"`
	} `json:"metadata"`
	Spec struct {
		Version          string     `json:"version"`
		Homepage         string     `json:"homepage"`
		ShortDescription string     `json:"shortDescription"`
		Description      string     `json:"description"`
		Caveats          string     `json:"caveats"`
		Platforms        []platform `json:"platforms"`
	} `json:"spec"`
}

type platform struct {
	URI      string `json:"uri"`
	SHA256   string `json:"sha256"`
	Bin      string `json:"bin"`
	Selector struct {
		MatchLabels map[string]string `json:"matchLabels"`
	} `json:"selector"`
}

// TestManifest fills in the template for archives that nobody built.
func TestManifest(t *testing.T) {
	dist, sums := t.TempDir(), ""
	for i, name := range []string{"linux_amd64.tar.gz", "linux_arm64.tar.gz", "darwin_amd64.tar.gz", "darwin_arm64.tar.gz",
		"windows_amd64.zip", "windows_arm64.zip"} {
		sums += fmt.Sprintf("%s%d  kubectl-sparkdoctor_v1.2.3_%s\n", strings.Repeat("a", 63), i, name)
	}
	require.NoError(t, os.WriteFile(filepath.Join(dist, "checksums.txt"), []byte(sums), 0o600))
	require.NoError(t, os.WriteFile(filepath.Join(dist, "metadata.json"), []byte(`{"version": "1.2.3"}`), 0o600))
	command(t, "../..", nil, "go", "run", "./internal/release", "krew", "krew/sparkdoctor.yaml", dist)
	p := readPlugin(t, filepath.Join(dist, "krew", "sparkdoctor.yaml"))
	requireAcceptable(t, p)
	require.Equal(t, "v1.2.3", p.Spec.Version)
	require.Equal(t, strings.Repeat("a", 63)+"5", p.Spec.Platforms[5].SHA256)

	require.NoError(t, os.WriteFile(filepath.Join(dist, "checksums.txt"), []byte(strings.Replace(sums, "windows_arm64", "plan9_arm", 1)),
		0o600))
	out, err := exec.CommandContext(t.Context(), "go", "-C", "../..", "run", "./internal/release", "krew", "krew/sparkdoctor.yaml",
		dist).CombinedOutput()
	require.Error(t, err)
	require.Contains(t, string(out), "no checksum of kubectl-sparkdoctor_v1.2.3_windows_arm64.zip")
}

// readPlugin refuses fields that are not in the types above: "files", say, would change what is installed.
func readPlugin(t *testing.T, file string) plugin {
	t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	var p plugin
	require.NoError(t, yaml.UnmarshalStrict(text, &p))
	require.Equal(t, filepath.Base(file), p.Metadata.Name+".yaml")
	return p
}

// requireAcceptable holds what krew validates (cmd/validate-krew-manifest, internal/index/validation, @v0.4.4), and what
// reviewers of its index ask for (krew's docs "developer-guide/plugin-manifest" and "release/submitting-to-krew").
func requireAcceptable(t *testing.T, p plugin) {
	t.Helper()
	require.Equal(t, "krew.googlecontainertools.github.com/v1alpha2", p.APIVersion)
	require.Equal(t, "Plugin", p.Kind)
	require.Regexp(t, `^[a-z0-9]+(-[a-z0-9]+)*$`, p.Metadata.Name, "lower-case words with hyphens")
	require.NotContains(t, p.Metadata.Name, "kube", "the name is used behind kubectl")
	require.Regexp(t, `^v\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$`, p.Spec.Version, "the tag, with its v")
	require.Regexp(t, `^https://`, p.Spec.Homepage)
	require.NotEmpty(t, p.Spec.ShortDescription)
	require.LessOrEqual(t, len(p.Spec.ShortDescription), 50)
	require.Regexp(t, `^[A-Z].*[^.]$`, p.Spec.ShortDescription)
	require.NotContains(t, p.Spec.ShortDescription, "\n")
	require.NotRegexp(t, `(?i)plugin|kubectl`, p.Spec.ShortDescription, "filler")
	require.NotEmpty(t, p.Spec.Description)
	for line := range strings.Lines(p.Spec.Description) {
		require.LessOrEqual(t, len(strings.TrimRight(line, "\n")), 80, line)
	}
	require.NotRegexp(t, `--\w|kubectl sparkdoctor`, p.Spec.Description, "no usage in the description")
	require.Empty(t, p.Spec.Caveats, "only where users must do something more")
	require.NotEmpty(t, p.Spec.Platforms)
	seen := []string{}
	for _, one := range p.Spec.Platforms {
		require.Regexp(t, `^[0-9a-f]{64}$`, one.SHA256)
		require.Len(t, one.Selector.MatchLabels, 2, "os and arch")
		system, arch := one.Selector.MatchLabels["os"], one.Selector.MatchLabels["arch"]
		require.Contains(t, supported(), system+"/"+arch)
		seen = append(seen, system+"/"+arch)
		want := "kubectl-sparkdoctor"
		if system == "windows" {
			want += ".exe"
		}
		require.Equal(t, want, one.Bin)
		from := fmt.Sprintf("https://github.com/sparkdoctor/kubectl-sparkdoctor/releases/download/%s/kubectl-sparkdoctor_%[1]s_%s_%s.",
			p.Spec.Version, system, arch)
		require.Regexp(t, "^"+regexp.QuoteMeta(from), one.URI)
	}
	slices.Sort(seen)
	require.Equal(t, []string{"darwin/amd64", "darwin/arm64", "linux/amd64", "linux/arm64", "windows/amd64", "windows/arm64"}, seen,
		"each once")
}

// supported are the platforms that krew's index installs on (cmd/validate-krew-manifest/main.go@v0.4.4).
func supported() []string {
	return []string{"windows/386", "windows/amd64", "windows/arm64", "linux/386", "linux/amd64", "linux/arm", "linux/arm64", "linux/ppc64le",
		"darwin/386", "darwin/amd64", "darwin/arm64"}
}

// requireArchives: each is the one that the manifest names, and holds plain files only, which krew unpacks.
func requireArchives(t *testing.T, p plugin, dist string) {
	checksums, err := os.ReadFile(filepath.Join(dist, "checksums.txt"))
	require.NoError(t, err)
	for _, one := range p.Spec.Platforms {
		archive := filepath.Join(dist, path.Base(one.URI))
		require.Equal(t, sum(t, archive), one.SHA256)
		require.Contains(t, string(checksums), one.SHA256+"  "+path.Base(one.URI)+"\n")
		require.ElementsMatch(t, []string{"LICENSE", "THIRD_PARTY_LICENSES", one.Bin}, entries(t, archive), archive)
	}
}

// entries returns the names in an archive, and fails on what is not a regular file.
func entries(t *testing.T, file string) (names []string) {
	t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	if strings.HasSuffix(file, ".zip") {
		r, err := zip.NewReader(bytes.NewReader(text), int64(len(text)))
		require.NoError(t, err)
		for _, f := range r.File {
			require.True(t, f.Mode().IsRegular(), "%s in %s", f.Name, file)
			names = append(names, f.Name)
		}
		return names
	}
	z, err := gzip.NewReader(bytes.NewReader(text))
	require.NoError(t, err)
	r := tar.NewReader(z)
	for {
		h, err := r.Next()
		if errors.Is(err, io.EOF) {
			return names
		}
		require.NoError(t, err)
		require.Equal(t, byte(tar.TypeReg), h.Typeflag, "%s in %s", h.Name, file)
		require.Equal(t, "root", h.Uname)
		names = append(names, h.Name)
	}
}
