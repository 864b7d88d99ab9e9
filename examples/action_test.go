package examples_test

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// stubs are programs on PATH that write down how they were called, an argument a line, and then run a script of the test.
func stubs(t *testing.T, scripts map[string]string) (r repository, calls func() string) {
	t.Helper()
	bin, log := t.TempDir(), filepath.Join(t.TempDir(), "calls")
	for name, script := range scripts {
		text := "#!/bin/bash\n{ printf '%s' " + name + "; printf ' <%s>' \"$@\"; echo; } >> '" + log + "'\n" + script + "\n"
		require.NoError(t, os.WriteFile(filepath.Join(bin, name), []byte(text), 0o700)) // #nosec G306 -- it is run
	}
	return repository{t.TempDir(), bin + string(os.PathListSeparator) + os.Getenv("PATH")}, func() string {
		text, err := os.ReadFile(log) // #nosec G304 -- a test
		if !os.IsNotExist(err) {
			require.NoError(t, err)
		}
		require.NoError(t, os.RemoveAll(log))
		return string(text)
	}
}

// step runs a step of the action as the runner does, and returns its exit code, what it printed and the outputs that it set.
func (r repository) step(t *testing.T, s step, env map[string]string) (code int, said string, outputs map[string]string) {
	t.Helper()
	require.NotEmpty(t, s.Run)
	file := filepath.Join(t.TempDir(), "output")
	all := map[string]string{"GITHUB_OUTPUT": file, "GITHUB_WORKFLOW": "spark", "GITHUB_JOB": "doctor"}
	for name, value := range env {
		all[name] = value
	}
	code, said = r.sh(t, s.Run, all)
	text, err := os.ReadFile(file) // #nosec G304 -- a test
	if !os.IsNotExist(err) {
		require.NoError(t, err)
	}
	outputs = map[string]string{}
	for line := range strings.Lines(string(text)) {
		name, value, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "=")
		outputs[name] = value
	}
	return code, said, outputs
}

func actionSteps(t *testing.T) map[string]step {
	t.Helper()
	var a action
	parse(t, "../action.yml", &a)
	out := map[string]step{}
	for _, s := range a.Runs.Steps {
		out[s.Name] = s
	}
	return out
}

// TestActionPassesArguments holds that every line of args arrives, and that nothing in it is more than an argument.
func TestActionPassesArguments(t *testing.T) {
	run := actionSteps(t)["Run"]
	r, calls := stubs(t, map[string]string{"kubectl-sparkdoctor": "exit 3"})
	require.NoError(t, os.WriteFile(filepath.Join(r.dir, "any.yaml"), nil, 0o600))
	for args, want := range map[string]string{
		"":             "<scan>",
		"-f a.yaml -R": "<scan> <-f> <a.yaml> <-R>",
		"-f a.yaml\n-f b.yaml\n\n  --fail-on\twarning\n": "<scan> <-f> <a.yaml> <-f> <b.yaml> <--fail-on> <warning>",
		"-f *.yaml ~ $HOME": "<scan> <-f> <*.yaml> <~> <$HOME>",
		"x; touch ran && `touch ran` $(touch ran) | 'a b' \"c": "<scan> <x;> <touch> <ran> <&&> <`touch> <ran`> <$(touch> <ran)> <|> <'a> <b'> " +
			"<\"c>",
	} {
		code, said, set := r.step(t, run, map[string]string{"COMMAND": "scan", "ARGS": args, "TEMP": r.dir})
		require.Zero(t, code, said)
		require.Equal(t, "3", set["exit-code"])
		require.Equal(t, "kubectl-sparkdoctor "+want+" <-o> <github> <-o> <sarif="+set["dir"]+"/report.sarif> <-o> <markdown="+set["dir"]+
			"/report.md>\n", calls())
		require.NoFileExists(t, filepath.Join(r.dir, "ran"))
	}
}

// TestActionTellsUsesApart holds the key by which files, comments and uploads of one use are told from those of another.
func TestActionTellsUsesApart(t *testing.T) {
	run := actionSteps(t)["Run"]
	r, _ := stubs(t, map[string]string{"kubectl-sparkdoctor": ""})
	key := func(env ...string) string {
		all := map[string]string{"COMMAND": "scan", "ARGS": "-f a", "TEMP": r.dir}
		for i := 0; i < len(env); i += 2 {
			all[env[i]] = env[i+1]
		}
		_, _, set := r.step(t, run, all)
		require.Regexp(t, `^[A-Za-z0-9._-]+$`, set["key"])
		require.NotContains(t, set["key"], "--", "it ends no comment of HTML")
		return set["key"]
	}
	require.Equal(t, key(), key(), "the next push finds it again")
	seen := map[string]bool{}
	for _, env := range [][]string{
		{}, {"ARGS", "-f b"}, {"COMMAND", "gate --to 2.5.2"}, {"GITHUB_JOB", "other"}, {"GITHUB_WORKFLOW", "other"}, {"ID", "east"},
		{"ID", "west"},
		{"ID", "east", "GITHUB_JOB", "other"}, {"ID", "-->"}, {"ID", "x\" or .id == 1 #"},
	} {
		require.False(t, seen[key(env...)], env)
		seen[key(env...)] = true
	}
	require.Equal(t, key("ID", "east"), key("ID", "east", "ARGS", "-f b"), "an id outlives other arguments")
}

