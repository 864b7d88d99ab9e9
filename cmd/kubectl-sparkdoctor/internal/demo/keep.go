package demo

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/examples"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/durable"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/input"
)

// Directory is a path as -f takes it: a flag and standard input begin with a dash.
func Directory(typed string) (string, error) {
	switch {
	case typed == "":
		return "", errors.New("--keep needs a directory")
	case strings.ContainsAny(typed, ",\"\n"):
		return "", fmt.Errorf("--keep %q: -f takes no name with a comma, a quote or a line break", typed)
	}
	dir := filepath.Clean(typed)
	if strings.HasPrefix(dir, "-") {
		dir = "." + string(filepath.Separator) + dir
	}
	return dir, nil
}

// Keep writes the files of the demo into a directory, which it makes, and returns how many they are. It writes over nothing: where
// the directory holds anything else, or a file that was changed, it writes no file at all.
func Keep(ctx context.Context, dir string) (int, error) {
	files, err := contents()
	if err != nil {
		return 0, err
	}
	switch info, err := os.Stat(dir); {
	case errors.Is(err, fs.ErrNotExist):
		if err := os.MkdirAll(dir, 0o750); err != nil {
			return 0, err
		}
	case err != nil:
		return 0, err
	case !info.IsDir():
		return 0, fmt.Errorf("%s is not a directory: nothing was written", dir)
	}
	there, err := os.ReadDir(dir)
	if err != nil {
		return 0, err
	}
	missing := map[string][]byte{}
	for name, content := range files {
		missing[name] = content
	}
	for _, entry := range there {
		if err := ours(ctx, filepath.Join(dir, entry.Name()), entry, files[entry.Name()]); err != nil {
			return 0, err
		}
		delete(missing, entry.Name())
	}
	for name, content := range missing {
		if err := write(filepath.Join(dir, name), content); err != nil {
			return 0, err
		}
	}
	return len(files), nil
}

// contents are the files by name.
func contents() (map[string][]byte, error) {
	list, err := fs.ReadDir(examples.Demo(), examples.DemoFolder)
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	for _, entry := range list {
		if files[entry.Name()], err = fs.ReadFile(examples.Demo(), examples.DemoFolder+"/"+entry.Name()); err != nil {
			return nil, err
		}
	}
	return files, nil
}

// ours fails for an entry of the directory that is not a file of the demo as it was written.
func ours(ctx context.Context, path string, entry fs.DirEntry, content []byte) error {
	const nothing = "nothing was written; name a new or an empty directory"
	if content == nil || !entry.Type().IsRegular() {
		return fmt.Errorf("%s is not a file of the demo: %s", path, nothing)
	}
	got, err := input.ReadFile(ctx, path, nil, int64(len(content)))
	switch {
	case errors.Is(err, input.ErrTooLarge), err == nil && !bytes.Equal(got, content):
		return fmt.Errorf("%s was changed since the demo wrote it: %s", path, nothing)
	default:
		return err
	}
}

// write makes a file that does not exist.
func write(path string, content []byte) error {
	free := func() error {
		if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
			return fmt.Errorf("%s was made by another program meanwhile, and is left as it is", path)
		}
		return nil
	}
	w := durable.Writer{}
	return w.Replace(path, durable.Options{Mode: 0o644, Ready: free}, func(to io.Writer) error {
		_, err := to.Write(content)
		return err
	})
}
