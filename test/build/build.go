// Package build makes the programs of a test cluster out of Go modules and keeps them in a cache,
// so that only the first run on a machine pays for them.
package build

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Builder builds into Dir and says on Log what it builds and how long that took.
type Builder struct {
	Dir string
	Log io.Writer
}

// New returns a Builder for the directory in SPARKDOCTOR_TESTBED_CACHE, else one under the user's cache.
func New(log io.Writer) (*Builder, error) {
	dir := os.Getenv("SPARKDOCTOR_TESTBED_CACHE")
	if dir == "" {
		base, err := os.UserCacheDir()
		if err != nil {
			return nil, fmt.Errorf("finding the cache directory: %w", err)
		}
		dir = filepath.Join(base, "sparkdoctor-testbed")
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, fmt.Errorf("creating the cache directory: %w", err)
	}
	return &Builder{Dir: dir, Log: log}, nil
}

// recipe is everything that decides what is built; its hash is part of the directory's name.
type recipe struct {
	Name     string
	Module   string
	Version  string
	ModFile  string // go.mod to build with; empty means the module's own
	SumFile  string
	Packages []string
	LDFlags  string
	Rename   map[string]string // program names as go build gives them → as they are called here
	Keep     map[string]string // directories of the module to keep → their names here
	Add      map[string]string `json:",omitempty"` // files to build along with the module, as if they were in it → their text
}

func (r recipe) dir() (string, error) {
	text, err := json.Marshal(r)
	if err != nil {
		return "", fmt.Errorf("hashing the recipe of %s: %w", r.Name, err)
	}
	sum := sha256.Sum256(text)
	return fmt.Sprintf("%s-%s-%s", r.Name, r.Version, hex.EncodeToString(sum[:6])), nil
}

// ensure returns the directory with the programs of a recipe and builds it if it is not there.
// The directory appears by rename, so one that exists is complete.
func (b *Builder) ensure(ctx context.Context, r recipe) (string, error) {
	name, err := r.dir()
	if err != nil {
		return "", err
	}
	final := filepath.Join(b.Dir, name)
	if exists(final) {
		return final, nil
	}
	unlock, err := lock(ctx, final+".lock")
	if err != nil {
		return "", err
	}
	defer unlock()
	if exists(final) {
		return final, nil
	}
	start := time.Now()
	fmt.Fprintf(b.Log, "building %s %s (first time only)\n", r.Name, r.Version)
	work, err := os.MkdirTemp(b.Dir, ".building-")
	if err != nil {
		return "", fmt.Errorf("creating a build directory: %w", err)
	}
	defer os.RemoveAll(work)
	if err := b.make(ctx, r, work); err != nil {
		return "", fmt.Errorf("building %s %s: %w", r.Name, r.Version, err)
	}
	if err := os.Rename(filepath.Join(work, "out"), final); err != nil {
		return "", fmt.Errorf("keeping %s %s: %w", r.Name, r.Version, err)
	}
	fmt.Fprintf(b.Log, "built %s %s in %s\n", r.Name, r.Version, time.Since(start).Round(time.Second))
	return final, nil
}

func (b *Builder) make(ctx context.Context, r recipe, work string) error {
	out := filepath.Join(work, "out")
	if err := os.MkdirAll(out, 0o755); err != nil {
		return err
	}
	from := work
	if r.ModFile != "" {
		if err := os.WriteFile(filepath.Join(work, "go.mod"), []byte(r.ModFile), 0o644); err != nil {
			return err
		}
		if err := os.WriteFile(filepath.Join(work, "go.sum"), []byte(r.SumFile), 0o644); err != nil {
			return err
		}
	}
	module, err := moduleDir(ctx, work, r.Module+"@"+r.Version)
	if err != nil {
		return err
	}
	// A module without pins of ours is built where it lies, with its own go.mod, go.sum and
	// replacements: exactly the dependencies that its authors released it with.
	if r.ModFile == "" {
		from = module
	}
	if len(r.Add) > 0 {
		from = filepath.Join(work, "module")
		if err := copyWith(from, module, r.Add); err != nil {
			return err
		}
	}
	args := []string{"build", "-buildvcs=false", "-mod=readonly", "-ldflags", strings.TrimSpace("-s -w " + r.LDFlags), "-o",
		out + string(filepath.Separator)}
	if _, err := run(ctx, from, append(args, r.Packages...)...); err != nil {
		return err
	}
	for old, name := range r.Rename {
		if err := os.Rename(filepath.Join(out, old), filepath.Join(out, name)); err != nil {
			return err
		}
	}
	for old, name := range r.Keep {
		if err := os.CopyFS(filepath.Join(out, name), os.DirFS(filepath.Join(module, old))); err != nil {
			return err
		}
	}
	return nil
}

// copyWith copies a module and adds files to it.
func copyWith(to, module string, files map[string]string) error {
	if err := os.CopyFS(to, os.DirFS(module)); err != nil {
		return err
	}
	for name, text := range files {
		path := filepath.Join(to, name)
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
			return err
		}
	}
	return nil
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}
