package catalog

import (
	_ "embed" // the schema
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/document"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

//go:embed schema.json
var schema []byte

// Schema returns the JSON schema of a file of signatures.
func Schema() []byte { return slices.Clone(schema) }

const (
	// MaxFile is the size of the largest file of signatures that is read.
	MaxFile = 1 << 20
	// maxOwn is how many signatures all files may have together, and maxAllSteps what their expressions may compile to.
	maxOwn, maxAllSteps = 1000, 100_000
)

// File is a file of signatures that are not part of the program.
type File struct {
	Name string // as people know it
	Text []byte
}

// Own returns the signatures of a team, in the order of its files. They are not trusted as the built-in ones are: none is certain or takes
// an answer away, and their words are text without secrets and control characters. Errors name the file and the line: what the schema
// forbids, an expression that does not compile or would take too long, and an example that its own signature does not fit.
func Own(files ...File) (*Set, error) {
	var all []Signature
	seen, total := map[string]string{}, 0
	for _, file := range files {
		d, list, err := parse(file)
		if err != nil {
			return nil, err
		}
		for i := range list {
			s, at := &list[i], func(err error, key ...string) error {
				return d.ErrorAt(err, append([]string{"signatures", strconv.Itoa(i)}, key...)...)
			}
			if err := s.claims(at); err != nil {
				return nil, err
			}
			if where, twice := seen[s.ID]; twice {
				return nil, at(fmt.Errorf("%s has this id, too", where), "id")
			}
			seen[s.ID] = fmt.Sprintf("%s:%d", file.Name, d.Line("signatures", strconv.Itoa(i), "id"))
			if err := s.check(at); err != nil {
				return nil, err
			}
			if total += s.steps(); len(seen) > maxOwn || total > maxAllSteps {
				return nil, at(fmt.Errorf("too much: at most %d signatures, whose expressions have %d steps, are allowed", maxOwn, maxAllSteps))
			}
			s.File = path.Base(file.Name)
			s.Says = plain(s.Says)
			for k := range s.Next {
				s.Next[k] = plain(s.Next[k])
			}
		}
		all = append(all, list...)
	}
	return newSet(all), nil
}

func parse(file File) (*document.Document, []Signature, error) {
	if len(file.Text) > MaxFile {
		return nil, nil, fmt.Errorf("%s is larger than 1 MiB", file.Name)
	}
	d, err := document.Parse(file.Name, file.Text, schema)
	if err != nil {
		return nil, nil, err
	}
	var f signatures
	return d, f.Signatures, d.Decode(&f)
}

// claims refuses what would let a signature outdo a built-in one: to prove a cause, or to take an answer away.
func (s *Signature) claims(at func(err error, key ...string) error) error {
	switch {
	case s.Certain:
		return at(errors.New("only a built-in signature can prove a cause: leave certain out"), "certain")
	case s.Effect:
		return at(errors.New("only a built-in signature can say that a message explains nothing: leave effect out"), "effect")
	case len(s.Change) > 0:
		return at(errors.New("only a built-in signature can change an application: leave change out, and say it in next"), "change")
	case s.Class == cause.Unknown:
		return at(errors.New("say which kind of cause it is"), "class")
	}
	for i, topic := range s.About {
		if topics()[topic].related {
			return at(fmt.Errorf("only a built-in signature can lead to another cause: leave %s out", topic), "about", strconv.Itoa(i))
		}
	}
	return nil
}

func plain(text string) string { return string(snapshot.PlainLog(text)) }
