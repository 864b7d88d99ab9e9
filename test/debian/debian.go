// Package debian installs Debian's packages, and takes the files of installed ones for images. It works on Debian and Ubuntu, as root.
package debian

import (
	"bytes"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"
)

// Install installs the packages that are missing.
func Install(ctx context.Context, log io.Writer, packages ...string) error {
	present, err := installed(ctx)
	if err != nil {
		return err
	}
	missing := slices.DeleteFunc(slices.Clone(packages), func(name string) bool { return present[name] })
	if len(missing) == 0 {
		return nil
	}
	start := time.Now()
	fmt.Fprintln(log, "installing", strings.Join(missing, " "))
	if _, err := output(ctx, "apt-get", "update", "-q"); err != nil {
		return err
	}
	if _, err := output(ctx, "apt-get", append([]string{"install", "-q", "-y", "--no-install-recommends"}, missing...)...); err != nil {
		return err
	}
	fmt.Fprintln(log, "installed", strings.Join(missing, " "), "in", time.Since(start).Round(time.Second))
	return nil
}

// Closure returns installed packages and all that these depend on, sorted.
func Closure(ctx context.Context, packages ...string) ([]string, error) {
	out, err := output(ctx, "apt-cache", append([]string{"depends", "--recurse", "--installed", "--no-recommends", "--no-suggests",
		"--no-conflicts", "--no-breaks", "--no-replaces", "--no-enhances"}, packages...)...)
	if err != nil {
		return nil, err
	}
	installed, err := installed(ctx)
	if err != nil {
		return nil, err
	}
	var all []string
	for line := range strings.Lines(string(out)) {
		// A package begins its line; below it, indented, is what it depends on. Some are alternatives that are not installed.
		if name := strings.TrimSpace(line); !strings.HasPrefix(line, " ") && installed[name] {
			all = append(all, name)
		}
	}
	slices.Sort(all)
	return slices.Compact(all), nil
}

// installed returns the names of the packages that are installed.
func installed(ctx context.Context) (map[string]bool, error) {
	out, err := output(ctx, "dpkg-query", "--show", "--showformat", "${Package} ${db:Status-Status}\n")
	if err != nil {
		return nil, err
	}
	names := map[string]bool{}
	for line := range strings.Lines(string(out)) {
		if name, status, _ := strings.Cut(strings.TrimSpace(line), " "); status == "installed" {
			names[name] = true
		}
	}
	return names, nil
}

// Files returns the paths of packages' files and symbolic links, without directories, and without documentation and translations.
func Files(ctx context.Context, packages ...string) ([]string, error) {
	out, err := output(ctx, "dpkg-query", append([]string{"--listfiles"}, packages...)...)
	if err != nil {
		return nil, err
	}
	var files []string
	for line := range strings.Lines(string(out)) {
		path := strings.TrimSpace(line)
		if !strings.HasPrefix(path, "/") || unneeded(path) {
			continue
		}
		if info, err := os.Lstat(path); err == nil && !info.IsDir() {
			files = append(files, path)
		}
	}
	slices.Sort(files)
	return slices.Compact(files), nil
}

func unneeded(path string) bool {
	for _, dir := range []string{"/usr/share/doc/", "/usr/share/man/", "/usr/share/locale/", "/usr/share/lintian/", "/usr/share/bug/",
		"/usr/share/perl", "/usr/lib/x86_64-linux-gnu/perl", "/usr/share/i18n/", "/usr/share/zoneinfo/", "/var/"} {
		if strings.HasPrefix(path, dir) {
			return true
		}
	}
	return false
}

func output(ctx context.Context, name string, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(ctx, name, args...)
	cmd.Env = append(os.Environ(), "DEBIAN_FRONTEND=noninteractive", "LC_ALL=C")
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	if err := cmd.Run(); err != nil {
		return nil, fmt.Errorf("running %s: %w\n%s", name, err, stderr.Bytes())
	}
	return stdout.Bytes(), nil
}
