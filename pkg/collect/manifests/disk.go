package manifests

import (
	"context"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/input"
)

// disk is where the paths of files lead.
type disk struct{ fs.FS } // nil: to those of this machine

func (d disk) stat(path string) (fs.FileInfo, error) {
	if d.FS != nil {
		return fs.Stat(d.FS, path)
	}
	return os.Stat(path)
}

// join is for paths of the disk: those of an fs.FS have slashes.
func (d disk) join(dir, name string) string {
	if d.FS != nil {
		return path.Join(dir, name)
	}
	return filepath.Join(dir, name)
}

// walk visits a directory. A link to one is followed, as it was named.
func (d disk) walk(dir string, visit func(path string, entry fs.DirEntry, err error, top bool) error) error {
	root := dir
	if d.FS == nil {
		root += string(filepath.Separator)
	}
	each := func(path string, entry fs.DirEntry, err error) error { return visit(path, entry, err, path == root) }
	if d.FS != nil {
		return fs.WalkDir(d.FS, root, each)
	}
	return filepath.WalkDir(root, each)
}

func (d disk) open(path string) func(context.Context) (io.ReadCloser, error) {
	return func(ctx context.Context) (io.ReadCloser, error) {
		var f io.ReadCloser
		var err error
		if d.FS != nil {
			f, err = d.Open(path)
		} else {
			f, err = input.Open(ctx, path)
		}
		return f, pathError(path, err)
	}
}

// text is that of a small regular file; nil: there is none, or it is too large.
func (d disk) text(path string) []byte {
	info, err := d.stat(path)
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxYAML {
		return nil
	}
	var text []byte
	if d.FS != nil {
		text, _ = fs.ReadFile(d.FS, path)
	} else {
		text, _ = os.ReadFile(path) // #nosec G304 -- what the user named
	}
	return text
}
