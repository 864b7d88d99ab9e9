package manifests

import (
	"bufio"
	"bytes"
	"errors"
	"io"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/input"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot/wire"
)

// yamlReader cuts YAML into documents, and a List whose "items:" stands in column 0 into its items, by looking at
// the indentation of lines only: in block style nothing inside an item can stand as far left as its dash.
type yamlReader struct {
	spent *input.Budget
	name  string
	in    *bufio.Reader
	fn    func(document) error
	line  int // lines read
	doc   int // number of the document that is being read

	document yamlText // without the items of a list
	item     yamlText
	inItems  bool // between "items:" and the next key in column 0
	indent   int  // columns before the dash of an item
	isList   bool // items were cut out of the document
	list     listType
	anchors  wire.Anchors // that the items share
}

func readYAML(y *yamlReader) error {
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

// readLine returns the next line with its newline, however long it is up to maxYAML. It is valid until the next
// read.
func (y *yamlReader) readLine() ([]byte, error) {
	y.line++
	line, err := y.in.ReadSlice('\n')
	if !errors.Is(err, bufio.ErrBufferFull) {
		return line, err
	}
	long := bytes.Clone(line)
	for errors.Is(err, bufio.ErrBufferFull) {
		line, err = y.in.ReadSlice('\n')
		if long = append(long, line...); len(long) > maxYAML {
			return nil, errYAMLTooLarge
		}
	}
	return long, err
}

func (y *yamlReader) take(line []byte) error {
	text := bytes.TrimRight(line, " \t\r\n")
	switch {
	case isMarker(text, "---"):
		if err := y.endDocument(); err != nil {
			return err
		}
		if line = line[len("---"):]; len(bytes.TrimSpace(line)) == 0 {
			return nil
		}
		return y.append(&y.document, line)
	case isMarker(text, "..."):
		return y.endDocument()
	case y.inItems:
		return y.takeInItems(line, text)
	case bytes.Equal(text, []byte("items:")):
		line = bytes.Clone(line) // looking ahead moves what it points to
		indent, dash := y.nextDash()
		if !dash || y.isList {
			break
		}
		y.inItems, y.isList = true, true
		y.indent = indent
		y.list = y.document.listType(y.spent)
		if y.spent.YAML(y.document.bytes) == nil {
			y.anchors.Define(y.document.bytes, false)
		}
		return nil
	}
	return y.append(&y.document, line)
}

// takeInItems takes a line that belongs to an item, starts the next one, or ends the list.
func (y *yamlReader) takeInItems(line, text []byte) error {
	indent := len(text) - len(bytes.TrimLeft(text, " "))
	switch {
	case len(text) == indent, text[indent] == '#', text[indent] == '\t', indent > y.indent:
		return y.append(&y.item, line)
	case indent == y.indent && isMarker(text[indent:], "-"):
		if err := y.endItem(); err != nil {
			return err
		}
		line = bytes.Clone(line)
		line[indent] = ' '
		return y.append(&y.item, line)
	default:
		if err := y.endItem(); err != nil {
			return err
		}
		y.inItems = false
		y.document.resumeAt(y.line)
		return y.append(&y.document, line)
	}
}

func (y *yamlReader) append(to *yamlText, line []byte) error {
	if to.append(line, y.line); len(to.bytes) > maxYAML {
		return y.fail(to.first, errYAMLTooLarge)
	}
	return nil
}

// nextDash reports whether the next line starts an item of a list, and how far the dash is indented.
func (y *yamlReader) nextDash() (indent int, dash bool) {
	next, _ := y.in.Peek(64)
	rest := bytes.TrimLeft(next, " ")
	line, _, _ := bytes.Cut(rest, []byte("\n"))
	return len(next) - len(rest), isMarker(bytes.TrimRight(line, "\r"), "-")
}

// isMarker reports whether a line is a marker, or begins with one and a blank.
func isMarker(text []byte, marker string) bool {
	if !bytes.HasPrefix(text, []byte(marker)) {
		return false
	}
	return len(text) == len(marker) || text[len(marker)] == ' ' || text[len(marker)] == '\t'
}

func (y *yamlReader) endItem() error {
	item := y.item
	y.item.reset()
	if item.blank() {
		return nil
	}
	return y.emit(item, false)
}

func (y *yamlReader) endDocument() error {
	if err := y.endItem(); err != nil {
		return err
	}
	text, isList := y.document, y.isList
	y.document = yamlText{}
	y.inItems, y.isList = false, false
	y.list = listType{}
	defer func() { y.anchors = wire.Anchors{} }()
	if text.blank() && !isList {
		return nil // comments and directives before the first document, or between two markers
	}
	err := y.emit(text, isList)
	y.doc++
	return err
}

func (y *yamlReader) emit(text yamlText, isList bool) error {
	if err := y.spent.YAML(text.bytes); err != nil {
		return y.fail(max(text.start(), 1), err)
	}
	raw, err := y.toJSON(text.bytes)
	if err != nil {
		line, err := text.problem(err)
		return y.fail(line, err)
	}
	if bytes.Equal(raw, []byte("null")) && !isList {
		return nil
	}
	d := document{Location: snapshot.Location{File: y.name, Document: y.doc, Line: max(text.start(), 1)}, List: y.list, IsList: isList}
	if y.inItems {
		d.depth = 1
	}
	return readObject(y.spent, raw, d, y.fn)
}

// toJSON converts a document, or an item, which may use the anchors of those before it.
func (y *yamlReader) toJSON(text []byte) ([]byte, error) {
	expanded, err := y.anchors.Expand(text)
	if err != nil {
		return nil, err
	}
	if len(expanded) > len(text) && y.spent.YAML(expanded) != nil {
		return nil, wire.ErrAliases
	}
	raw, err := wire.YAMLToJSON(expanded)
	if err == nil && y.inItems {
		y.anchors.Define(expanded, true)
	}
	return raw, err
}

func (y *yamlReader) fail(line int, err error) error {
	return &inputError{snapshot.Location{File: y.name, Document: y.doc, Line: line}, err}
}
