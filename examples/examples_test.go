// Package examples_test runs the command lines of the pipelines that others copy, on the program as it is.
package examples_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"sigs.k8s.io/yaml"

	"github.com/sparkdoctor/kubectl-sparkdoctor/internal/sampling"
)

// tooLong is a name that no release runs (SD6012), and that no gate lets pass (SD7006): labels of the driver pod take 63 characters.
const tooLong = "nightly-sales-aggregation-for-the-finance-department-in-europe-v2"

const manifest = `apiVersion: sparkoperator.k8s.io/v1beta2
kind: SparkApplication
metadata: {name: NAME, namespace: team-a}
spec:
  type: Scala
  mode: cluster
  sparkVersion: 3.5.3
  mainClass: org.example.Etl
  mainApplicationFile: local:///opt/app.jar
  driver: {cores: 1, serviceAccount: spark}
  executor: {cores: 1, instances: 2}
`

// TestPipelines builds the program once, as the tests are built: the packages are compiled by then.
func TestPipelines(t *testing.T) {
	if testing.Short() {
		t.Skip("it builds the program: make test")
	}
	program := filepath.Join(t.TempDir(), "kubectl-sparkdoctor")
	// #nosec G204 -- a test
	out, err := exec.CommandContext(t.Context(), "go", "build", fmt.Sprintf("-race=%t", sampling.Raced()), "-o", program,
		"../cmd/kubectl-sparkdoctor").CombinedOutput()
	require.NoError(t, err, "%s", out)
	for name, test := range map[string]func(*testing.T, repository){
		"GitHub": gitHub, "GitLab": gitLab, "pre-commit": preCommit, "Argo CD and Helm": hooksOfDeployments,
	} {
		t.Run(name, func(t *testing.T) { test(t, newRepository(t, program)) })
	}
}

// repository is a directory with manifests, and the program on PATH.
type repository struct {
	dir, path string
}

func newRepository(t *testing.T, program string) repository {
	t.Helper()
	r := repository{t.TempDir(), filepath.Dir(program) + string(os.PathListSeparator) + os.Getenv("PATH")}
	r.write(t, tooLong)
	return r
}

func (r repository) write(t *testing.T, name string) {
	t.Helper()
	require.NoError(t, os.MkdirAll(filepath.Join(r.dir, "manifests"), 0o700))
	require.NoError(t, os.WriteFile(filepath.Join(r.dir, "manifests", "app.yaml"), []byte(strings.ReplaceAll(manifest, "NAME", name)), 0o600))
}

// sh runs a script as runners do, and returns its exit code and what it said.
func (r repository) sh(t *testing.T, script string, env map[string]string) (int, string) {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "bash", "--noprofile", "--norc", "-eo", "pipefail", "-c", script) // #nosec G204 -- a test
	cmd.Dir = r.dir
	cmd.Env = append(os.Environ(), "PATH="+r.path)
	for key, value := range env {
		cmd.Env = append(cmd.Env, key+"="+value)
	}
	out, err := cmd.CombinedOutput()
	if exit := new(exec.ExitError); err != nil && !errors.As(err, &exit) {
		require.NoError(t, err)
	}
	return cmd.ProcessState.ExitCode(), string(out)
}

func (r repository) read(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(filepath.Join(r.dir, name)) // #nosec G304 -- a test
	require.NoError(t, err)
	return string(text)
}

// parse refuses fields that the type does not have.
func parse(t *testing.T, file string, into any) {
	t.Helper()
	text, err := os.ReadFile(file) // #nosec G304 -- a test
	require.NoError(t, err)
	require.NoError(t, yaml.UnmarshalStrict(text, into), file)
}

type step struct {
	Name  string            `json:"name"`
	ID    string            `json:"id"`
	If    string            `json:"if"`
	Shell string            `json:"shell"`
	Run   string            `json:"run"`
	Uses  string            `json:"uses"`
	Env   map[string]string `json:"env"`
	With  map[string]string `json:"with"`

	ContinueOnError bool `json:"continue-on-error"`
}

// action is GitHub's metadata of a composite action (docs.github.com, "Metadata syntax for GitHub Actions").
type action struct {
	Name        string            `json:"name"`
	Description string            `json:"description"`
	Author      string            `json:"author"`
	Branding    map[string]string `json:"branding"`
	Inputs      map[string]struct {
		Description string `json:"description"`
		Default     string `json:"default"`
	} `json:"inputs"`
	Outputs map[string]struct {
		Description string `json:"description"`
		Value       string `json:"value"`
	} `json:"outputs"`
	Runs struct {
		Using string `json:"using"`
		Steps []step `json:"steps"`
	} `json:"runs"`
}

func gitHub(t *testing.T, r repository) {
	var a action
	parse(t, "../action.yml", &a)
	require.Equal(t, "composite", a.Runs.Using)
	byName := map[string]step{}
	for _, s := range a.Runs.Steps {
		byName[s.Name] = s
		require.NotContains(t, s.Run, "${{", "%s: what a pull request says must not become a command", s.Name)
		if s.Run != "" {
			require.Equal(t, "bash", s.Shell, s.Name)
		} else {
			require.Regexp(t, `@[0-9a-f]{40}$`, s.Uses)
		}
	}
	var workflow struct {
		Jobs map[string]struct{ Steps []step }
	}
	text, err := os.ReadFile("ci/github.yml")
	require.NoError(t, err)
	require.NoError(t, yaml.Unmarshal(text, &workflow))
	runs := 0
	for _, s := range workflow.Jobs["sparkdoctor"].Steps {
		if !strings.HasPrefix(s.Uses, "sparkdoctor/") {
			continue
		}
		for name := range s.With {
			require.Contains(t, a.Inputs, name)
		}
		command, isSet := s.With["command"]
		if !isSet {
			command = a.Inputs["command"].Default
		}
		require.Equal(t, "1", r.act(t, byName, command, s.With["args"]), "an error of the scan, and no go of the gate")
		runs++
	}
	require.Equal(t, 2, runs)
	require.Equal(t, "2", r.act(t, byName, "scan", "--no-such-flag"))
}

// act runs the action's command and its verdict, and returns the exit code that it sets.
func (r repository) act(t *testing.T, steps map[string]step, command, args string) string {
	t.Helper()
	env := map[string]string{"COMMAND": command, "ARGS": args, "TEMP": r.dir, "GITHUB_STEP_SUMMARY": filepath.Join(r.dir, "summary.md")}
	code, said, set := r.step(t, steps["Run"], env)
	require.Zero(t, code, said)
	if set["exit-code"] != "2" {
		report, err := filepath.Rel(r.dir, set["dir"])
		require.NoError(t, err)
		require.Contains(t, r.read(t, report+"/report.md"), tooLong)
		require.True(t, json.Valid([]byte(r.read(t, report+"/report.sarif"))))
	}
	code, _ = r.sh(t, steps["Verdict"].Run, map[string]string{"CODE": set["exit-code"]})
	require.Equal(t, set["exit-code"], string(rune('0'+code)))
	return set["exit-code"]
}