// TestActionReadsTheBaseBranch holds that a pull request cannot bring the configuration by which it is judged.
func TestActionReadsTheBaseBranch(t *testing.T) {
	steps := actionSteps(t)
	base := func(t *testing.T, gh string) (repository, func() string, int, string, map[string]string) {
		r, calls := stubs(t, map[string]string{"gh": gh, "kubectl-sparkdoctor": ""})
		require.NoError(t, os.WriteFile(filepath.Join(r.dir, ".sparkdoctor.yaml"), []byte("failOn: none\n"), 0o600))
		code, said, set := r.step(t, steps["Configuration of the base branch"],
			map[string]string{"REPOSITORY": "acme/jobs", "BASE": "0123abc", "CONFIG": ".sparkdoctor.yaml", "FILE": filepath.Join(r.dir, "base.yaml"),
				"GH_TOKEN": "t"})
		return r, calls, code, said, set
	}
	runs := func(t *testing.T, r repository, calls func() string, file string) {
		calls()
		_, _, _ = r.step(t, steps["Run"], map[string]string{"COMMAND": "gate --to 2.5.2", "ARGS": "-f a", "TEMP": r.dir,
			"CONFIG": ".sparkdoctor.yaml", "BASE_CONFIG": file})
		want := file
		if want == "" {
			want = ".sparkdoctor.yaml"
		}
		require.Contains(t, calls(), "kubectl-sparkdoctor <gate> <--config> <"+want+"> <--to> <2.5.2> <-f> <a> <-o>")
	}
	t.Run("it has one", func(t *testing.T) {
		r, calls, code, said, set := base(t, "echo 'failOn: warning'")
		require.Zero(t, code, said)
		require.Equal(t, "gh <api> <--method> <GET> <--header> <Accept: application/vnd.github.raw+json> "+
			"<repos/acme/jobs/contents/.sparkdoctor.yaml> <--raw-field> <ref=0123abc>\n", calls())
		require.Equal(t, "failOn: warning\n", r.read(t, "base.yaml"))
		runs(t, r, calls, set["file"])
	})
	t.Run("it has none", func(t *testing.T) {
		r, calls, code, said, set := base(t, "echo '{\"message\":\"Not Found\"}'; echo 'gh: Not Found (HTTP 404)' >&2; exit 1")
		require.Zero(t, code, said)
		require.Equal(t, "{apiVersion: sparkdoctor.io/v1alpha1, kind: Config}\n", r.read(t, "base.yaml"),
			"that of the pull request does not count")
		runs(t, r, calls, set["file"])
	})
	t.Run("it cannot be read", func(t *testing.T) {
		_, _, code, said, set := base(t, "echo '::set-output name=x::y (HTTP 403)' >&2; exit 1")
		require.Equal(t, 2, code, said)
		require.Empty(t, set)
		require.Contains(t, said, "gh: ::set-output", "what a server says is no command of the workflow")
	})
	t.Run("no pull request", func(t *testing.T) {
		r, calls, _, _, _ := base(t, "")
		runs(t, r, calls, "")
	})
}

