package manifests

import (
	"bytes"
	"io/fs"
	"path/filepath"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot/wire"
)

// FieldLines finds the lines of fields in YAML files. Objects are read without positions, since few have findings: what
// one is about is read once more. The zero value is ready to use.
type FieldLines struct {
	FS fs.FS // where the files are; nil: on this machine

	file   string
	text   []byte
	at     snapshot.Location
	object *yaml.Node
	parsed int // bytes, of all objects
}

// These bound what is read once more. An object of a cluster is below etcd's 1.5 MiB.
const (
	maxLocated      = 2 << 20
	maxLocatedInAll = 64 << 20
)

// Of returns the line of a field, or of the next field around it that is there; 0 where that is not known: text that is JSON, packed or
// from elsewhere, and files that have changed.
func (l *FieldLines) Of(o snapshot.Ref, at snapshot.Location, field string) int {
	if at != l.at {
		l.at, l.object = at, l.read(at)
	}
	name := valueAt(l.object, []string{"metadata", "name"})
	if l.object == nil || name == nil || name.Value != o.Name {
		return 0
	}
	line := 0
	for node, path := l.object, steps(field); len(path) > 0; {
		key, value, taken := child(node, path)
		if key == nil {
			break
		}
		line = key.Line
		node = value
		path = path[taken:]
	}
	if line == 0 {
		return 0
	}
	return at.Line + line - 1
}

func (l *FieldLines) read(at snapshot.Location) *yaml.Node {
	if ext := strings.ToLower(filepath.Ext(at.File)); ext != ".yaml" && ext != ".yml" || at.Line < 1 {
		return nil
	}
	if at.File != l.file {
		l.file, l.text = at.File, disk{l.FS}.text(at.File)
	}
	text := objectAt(l.text, at.Line)
	if l.parsed += len(text); len(text) == 0 || len(text) > maxLocated || l.parsed > maxLocatedInAll {
		return nil
	}
	var document yaml.Node
	if err := yaml.Unmarshal(text, &document); err != nil {
		err = yaml.Unmarshal(wire.WithoutAliases(text), &document) // which another item of the list may define
		if err != nil {
			return nil
		}
	}
	if len(document.Content) == 0 {
		return nil
	}
	return document.Content[0]
}

// objectAt cuts out of a file what starts at a line: a document, or an item of a list, as yamlReader does.
func objectAt(text []byte, line int) []byte {
	var out []byte
	n, indent := 0, 0
	for raw := range bytes.Lines(text) {
		if n++; n < line {
			continue
		}
		content := bytes.TrimRight(raw, " \t\r\n")
		column := len(content) - len(bytes.TrimLeft(content, " "))
		blank := column == len(content) || content[column] == '#'
		switch {
		case n == line && isMarker(content, "---"):
			raw = append([]byte("   "), raw[len("---"):]...)
		case n == line && isMarker(content[column:], "-"):
			raw = bytes.Clone(raw)
			raw[column] = ' '
			indent = column + 1
		case n == line:
			indent = column
		case isMarker(content, "---"), isMarker(content, "..."), !blank && column < indent:
			return out
		}
		if out = append(out, raw...); len(out) > maxLocated {
			return nil
		}
	}
	return out
}

// steps cuts a path such as spec.sparkConf["a.b"] or metadata.ownerReferences[0].uid into what each step is called; what stands in
// brackets keeps the first of them, to be told from a name.
func steps(field string) []string {
	var out []string
	for field != "" {
		if field[0] == '[' {
			if quoted, err := strconv.QuotedPrefix(field[1:]); err == nil {
				name, _ := strconv.Unquote(quoted)
				out, field = append(out, "["+name), strings.TrimPrefix(field[1+len(quoted):], "]")
				continue
			}
			name, rest, _ := strings.Cut(field, "]")
			out, field = append(out, name), rest
			continue
		}
		field = strings.TrimPrefix(field, ".")
		end := strings.IndexAny(field, ".[")
		if end < 0 {
			end = len(field)
		}
		if end > 0 {
			out = append(out, field[:end])
		}
		field = field[end:]
	}
	return out
}

// child finds what the first steps name: an element by its number or by a member, a value by its key, which may have dots in it. It
// returns where that is written, the value, and how many steps it took.
func child(node *yaml.Node, steps []string) (key, value *yaml.Node, taken int) {
	switch name := strings.TrimPrefix(steps[0], "["); node.Kind {
	case yaml.SequenceNode:
		if i, err := strconv.Atoi(name); err == nil && i >= 0 && i < len(node.Content) {
			return node.Content[i], node.Content[i], 1
		}
		member, want, _ := strings.Cut(name, "=")
		for _, element := range node.Content {
			if found := valueAt(element, []string{member}); found != nil && found.Value == want {
				return element, element, 1
			}
		}
	case yaml.MappingNode:
		for n := len(steps); n > 0; n-- {
			joined := strings.TrimPrefix(strings.Join(steps[:n], "."), "[")
			if i := keyAt(node, joined); i >= 0 {
				return node.Content[i], node.Content[i+1], n
			}
		}
	}
	return nil, nil, 0
}

func keyAt(node *yaml.Node, key string) int {
	for i := 0; i+1 < len(node.Content); i += 2 {
		if node.Content[i].Value == key {
			return i
		}
	}
	return -1
}

// valueAt returns the value at a path of keys; nil if it is not there.
func valueAt(node *yaml.Node, path []string) *yaml.Node {
	for _, key := range path {
		if node == nil || node.Kind != yaml.MappingNode {
			return nil
		}
		i := keyAt(node, key)
		if i < 0 {
			return nil
		}
		node = node.Content[i+1]
	}
	return node
}
