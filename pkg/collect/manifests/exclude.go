package manifests

import (
	"fmt"
	"path"
	"path/filepath"
	"strings"
)

// exclusion are patterns of files in directories that are not read.
type exclusion []string

// check refuses patterns that cannot match.
func (e exclusion) check() error {
	for _, pattern := range e {
		if _, err := path.Match(pattern, ""); err != nil {
			return fmt.Errorf("--exclude %q is not a valid pattern: * matches within a name, ? one character, [a-z] one of several", pattern)
		}
	}
	return nil
}

// matches reports whether a file below a directory is left out: a pattern matches its path below the directory or its name, or those of a
// directory that it is in.
func (e exclusion) matches(dir, file string) bool {
	below, err := filepath.Rel(dir, file)
	if err != nil {
		return false
	}
	for at := filepath.ToSlash(below); at != "."; at = path.Dir(at) {
		for _, pattern := range e {
			pattern = strings.TrimSuffix(strings.TrimPrefix(pattern, "./"), "/")
			whole, _ := path.Match(pattern, at)
			name, _ := path.Match(pattern, path.Base(at))
			if whole || name {
				return true
			}
		}
	}
	return false
}
