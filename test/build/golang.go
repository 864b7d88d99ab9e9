package build

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"time"
)

// moduleDir downloads a module, verified like any other, and returns where it lies.
func moduleDir(ctx context.Context, dir, module string) (string, error) {
	out, err := run(ctx, dir, "mod", "download", "-json", module)
	if err != nil {
		return "", err
	}
	var got struct{ Dir, Error string }
	if err := json.Unmarshal(out, &got); err != nil {
		return "", fmt.Errorf("decoding the download of %s: %w", module, err)
	}
	if got.Error != "" {
		return "", fmt.Errorf("downloading %s: %s", module, got.Error)
	}
	return got.Dir, nil
}

// Local builds a program of this module; the go command's own cache makes that quick. The same sources make the same program, whatever
// their commit and directory are, so that an image of it need not be made again. It is linked at one place and copied from there: the go
// command leaves a program that is current, and linking one for each test takes seconds.
func (b *Builder) Local(ctx context.Context, pkg, output string) error {
	kept := filepath.Join(b.Dir, "local", filepath.Base(pkg))
	for _, dir := range []string{filepath.Dir(kept), filepath.Dir(output)} {
		if err := os.MkdirAll(dir, 0o755); err != nil {
			return fmt.Errorf("creating a directory for %s: %w", pkg, err)
		}
	}
	unlock, err := lock(ctx, kept+".lock")
	if err != nil {
		return err
	}
	defer unlock()
	start := time.Now()
	if _, err := run(ctx, "", "build", "-buildvcs=false", "-trimpath", "-ldflags=-s -w", "-o", kept, pkg); err != nil {
		return fmt.Errorf("building %s: %w", pkg, err)
	}
	if took := time.Since(start); took > 5*time.Second {
		fmt.Fprintf(b.Log, "built %s in %s\n", pkg, took.Round(time.Second))
	}
	if err := copyProgram(kept, output); err != nil {
		return fmt.Errorf("copying %s: %w", pkg, err)
	}
	return nil
}

// copyProgram replaces a program, which may be running, by a copy of another.
func copyProgram(from, to string) error {
	text, err := os.ReadFile(from)
	if err != nil {
		return err
	}
	if err := os.WriteFile(to+".new", text, 0o755); err != nil {
		return err
	}
	return os.Rename(to+".new", to)
}

// run runs the go command. CGO is off so that no C compiler is needed and every machine builds the same.
func run(ctx context.Context, dir string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, "go", args...)
	cmd.Dir = dir
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0", "GOFLAGS=", "GOWORK=off")
	var out, errout bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &errout
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("running go %s: %w\n%s", args[0], err, tail(errout.Bytes(), 4096))
	}
	return out.Bytes(), nil
}

func tail(text []byte, n int) []byte {
	return text[max(0, len(text)-n):]
}
