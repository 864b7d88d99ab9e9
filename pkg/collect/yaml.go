package collect

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"regexp"
	"strconv"

	"sigs.k8s.io/yaml"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// yamlReader cuts YAML into documents, and a List as kubectl prints it ("items:" with its dashes in column 0) into
// items, by looking at column 0 only: in YAML nothing inside a value can stand there.
type yamlReader struct {
	name  string
	in    *bufio.Reader
	fn    func(document) error
	line  int // lines read
	doc   int // documents started
	chunk []byte
	start int    // line of the first line of chunk
	rest  []byte // what surrounds the items of a list
	items bool   // between "items:" and the next key in column 0
	list  bool   // behind the items of a list
}

func readYAML(name string, in *bufio.Reader, fn func(document) error) error {
	y := &yamlReader{name: name, in: in, fn: fn, doc: 1}
	for {
		line, err := y.readLine()
		if len(line) > 0 {
			if err := y.take(line); err != nil {
				return err
			}
		}
		if errors.Is(err, io.EOF) {
			return y.endDocument()
		}
		if err != nil {
			return y.fail(y.line, err)
		}
	}
}

// readLine returns the next line with its newline, however long it is up to maxDocument.
func (y *yamlReader) readLine() ([]byte, error) {
	y.line++
	line, err := y.in.ReadSlice('\n')
	if !errors.Is(err, bufio.ErrBufferFull) {
		return line, err
	}
	long := bytes.Clone(line)
	for errors.Is(err, bufio.ErrBufferFull) {
		line, err = y.in.ReadSlice('\n')
		if long = append(long, line...); len(long) > maxDocument {
			return nil, errTooLarge
		}
	}
	return long, err
}

func (y *yamlReader) take(line []byte) error {
	if y.line == 1 {
		line = bytes.TrimPrefix(line, []byte("\xef\xbb\xbf"))
	}
	text := bytes.TrimRight(line, " \t\r\n")
	switch {
	case isMarker(text, "---"):
		if err := y.endDocument(); err != nil {
			return err
		}
		line = bytes.TrimPrefix(line, []byte("---"))
		if len(bytes.TrimSpace(line)) == 0 {
			return nil
		}
	case isMarker(text, "..."):
		return y.endDocument()
	case y.items && (bytes.Equal(text, []byte("-")) || bytes.HasPrefix(text, []byte("- "))):
		if err := y.endItem(); err != nil {
			return err
		}
		y.append([]byte{' '})
		line = line[1:]
	case y.items && len(text) > 0 && text[0] != ' ' && text[0] != '#':
		if err := y.endItem(); err != nil {
			return err
		}
		y.items, y.list = false, true
		y.chunk, y.rest = y.rest, nil
	case bytes.Equal(text, []byte("items:")) && !y.items && y.nextIsDash():
		y.items = true
		y.rest, y.chunk = y.chunk, nil
		return nil
	}
	y.append(line)
	if len(y.chunk) > maxDocument {
		return y.fail(y.start, errTooLarge)
	}
	return nil
}

func (y *yamlReader) append(line []byte) {
	if len(y.chunk) == 0 {
		y.start = y.line
	}
	y.chunk = append(y.chunk, line...)
}

func (y *yamlReader) nextIsDash() bool {
	next, _ := y.in.Peek(2)
	return len(next) > 0 && next[0] == '-' && (len(next) == 1 || next[1] == ' ' || next[1] == '\n')
}

func isMarker(text []byte, marker string) bool {
	return bytes.HasPrefix(text, []byte(marker)) && (len(text) == len(marker) || text[len(marker)] == ' ' || text[len(marker)] == '\t')
}

func (y *yamlReader) endItem() error {
	if len(y.chunk) == 0 {
		return nil
	}
	err := y.emit(y.chunk, y.start, false)
	y.chunk = y.chunk[:0]
	return err
}

func (y *yamlReader) endDocument() error {
	isList := y.items || y.list
	if y.items {
		if err := y.endItem(); err != nil {
			return err
		}
		y.chunk, y.rest = y.rest, nil
	}
	text := y.chunk
	y.chunk, y.items, y.list = nil, false, false
	if len(bytes.TrimSpace(text)) == 0 {
		return nil
	}
	err := y.emit(text, y.start, isList)
	y.doc++
	return err
}

// yamlLine finds the line in an error of the YAML library, which counts from the start of what it was given.
var yamlLine = regexp.MustCompile(`^(?:error converting YAML to JSON: )?yaml: line (\d+): `)

func (y *yamlReader) emit(text []byte, start int, isList bool) error {
	raw, err := yaml.YAMLToJSON(text)
	if err != nil {
		message, line := err.Error(), start
		if m := yamlLine.FindStringSubmatch(message); m != nil {
			n, _ := strconv.Atoi(m[1])
			line, message = start+n-1, message[len(m[0]):]
		}
		return y.fail(line, fmt.Errorf("not valid YAML: %s", message))
	}
	if bytes.Equal(raw, []byte("null")) {
		return nil
	}
	d := document{JSON: raw, Location: snapshot.Location{File: y.name, Document: y.doc, Line: start}, IsList: isList}
	if isList {
		return y.fn(d)
	}
	return splitLists(d, y.fn)
}

func (y *yamlReader) fail(line int, err error) error {
	return &inputError{snapshot.Location{File: y.name, Document: y.doc, Line: line}, err}
}
