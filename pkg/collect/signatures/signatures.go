// Package signatures reads the files of signatures of logs that a team has beside the built-in ones.
package signatures

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/input"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/catalog"
)

// Read reads signatures from files, and from the YAML files of directories in the order of their names.
func Read(ctx context.Context, paths ...string) (*catalog.Set, error) {
	var files []catalog.File
	for _, path := range paths {
		names, err := filesOf(path)
		if err != nil {
			return nil, fmt.Errorf("signatures: %w", err)
		}
		for _, name := range names {
			text, err := readAtMost(ctx, name, catalog.MaxFile+1)
			if err != nil {
				return nil, fmt.Errorf("signatures: %w", err)
			}
			files = append(files, catalog.File{Name: name, Text: text})
		}
	}
	return catalog.Own(files...)
}

func filesOf(path string) ([]string, error) {
	info, err := os.Stat(path)
	if err != nil || !info.IsDir() {
		return []string{path}, err
	}
	entries, err := os.ReadDir(path)
	if err != nil {
		return nil, err
	}
	var out []string
	for _, entry := range entries {
		if ext := filepath.Ext(entry.Name()); !entry.IsDir() && (ext == ".yaml" || ext == ".yml") {
			out = append(out, filepath.Join(path, entry.Name()))
		}
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("%s has no *.yaml or *.yml", path)
	}
	return out, nil
}

func readAtMost(ctx context.Context, path string, most int64) ([]byte, error) {
	f, err := input.Open(ctx, path)
	if err != nil {
		return nil, err
	}
	defer f.Close() //nolint:errcheck // read only
	return io.ReadAll(io.LimitReader(f, most))
}
