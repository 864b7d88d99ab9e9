package situations

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// commands runs in a shell what why and scan print of a situation, while it lasts.
type commands struct {
	binary string
	env    []string
	tried  int
}

func newCommands(t *testing.T, b Bed) *commands {
	t.Helper()
	dir := t.TempDir()
	require.NoError(t, os.Symlink(b.Binary, filepath.Join(dir, "kubectl-sparkdoctor")))
	require.NoError(t, os.Symlink(b.Cluster.Kubectl(), filepath.Join(dir, "kubectl")))
	config, err := b.Cluster.Kubeconfig("admin")
	require.NoError(t, err)
	return &commands{binary: b.Binary, env: append(os.Environ(), "HOME="+dir, "KUBECONFIG="+config,
		"PATH="+dir+string(os.PathListSeparator)+os.Getenv("PATH"))}
}

// try runs each printed command once, and says which fail. Executors come and go: a command that fails and would not be printed any more
// was overtaken by that.
func (c *commands) try(ctx context.Context, situation string) error {
	printed, err := c.printed(ctx, situation)
	if err != nil {
		return err
	}
	var failed error
	for _, line := range printed {
		err := c.run(ctx, situation, line)
		if err == nil {
			continue
		}
		if now, failing := c.printed(ctx, situation); failing == nil && strings.Contains(line, "-exec-") && !slices.Contains(now, line) {
			continue
		}
		failed = errors.Join(failed, err)
	}
	return failed
}

// printed are the commands of the verdicts of why and scan, each once.
func (c *commands) printed(ctx context.Context, situation string) ([]string, error) {
	var printed []string
	for _, args := range [][]string{
		{"why", "etl", "-n", situation, "-o", "json"},
		{"scan", "-n", situation, "-o", "json", "--confirm-after", "0s", "--stuck-after", "1m", "--new-after", "1m"},
	} {
		var said struct {
			Verdict struct {
				Next  []struct{ Command string }
				Roots []struct{ Next []struct{ Command string } }
			}
		}
		out, _ := c.command(ctx, c.binary, args...).Output() // the exit code tells what was found
		if len(out) == 0 {
			continue // not about one application
		}
		if err := json.Unmarshal(out, &said); err != nil {
			return nil, fmt.Errorf("decoding what %s says of %s: %w", args[0], situation, err)
		}
		for _, root := range said.Verdict.Roots {
			said.Verdict.Next = append(said.Verdict.Next, root.Next...)
		}
		for _, next := range said.Verdict.Next {
			if next.Command != "" && !slices.Contains(printed, next.Command) {
				printed = append(printed, next.Command)
			}
		}
	}
	return printed, nil
}

// run runs a line in a shell. What would change the cluster is only asked of the server, and what never ends is ended.
func (c *commands) run(ctx context.Context, situation, line string) error {
	const endless = 3 * time.Second
	limit, asked := time.Minute, line
	switch {
	case strings.HasPrefix(line, "kubectl sparkdoctor fix "):
		asked += " --dry-run=server --confirm-after 0s"
	case changes(line):
		asked += " --dry-run=server"
	case strings.HasSuffix(line, " -w"):
		limit = endless
	case strings.Contains(line, " exec "): // the images of the test bed have no jstack
		return nil
	case strings.HasPrefix(line, "helm "): // the operator of the test bed is no release of Helm
		return nil
	case situation == "node-lost" && strings.Contains(line, " logs "): // its kubelet, which has them, is what is lost
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, limit)
	defer cancel()
	c.tried++
	out, err := c.command(ctx, "sh", "-c", "exec "+asked).CombinedOutput() // the shell itself is what is ended
	var exit *exec.ExitError
	found := strings.HasPrefix(line, "kubectl sparkdoctor ") && errors.As(err, &exit) && slices.Contains([]int{1, 3}, exit.ExitCode())
	// A kubelet without room on its disk may have removed ended containers (pkg/kubelet/eviction/helpers.go of kubernetes@v1.36.3).
	removed := situation == "node-disk-pressure" && strings.HasSuffix(line, " --previous") &&
		strings.Contains(string(out), "previous terminated container ")
	if err == nil || found || removed || limit == endless && ctx.Err() != nil {
		return nil
	}
	return fmt.Errorf("situation %s: what was printed fails: %s: %w: %s", situation, asked, err, out)
}

// changes reports whether a printed line writes.
func changes(line string) bool {
	return slices.ContainsFunc(strings.Fields(line), func(word string) bool {
		return slices.Contains([]string{"delete", "patch", "label", "annotate", "scale", "create", "fix"}, word)
	})
}

func (c *commands) command(ctx context.Context, program string, args ...string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, program, args...) // #nosec G204 -- what the program under test printed, in its own test bed
	cmd.Env, cmd.WaitDelay = c.env, time.Second       // a child of the shell may hold the pipe
	return cmd
}
