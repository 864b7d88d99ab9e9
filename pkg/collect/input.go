package collect

import (
	"archive/tar"
	"bufio"
	"bytes"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// source is one named stream of the input.
type source struct {
	name  string
	named bool // the user named it, so that it must hold objects; not one of a directory
	open  func(context.Context) (io.ReadCloser, error)
}

// expand turns what the user typed after -f into streams, in a stable order.
func expand(paths []string, recursive bool, stdin io.Reader) ([]source, error) {
	var out []source
	for _, path := range paths {
		switch {
		case path == "-":
			out = append(out, source{"-", true, func(context.Context) (io.ReadCloser, error) { return io.NopCloser(stdin), nil }})
		case strings.HasPrefix(path, "http://"), strings.HasPrefix(path, "https://"):
			out = append(out, source{path, true, func(ctx context.Context) (io.ReadCloser, error) { return get(ctx, path) }})
		default:
			info, err := os.Stat(path)
			if err != nil {
				return nil, pathError(path, err)
			}
			if !info.IsDir() {
				out = append(out, source{path, true, openFile(path)})
				continue
			}
			files, err := walk(path, recursive)
			if err != nil {
				return nil, err
			}
			out = append(out, files...)
		}
	}
	return out, nil
}

// walk lists the files of a directory that kubectl would read, and their compressed forms.
func walk(dir string, recursive bool) ([]source, error) {
	var out []source
	err := filepath.WalkDir(dir, func(path string, entry fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return pathError(path, err)
		case entry.IsDir() && path != dir && !recursive:
			return fs.SkipDir
		case !entry.IsDir() && readable(path):
			out = append(out, source{path, false, openFile(path)})
		}
		return nil
	})
	if err == nil && len(out) == 0 {
		err = fmt.Errorf("%s: the directory holds no .yaml, .yml, .json, .gz or .tgz file%s", dir, map[bool]string{false: " (-R looks into subdirectories)"}[recursive])
	}
	return out, err
}

func readable(path string) bool {
	return slices.Contains([]string{".yaml", ".yml", ".json", ".gz", ".tgz"}, strings.ToLower(filepath.Ext(path)))
}

func openFile(path string) func(context.Context) (io.ReadCloser, error) {
	return func(context.Context) (io.ReadCloser, error) {
		f, err := os.Open(path)
		return f, pathError(path, err)
	}
}

// pathError says "path: no such file or directory" without the name of the system call.
func pathError(path string, err error) error {
	var pe *fs.PathError
	if errors.As(err, &pe) {
		err = pe.Err
	}
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", path, err)
}

func get(ctx context.Context, url string) (io.ReadCloser, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, url, nil)
	if err != nil {
		return nil, err
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, fmt.Errorf("reading %s: %w", url, err)
	}
	if resp.StatusCode != http.StatusOK {
		_ = resp.Body.Close()
		return nil, fmt.Errorf("%s: server answered %s", url, resp.Status)
	}
	return resp.Body, nil
}

// unpack looks at the first bytes of a stream and calls fn for it, or, if it is compressed or an archive, for what
// is in it. It returns how often fn was called.
func unpack(name string, r io.Reader, fn func(name string, r io.Reader) error) (int, error) {
	in := bufio.NewReaderSize(r, 64<<10)
	head, _ := in.Peek(512)
	switch {
	case bytes.HasPrefix(head, []byte("\x1f\x8b")):
		z, err := gzip.NewReader(in)
		if err != nil {
			return 0, fmt.Errorf("%s: not valid gzip: %w", name, err)
		}
		n, err := unpack(name, z, fn)
		if errors.Is(err, gzip.ErrChecksum) || errors.Is(err, gzip.ErrHeader) || errors.Is(err, io.ErrUnexpectedEOF) {
			err = fmt.Errorf("%s: not valid gzip: %w", name, err)
		}
		return n, err
	case len(head) > 262 && string(head[257:262]) == "ustar":
		return untar(name, in, fn)
	default:
		return 1, fn(name, in)
	}
}

func untar(name string, in io.Reader, fn func(string, io.Reader) error) (int, error) {
	total := 0
	for t := tar.NewReader(in); ; {
		header, err := t.Next()
		if errors.Is(err, io.EOF) {
			return total, nil
		}
		if err != nil {
			return total, fmt.Errorf("%s: not a valid tar archive: %w", name, err)
		}
		if header.Typeflag != tar.TypeReg || !readable(header.Name) {
			continue
		}
		n, err := unpack(name+"/"+header.Name, t, fn)
		if total += n; err != nil {
			return total, err
		}
	}
}
