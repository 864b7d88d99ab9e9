package manifests

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"net/url"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/collect/await"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// source is one named stream of the input.
type source struct {
	name  string
	named bool   // the user named it, so that it must hold objects; not one of a directory
	chart string // directory of the chart in whose templates it is; empty: in none
	// onDisk says that it can be opened again and holds the same.
	onDisk bool
	open   func(context.Context) (io.ReadCloser, error)
}

// expand turns what the user typed after -f into streams, in a stable order, and says what --exclude leaves out.
func expand(o Options) (out []source, left excluded, err error) {
	of := disk{o.FS}
	if err := exclusion(o.Exclude).check(); err != nil {
		return nil, left, err
	}
	left.by = map[string]bool{}
	for _, path := range o.Paths {
		switch {
		case path == "-":
			out = append(out, source{name: "stdin", named: true, open: func(ctx context.Context) (io.ReadCloser, error) {
				return io.NopCloser(await.Reader(ctx, o.Stdin)), nil
			}})
		case strings.HasPrefix(path, "http://"), strings.HasPrefix(path, "https://"):
			address, err := url.Parse(path)
			if err != nil {
				return nil, left, errors.New("-f has an invalid URL") // the URL may hold a password
			}
			open := func(ctx context.Context) (io.ReadCloser, error) { return get(ctx, address) }
			out = append(out, source{name: shown(address), named: true, open: open})
		default:
			info, err := of.stat(path)
			if err != nil {
				return nil, left, pathError(path, err)
			}
			if !info.IsDir() {
				out = append(out, source{name: path, named: true, chart: of.chartOf(path), onDisk: info.Mode().IsRegular(), open: of.open(path)})
				continue
			}
			files, err := list(of, path, o, &left)
			if err != nil {
				return nil, left, err
			}
			out = append(out, files...)
		}
	}
	return out, left, nil
}

// excluded are the files that --exclude leaves out.
type excluded struct {
	files int
	by    map[string]bool // the patterns that left out any
}

// without are the patterns that left out none.
func (e excluded) without(all []string) []string {
	return slices.DeleteFunc(slices.Clone(all), func(pattern string) bool { return e.by[pattern] })
}

// list lists the files of a directory that kubectl would read, and their compressed forms; with logs, those too. It counts those that are
// left out.
func list(of disk, dir string, o Options, left *excluded) (out []source, err error) {
	before := left.files
	err = of.walk(dir, func(path string, entry fs.DirEntry, err error, top bool) error {
		switch {
		case err != nil:
			return pathError(path, err)
		case entry.IsDir():
			if !top && !o.Recursive {
				return fs.SkipDir
			}
		case !readable(path) && (!o.logs() || !isLog(path)):
		case exclusion(o.Exclude).matches(dir, path):
			left.files++
			for _, pattern := range o.Exclude {
				left.by[pattern] = left.by[pattern] || exclusion{pattern}.matches(dir, path)
			}
		default:
			out = append(out, source{name: path, chart: of.chartOf(path), onDisk: entry.Type().IsRegular(), open: of.open(path)})
		}
		return nil
	})
	hint := map[bool]string{false: " (-R looks into subdirectories)"}[o.Recursive]
	switch {
	case err != nil || len(out) > 0:
	case left.files > before:
		err = fmt.Errorf("%s: --exclude leaves out all files%s", dir, hint)
	default:
		err = fmt.Errorf("%s: the directory holds no .yaml, .yml, .json, .gz or .tgz file%s", dir, hint)
	}
	return out, err
}

func readable(path string) bool {
	return slices.Contains([]string{".yaml", ".yml", ".json", ".gz", ".tgz"}, strings.ToLower(filepath.Ext(path)))
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

// shown is an address as reports name it: without its user, and without the secrets of its query.
func shown(address *url.URL) string {
	plain := *address
	if plain.User != nil {
		plain.User = url.User(snapshot.Redacted)
	}
	text := snapshot.Redact(plain.String())
	return strings.ReplaceAll(text, url.QueryEscape(snapshot.Redacted), snapshot.Redacted)
}

func get(ctx context.Context, address *url.URL) (io.ReadCloser, error) {
	name := shown(address)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, address.String(), nil)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, unwrapURL(err))
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, unwrapURL(err))
	}
	if resp.StatusCode != http.StatusOK {
		_ = resp.Body.Close()
		return nil, fmt.Errorf("%s: the server answered %s", name, resp.Status)
	}
	return resp.Body, nil
}

// unwrapURL leaves out the method and the URL: the message names the URL already.
func unwrapURL(err error) error {
	var u *url.Error
	if errors.As(err, &u) {
		return u.Err
	}
	return err
}
