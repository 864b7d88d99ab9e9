package corpus

import (
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"unicode/utf8"

	"github.com/rogpeppe/go-internal/txtar"
	"sigs.k8s.io/yaml"
)

// The folder of the cases that only measure, and that of the cases whose answer is not right yet. The other folders are named for the class
// of their cases.
const (
	sealed = "sealed"
	short  = "short"
)

// Read reads all cases whose answer is to be right.
func Read(fsys fs.FS) ([]Case, error) {
	return read(fsys, "*/*.txtar", func(folder string) bool { return folder != sealed && folder != short })
}

// ReadShort reads the cases whose answer falls short, each of which says by what (Today).
func ReadShort(fsys fs.FS) ([]Case, error) {
	return read(fsys, short+"/*.txtar", func(string) bool { return true })
}

// ReadSealed reads the sealed cases, for tests that check their form or count right answers. No test may print anything of them.
func ReadSealed(fsys fs.FS) ([]Case, error) {
	return read(fsys, sealed+"/*.txtar", func(string) bool { return true })
}

// ReadCase reads the case with a number. It does not find sealed ones.
func ReadCase(fsys fs.FS, number string) (Case, error) {
	found, err := read(fsys, "*/"+number+"-*.txtar", func(folder string) bool { return folder != sealed && folder != short })
	if err != nil {
		return Case{}, err
	}
	if len(found) != 1 {
		return Case{}, fmt.Errorf("%d cases have the number %s", len(found), number)
	}
	return found[0], nil
}

func read(fsys fs.FS, pattern string, wanted func(folder string) bool) ([]Case, error) {
	paths, err := fs.Glob(fsys, pattern)
	if err != nil {
		return nil, err
	}
	var out []Case
	for _, p := range paths {
		if !wanted(path.Dir(p)) {
			continue
		}
		text, err := fs.ReadFile(fsys, p)
		if err != nil {
			return nil, err
		}
		c, err := parse(text)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", p, err)
		}
		c.ID, c.Folder = strings.TrimSuffix(path.Base(p), ".txtar"), path.Dir(p)
		c.Sealed = c.Folder == sealed
		out = append(out, c)
	}
	if len(out) == 0 {
		return nil, fmt.Errorf("no case matches %s", pattern)
	}
	return out, nil
}

// parse reads a case. Every part of a file is read: what the format does not have is an error.
func parse(text []byte) (Case, error) {
	c := Case{Logs: map[string]string{}}
	if !utf8.Valid(text) {
		return c, errors.New("is not UTF-8")
	}
	archive := txtar.Parse(text)
	if len(archive.Comment) > 0 {
		return c, errors.New("has text before its first section")
	}
	seen := map[string]bool{}
	for _, f := range archive.Files {
		if seen[f.Name] {
			return c, fmt.Errorf("has section %s twice", f.Name)
		}
		seen[f.Name] = true
		log, isLog := strings.CutPrefix(f.Name, "logs/")
		switch {
		case f.Name == "case.yaml":
			if err := yaml.UnmarshalStrict(f.Data, &c); err != nil {
				return c, err
			}
		case f.Name == "objects.yaml":
			c.ObjectsYAML = string(f.Data)
		case isLog:
			c.Logs[log] = string(f.Data)
		default:
			return c, fmt.Errorf("has section %s, which no case has", f.Name)
		}
	}
	if !seen["case.yaml"] || !seen["objects.yaml"] {
		return c, errors.New("needs the sections case.yaml and objects.yaml")
	}
	return c, nil
}
