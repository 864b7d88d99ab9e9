package main

import (
	"errors"
	"os"
	"os/exec"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

func TestMain(m *testing.M) {
	for _, ofTheUser := range []string{
		"PAGER", "SPARKDOCTOR_PAGER", "FORCE_HYPERLINK", "TERM_PROGRAM", "VTE_VERSION", "KITTY_WINDOW_ID", "WT_SESSION", "DOMTERM",
	} {
		_ = os.Unsetenv(ofTheUser) // which must not decide about a test
	}
	testscript.Main(m, map[string]func(){"kubectl-sparkdoctor": main})
}

// TestScript runs testdata/script: arguments in, stdout, stderr and exit code out. With UPDATE_SCRIPTS=1 the files that cmp
// compares are written again; read them before you keep them.
func TestScript(t *testing.T) {
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata/script",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		UpdateScripts:       os.Getenv("UPDATE_SCRIPTS") != "",
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"exits": exits, "generate": generate, "atmost": atMost, "cmpscreen": cmpScreen, "cluster": clusters(t),
		},
		Setup: func(e *testscript.Env) error {
			e.Setenv("KUBECONFIG", e.WorkDir+"/kubeconfig")
			return nil
		},
	})
}

// clusters are what API servers of this test show, by name: "cluster namespace-user" makes $KUBECONFIG lead there.
func clusters(t *testing.T) func(*testscript.TestScript, bool, []string) {
	t.Helper()
	servers := map[string]*apiServer{"namespace-user": namespaceUser(t), "full-status": prunable(t)}
	return func(ts *testscript.TestScript, neg bool, args []string) {
		if neg || len(args) != 1 || servers[args[0]] == nil {
			ts.Fatalf("usage: cluster namespace-user|full-status")
		}
		s := servers[args[0]]
		ts.Check(os.WriteFile(ts.Getenv("KUBECONFIG"), []byte(s.config("")), 0o600))
		ts.Setenv("SERVER", s.URL)
	}
}

// exits runs a command that must end with a code: "exits 2 kubectl-sparkdoctor scan --no-such-flag".
func exits(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) < 2 {
		ts.Fatalf("usage: exits CODE COMMAND [ARG ...]")
	}
	want, err := strconv.Atoi(args[0])
	ts.Check(err)
	got := 0
	err = ts.Exec(args[1], args[2:]...)
	if exit := new(exec.ExitError); errors.As(err, &exit) {
		got = exit.ExitCode()
	} else {
		ts.Check(err)
	}
	if got != want {
		ts.Fatalf("exit code %d, want %d", got, want)
	}
}

// cmpScreen compares what a command wrote with a file, but for how many checks there are, which each new one changes.
func cmpScreen(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: cmpscreen stdout|FILE FILE")
	}
	if got, want := withoutCounts(ts.ReadFile(args[0])), ts.ReadFile(args[1]); got != want {
		ts.Fatalf("%s differs from %s:\n%s", args[0], args[1], got)
	}
}

var countOfChecks = regexp.MustCompile(`\d+( passed| partially| skipped| not applicable| checks need)`)

// withoutCounts writes N for how many checks passed, were skipped, or need more.
func withoutCounts(text string) string { return countOfChecks.ReplaceAllString(text, "N$1") }

// atMost counts the lines of a file, or of its last block, the lines behind the last empty one: "atmost 12 lastblock FILE".
func atMost(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 || args[1] != "lines" && args[1] != "lastblock" {
		ts.Fatalf("usage: atmost N lines|lastblock FILE")
	}
	most, err := strconv.Atoi(args[0])
	ts.Check(err)
	text := strings.TrimSuffix(ts.ReadFile(args[2]), "\n")
	if args[1] == "lastblock" {
		text = text[strings.LastIndex(text, "\n\n")+2:]
	}
	if n := strings.Count(text, "\n") + 1; n > most || text == "" {
		ts.Fatalf("%d lines, at most %d are meant:\n%s", n, most, text)
	}
}
