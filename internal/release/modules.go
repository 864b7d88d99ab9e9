package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
)

// program is what a release consists of.
const program = "github.com/sparkdoctor/kubectl-sparkdoctor/cmd/kubectl-sparkdoctor"

// systems are those a release is built for: each compiles other packages in.
func systems() []string { return []string{"linux", "darwin", "windows"} }

// module is one that the program is built from, or the standard library, which has the path "std" as in go's own listings.
type module struct {
	Path, Version, Dir string
	licences           []licence
}

// shipped returns the modules that are compiled into the program on any system, by path.
func shipped(ctx context.Context) ([]module, error) {
	found := map[string]module{}
	for _, system := range systems() {
		out, err := goList(ctx, []string{"GOOS=" + system, "CGO_ENABLED=0"}, "-deps", "-json=Module", program)
		if err != nil {
			return nil, err
		}
		for {
			var p struct {
				Module *struct{ Path, Version, Dir string }
			}
			err := out.Decode(&p)
			if errors.Is(err, io.EOF) {
				break
			}
			if err != nil {
				return nil, fmt.Errorf("reading go list: %w", err)
			}
			if p.Module != nil && p.Module.Version != "" {
				found[p.Module.Path] = module{Path: p.Module.Path, Version: p.Module.Version, Dir: p.Module.Dir}
			}
		}
	}
	found["std"] = module{Path: "std", Version: runtime.Version()}
	rules, err := copied(ctx)
	if err != nil {
		return nil, err
	}
	found[rules.Path] = rules
	modules := make([]module, 0, len(found))
	for _, m := range found {
		modules = append(modules, m)
	}
	slices.SortFunc(modules, func(a, b module) int { return strings.Compare(a.Path, b.Path) })
	return modules, license(ctx, modules)
}

// copied returns the module of whose text the program has a part: pkg/redact/gitleaks.go is made from it, and the licence
// lies beside it.
func copied(ctx context.Context) (module, error) {
	const path = "github.com/zricethezav/gitleaks/v8"
	main, err := exec.CommandContext(ctx, "go", "env", "GOMOD").Output()
	if err != nil {
		return module{}, fmt.Errorf("asking for GOMOD: %w", err)
	}
	root := filepath.Dir(strings.TrimSpace(string(main)))
	out, err := goList(ctx, nil, "-m", "-modfile="+filepath.Join(root, "tools", "gitleaks", "go.mod"), "-json=Path,Version", path)
	if err != nil {
		return module{}, err
	}
	var m module
	if err := out.Decode(&m); err != nil {
		return module{}, fmt.Errorf("reading go list: %w", err)
	}
	m.Dir = filepath.Join(root, "pkg", "redact")
	return m, nil
}

// license reads the licences of modules.
func license(ctx context.Context, modules []module) error {
	for i, m := range modules {
		dir := m.Dir
		if m.Path == "std" {
			root, err := exec.CommandContext(ctx, "go", "env", "GOROOT").Output()
			if err != nil {
				return fmt.Errorf("asking for GOROOT: %w", err)
			}
			dir = strings.TrimSpace(string(root))
		}
		entries, err := os.ReadDir(dir)
		if err != nil {
			return fmt.Errorf("reading module %s: %w", m.Path, err)
		}
		for _, e := range entries {
			if e.IsDir() || !licenceFile.MatchString(e.Name()) {
				continue
			}
			text, err := os.ReadFile(filepath.Join(dir, e.Name())) // #nosec G304 -- in the module cache
			if err != nil {
				return fmt.Errorf("reading a licence of %s: %w", m.Path, err)
			}
			modules[i].licences = append(modules[i].licences, classify(e.Name(), text))
		}
	}
	return nil
}

func goList(ctx context.Context, env []string, args ...string) (*json.Decoder, error) {
	cmd := exec.CommandContext(ctx, "go", append([]string{"list"}, args...)...)
	cmd.Env = append(os.Environ(), env...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("running go list: %w\n%s", err, stderr.String())
	}
	return json.NewDecoder(bytes.NewReader(out)), nil
}
