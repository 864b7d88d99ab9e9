package examples_test

import (
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"sigs.k8s.io/yaml"
)

func gitLab(t *testing.T, r repository) {
	type job struct {
		Extends      string   `json:"extends"`
		Rules        []any    `json:"rules"`
		Stage        string   `json:"stage"`
		Image        string   `json:"image"`
		BeforeScript []string `json:"before_script"`
		Script       []string `json:"script"`
		AfterScript  []string `json:"after_script"`
		Artifacts    struct {
			When    string            `json:"when"`
			Paths   []string          `json:"paths"`
			Reports map[string]string `json:"reports"`
		} `json:"artifacts"`
	}
	var file struct {
		Variables map[string]string `json:"variables"`
		Hidden    job               `json:".sparkdoctor"`
		Scan      job               `json:"sparkdoctor-scan"`
		Gate      job               `json:"sparkdoctor-gate"`
	}
	parse(t, "ci/gitlab.yml", &file)
	require.NotContains(t, file.Variables, "SPARKDOCTOR_FROM", "nobody but the user knows what is installed")
	variables := maps.Clone(file.Variables)
	variables["SPARKDOCTOR_FROM"] = "2.3.0"
	for _, j := range []job{file.Scan, file.Gate} {
		require.Equal(t, ".sparkdoctor", j.Extends)
		code, said := r.sh(t, strings.Join(j.Script, "\n"), variables)
		require.Equal(t, 1, code, "an error of the scan, and no go of the gate: %s", said)
		code, said = r.sh(t, strings.Join(file.Hidden.AfterScript, "\n"), nil)
		require.Zero(t, code, "without a token nothing is sent: %s", said)
		require.Empty(t, said)
		codeQuality(t, []byte(r.read(t, file.Hidden.Artifacts.Reports["codequality"])))
		for _, artifact := range slices.Concat(file.Hidden.Artifacts.Paths, slices.Collect(maps.Values(file.Hidden.Artifacts.Reports))) {
			require.NotEmpty(t, r.read(t, artifact))
			require.NoError(t, os.Remove(filepath.Join(r.dir, artifact)))
		}
	}
	code, said := r.sh(t, strings.Join(file.Hidden.AfterScript, "\n"), nil)
	require.Zero(t, code, "a run that failed has no report: %s", said)
}

// codeQuality holds a report to GitLab's format (docs.gitlab.com/ci/testing/code_quality, "Code Quality report format").
func codeQuality(t *testing.T, text []byte) {
	t.Helper()
	var entries []struct {
		Description string `json:"description"`
		CheckName   string `json:"check_name"`
		Fingerprint string `json:"fingerprint"`
		Severity    string `json:"severity"`
		Location    struct {
			Path  string `json:"path"`
			Lines struct {
				Begin int `json:"begin"`
			} `json:"lines"`
		} `json:"location"`
	}
	require.NoError(t, yaml.UnmarshalStrict(text, &entries))
	require.NotEmpty(t, entries)
	prints := map[string]bool{}
	for _, e := range entries {
		require.Regexp(t, `^SD\d{4}: SparkApplication `+tooLong+`: `, e.Description)
		require.Regexp(t, `^[a-z-]+$`, e.CheckName)
		require.Contains(t, []string{"info", "minor", "major", "critical", "blocker"}, e.Severity)
		require.Equal(t, "manifests/app.yaml", e.Location.Path, "relative to the repository")
		require.Equal(t, 3, e.Location.Lines.Begin, "the line of metadata.name")
		require.False(t, prints[e.Fingerprint], "fingerprints are unique: %s", e.Fingerprint)
		prints[e.Fingerprint] = true
	}
}

func preCommit(t *testing.T, r repository) {
	var hooks []struct {
		ID            string   `json:"id"`
		Name          string   `json:"name"`
		Description   string   `json:"description"`
		Entry         string   `json:"entry"`
		Language      string   `json:"language"`
		Files         string   `json:"files"`
		PassFilenames bool     `json:"pass_filenames"`
		Args          []string `json:"args"`
	}
	parse(t, "../.pre-commit-hooks.yaml", &hooks)
	require.Len(t, hooks, 1)
	require.False(t, hooks[0].PassFilenames, "files would be taken for objects to look at")
	command := hooks[0].Entry + " " + strings.Join(hooks[0].Args, " ")
	r.write(t, "etl")
	code, said := r.sh(t, command, nil)
	require.Zero(t, code, said)
	r.write(t, tooLong)
	code, said = r.sh(t, command+" --fail-on warning", nil)
	require.Equal(t, 1, code, said)
	require.Contains(t, said, "manifests/app.yaml:3")
}

// hooksOfDeployments: what Argo CD and Helm run is a gate that this build knows; the end-to-end tests run it in a cluster.
func hooksOfDeployments(t *testing.T, r repository) {
	r.write(t, "etl")
	for file, hook := range map[string]string{"gates/argocd-presync.yaml": "argocd.argoproj.io/hook",
		"gates/helm-pre-upgrade.yaml": "helm.sh/hook"} {
		var job struct {
			APIVersion, Kind string
			Metadata         struct {
				Name, Namespace string
				Annotations     map[string]string
			}
			Spec struct {
				BackoffLimit          int
				ActiveDeadlineSeconds int
				Template              struct {
					Spec struct {
						ServiceAccountName, RestartPolicy string
						SecurityContext                   map[string]any
						Containers                        []struct {
							Name, Image     string
							Args            []string
							SecurityContext map[string]any
						}
					}
				}
			}
		}
		parse(t, file, &job)
		require.Contains(t, job.Metadata.Annotations, hook)
		require.Zero(t, job.Spec.BackoffLimit, "a no-go does not become a go by asking again")
		args := strings.ReplaceAll(strings.Join(job.Spec.Template.Spec.Containers[0].Args, " "), "{{ .Chart.AppVersion }}", "2.5.2")
		code, said := r.sh(t, "kubectl-sparkdoctor "+args+" --from 2.5.0 -f manifests --allow-incomplete", nil)
		require.Zero(t, code, said)
	}
}