// TestActionComments holds that it writes one comment of its own, and over nobody else's.
func TestActionComments(t *testing.T) {
	comment := actionSteps(t)["Comment"]
	const list = `if [ "$2" = --paginate ]; then jq -r "${@: -1}" <<< "$COMMENTS"; fi`
	for name, c := range map[string]struct{ comments, gh, want, said string }{
		"the first": {`[]`, list, "<POST> <repos/acme/jobs/issues/7/comments>", ""},
		"the second": {`[{"id":5,"user":{"login":"github-actions[bot]"},"body":"<!-- sparkdoctor:scan-1 -->\nold"},{"id":6,"user":{"login":"github-actions[bot]"},"body":"<!-- sparkdoctor:scan-1 -->\nolder"}]`,
			list, "<PATCH> <repos/acme/jobs/issues/comments/5>", ""},
		"of others": {`[{"id":1,"user":{"login":"github-actions[bot]"},"body":"lint: fine"},{"id":2,"user":{"login":"github-actions[bot]"},"body":"<!-- sparkdoctor:scan-12 -->\nanother use"},
			{"id":3,"user":{"login":"mallory"},"body":"<!-- sparkdoctor:scan-1 -->\nmine"},{"id":4,"user":{"login":"github-actions[bot]"},"body":"quoted:\n<!-- sparkdoctor:scan-1 -->"}]`,
			list, "<POST> <repos/acme/jobs/issues/7/comments>", ""},
		"a token that only reads": {`[]`, list + `; [ "$2" = --paginate ] || { echo "gh: Resource not accessible by integration (HTTP 403)" >&2; exit 1; }`,
			"<POST> <repos/acme/jobs/issues/7/comments>", "::notice title=sparkdoctor::No comment"},
		"an API that is down": {`[]`, `echo '::error::no' >&2; exit 1`, "", "::notice title=sparkdoctor::No comment"},
	} {
		t.Run(name, func(t *testing.T) {
			r, calls := stubs(t, map[string]string{"gh": c.gh})
			require.NoError(t, os.WriteFile(filepath.Join(r.dir, "report.md"), []byte("# NO-GO `$(touch ran)` 'x' \"y\"\n"), 0o600))
			code, said, _ := r.step(t, comment, map[string]string{"REPOSITORY": "acme/jobs", "NUMBER": "7", "KEY": "scan-1", "DIR": r.dir,
				"COMMENTS": c.comments})
			require.Zero(t, code, "the verdict is still to come: %s", said)
			called := calls()
			require.Contains(t, called, "gh <api> <--paginate> <repos/acme/jobs/issues/7/comments?per_page=100>")
			if c.want == "" {
				require.NotContains(t, called, "body=")
			} else {
				require.True(t, strings.HasSuffix(called, "\ngh <api> <--method> "+c.want+" <--field> <body=@"+r.dir+"/comment.md>\n"), called)
			}
			require.Equal(t, "<!-- sparkdoctor:scan-1 -->\n# NO-GO `$(touch ran)` 'x' \"y\"\n", r.read(t, "comment.md"))
			require.NoFileExists(t, filepath.Join(r.dir, "ran"))
			if c.said == "" {
				require.Empty(t, said)
			} else {
				require.Contains(t, said, c.said)
				require.NotContains(t, said, "\n::error::", "what a server says is no command of the workflow")
			}
		})
	}
}

// TestActionInstalls has curl bring a release from a directory: its signature and its sum decide.
func TestActionInstalls(t *testing.T) {
	install := actionSteps(t)["Install"]
	release := t.TempDir()
	r, calls := stubs(t, map[string]string{"curl": `cp "$RELEASE/${@: -1}" . 2> /dev/null || cp "$RELEASE/$(basename "${@: -1}")" .`, "cosign": `exit "${SIGNATURE:-0}"`})
	code, said := r.sh(t, `cd "$RELEASE" && echo program > kubectl-sparkdoctor && tar -czf kubectl-sparkdoctor_v1.2.3_linux_arm64.tar.gz kubectl-sparkdoctor &&
		cp kubectl-sparkdoctor_v1.2.3_linux_arm64.tar.gz another.tar.gz && sha256sum *.tar.gz > checksums.txt && echo '{}' > checksums.txt.sigstore.json && rm kubectl-sparkdoctor`, map[string]string{"RELEASE": release})
	require.Zero(t, code, said)
	env := map[string]string{"RELEASE": release, "VERSION": "v1.2.3", "SYSTEM": "Linux", "ARCH": "ARM64", "DIR": filepath.Join(r.dir, "tool"),
		"GITHUB_PATH": filepath.Join(r.dir, "path")}
	code, said = r.sh(t, install.Run, env)
	require.Zero(t, code, said)
	require.Equal(t, "program\n", r.read(t, "tool/kubectl-sparkdoctor"))
	require.Equal(t, env["DIR"]+"\n", r.read(t, "path"))
	called := calls()
	require.Contains(t, called, "cosign <verify-blob> <checksums.txt> <--bundle> <checksums.txt.sigstore.json> <--certificate-oidc-issuer> "+
		"<https://token.actions.githubusercontent.com>"+
		" <--certificate-identity> <https://github.com/sparkdoctor/kubectl-sparkdoctor/.github/workflows/release.yml@refs/tags/v1.2.3>\n")
	require.Contains(t, called, "<https://github.com/sparkdoctor/kubectl-sparkdoctor/releases/download/v1.2.3/checksums.txt.sigstore.json>")

	fails := func(t *testing.T) {
		t.Helper()
		require.NoError(t, os.RemoveAll(env["GITHUB_PATH"]))
		require.NoError(t, os.RemoveAll(env["DIR"]))
		code, said = r.sh(t, install.Run, env)
		require.NotZero(t, code, said)
		require.NoFileExists(t, env["GITHUB_PATH"], "it is not put on PATH")
		require.NoFileExists(t, filepath.Join(env["DIR"], "kubectl-sparkdoctor"), "nor unpacked")
	}
	env["SIGNATURE"] = "1"
	fails(t)
	env["SIGNATURE"] = "0"
	archive := filepath.Join(release, "kubectl-sparkdoctor_v1.2.3_linux_arm64.tar.gz")
	text, err := os.ReadFile(archive) // #nosec G304 -- a test
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(archive, append(bytes.Clone(text), 0), 0o600))
	fails(t)
	require.NoError(t, os.Remove(filepath.Join(release, "checksums.txt.sigstore.json")))
	fails(t)
}
