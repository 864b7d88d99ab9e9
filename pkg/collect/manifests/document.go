package manifests

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/input"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// document is one object of the input as JSON. JSON is only valid during the call that hands it out.
type document struct {
	JSON     []byte
	Head     head
	Location snapshot.Location
	List     listType // of the list that holds the object, as far as it is known when the object is handed out
	IsList   bool     // the head of a list whose items were handed out before
	depth    int      // of lists around it
}

// listType is what a list says of itself. Items of typed lists ("PodList", as the API server itself answers) may
// lack apiVersion and kind.
type listType struct{ APIVersion, Kind string }

// maxDocument bounds one JSON object, maxYAML one YAML document, whose parser takes up to a hundred times its size.
// etcd's limit for an object is 1.5 MiB, so nothing that came out of a cluster is near them.
const (
	maxDocument = 64 << 20
	maxYAML     = 16 << 20
)

// maxListDepth bounds Lists within Lists. kubectl writes none.
const maxListDepth = 8

// These are reported with the place of the document.
var (
	errItemsTwice   = errors.New("the list has items twice")
	errNoObject     = errors.New("not a Kubernetes object: it has no apiVersion or no kind")
	errTemplate     = &templateError{errors.New("the object's name is a template" + renderFirst), true}
	errInChart      = &templateError{errors.New("the object is a template" + renderFirst), true}
	errNested       = fmt.Errorf("lists within lists are nested more than %d deep", maxListDepth)
	errYAMLTooLarge = fmt.Errorf("a single document is larger than %d MiB; JSON may have %d", maxYAML>>20, maxDocument>>20)
)

// tooLarge is the error for a document that is larger than so many bytes.
type tooLarge int64

func (most tooLarge) Error() string {
	return fmt.Sprintf("a single document is larger than %d MiB", most>>20)
}

// inputError is an error with a place in the input.
type inputError struct {
	loc snapshot.Location
	err error
}

func (e *inputError) Error() string {
	switch {
	case e.loc.Document > 0 && e.loc.Line > 0:
		return fmt.Sprintf("%s: document %d, line %d: %v", e.loc.File, e.loc.Document, e.loc.Line, e.err)
	case e.loc.Line > 0:
		return fmt.Sprintf("%s: line %d: %v", e.loc.File, e.loc.Line, e.err)
	default:
		return fmt.Sprintf("%s: %v", e.loc.File, e.err)
	}
}

func (e *inputError) Unwrap() error { return e.err }

// readDocuments hands every object in r to fn, streaming: YAML documents, JSON values, and the items of Lists in
// either form. It holds one object at a time.
func readDocuments(spent *input.Budget, name string, r io.Reader, fn func(document) error) error {
	in := bufio.NewReaderSize(r, buffered)
	head, err := in.Peek(4 << 10)
	if err != nil && !errors.Is(err, io.EOF) {
		return &inputError{snapshot.Location{File: name}, fmt.Errorf("reading: %w", err)}
	}
	switch {
	case bytes.HasPrefix(head, []byte("\xef\xbb\xbf")):
		_, _ = in.Discard(3)
		head = head[3:]
	case bytes.HasPrefix(head, []byte("\xff\xfe")), bytes.HasPrefix(head, []byte("\xfe\xff")):
		// What > makes of kubectl's output in Windows PowerShell 5.
		return &inputError{snapshot.Location{File: name}, errors.New("is UTF-16 text, save it as UTF-8")}
	case bytes.IndexByte(head, 0) >= 0:
		return &inputError{snapshot.Location{File: name}, errors.New("is a binary file, neither YAML nor JSON")}
	}
	trimmed := bytes.TrimLeft(head, " \t\r\n")
	brackets := bytes.HasPrefix(trimmed, []byte("{")) || bytes.HasPrefix(trimmed, []byte("["))
	if brackets && !flowYAML(trimmed) {
		return readJSON(spent, name, in, fn)
	}
	return readYAML(&yamlReader{spent: spent, name: name, in: in, fn: fn, doc: 1})
}

// flowYAML reports whether the text starts like YAML's own flow style or a template, which JSON does not allow:
// "{a: b}" or "{{ .Values }}".
func flowYAML(head []byte) bool {
	rest := bytes.TrimLeft(head[1:], " \t\r\n")
	if len(rest) == 0 {
		return false
	}
	switch rest[0] {
	case '"', '}', ']', '{', '[', '-', 't', 'f', 'n', '0', '1', '2', '3', '4', '5', '6', '7', '8', '9':
		return head[0] == '{' && rest[0] != '"' && rest[0] != '}'
	}
	return true
}
