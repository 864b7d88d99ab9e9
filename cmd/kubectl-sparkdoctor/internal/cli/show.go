package cli

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix/plan"
)

// show prints the plan: every fix with its diff, and what is left.
func (w *writer) show(ctx context.Context, p plan.Plan) error {
	external := os.Getenv("KUBECTL_EXTERNAL_DIFF")
	for _, f := range p.Fixes {
		if external != "" {
			if err := w.showExternally(ctx, external, f); err != nil {
				return err
			}
			continue
		}
		text, err := f.Text()
		if err != nil {
			return err
		}
		w.print(text + "\n")
	}
	if len(p.Left) > 0 {
		w.print("left to a person:\n")
	}
	for _, l := range p.Left {
		w.print(l.Text())
	}
	return nil
}

// showExternally runs the user's own diff program on two directories, as kubectl diff does.
func (w *writer) showExternally(ctx context.Context, program string, f plan.Fix) error {
	shown := f
	shown.Steps = nil
	head, err := shown.Text()
	if err != nil {
		return err
	}
	w.print(head)
	dir, err := os.MkdirTemp("", "sparkdoctor-diff-")
	if err != nil {
		return err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	for i, s := range f.Steps {
		before, after, err := s.Sides()
		if err != nil {
			return err
		}
		name := fmt.Sprintf("%d.%s.%s.%s.yaml", i+1, s.Target.Kind, s.Target.Namespace, s.Target.Name)
		for side, text := range map[string]string{"LIVE": before, "FIXED": after} {
			if err := os.MkdirAll(filepath.Join(dir, side), 0o700); err != nil {
				return err
			}
			if err := os.WriteFile(filepath.Join(dir, side, filepath.Base(name)), []byte(text), 0o600); err != nil {
				return err
			}
		}
	}
	words := strings.Fields(program)
	cmd := exec.CommandContext(ctx, words[0], append(words[1:], filepath.Join(dir, "LIVE"), filepath.Join(dir, "FIXED"))...)
	cmd.Stdout, cmd.Stderr = w.streams.Out, w.streams.ErrOut
	var exit *exec.ExitError
	if err := cmd.Run(); err != nil && (!errors.As(err, &exit) || exit.ExitCode() > 1) {
		return fmt.Errorf("KUBECTL_EXTERNAL_DIFF: %w", err)
	}
	return nil
}
