// Package document reads a YAML file that a JSON schema describes, and says of a mistake in it in which line it is.
package document

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"go.yaml.in/yaml/v3"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/input"
)

// Document is a file that its schema allows, with the lines of what it holds.
type Document struct {
	name  string
	root  *yaml.Node
	value any
	nodes int // that were read
}

// maxNodes is how many values a document may hold: to say of each that the schema forbids it takes much more memory than its text.
const maxNodes = 50_000

// Parse reads the text of a file. An error names the file and the line: what is no YAML, what YAML allows beyond JSON, and the first thing
// that the schema forbids.
func Parse(name string, text, schema []byte) (*Document, error) {
	if err := input.Values(text); err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	var node, more yaml.Node
	dec := yaml.NewDecoder(bytes.NewReader(text))
	switch err := dec.Decode(&node); {
	case errors.Is(err, io.EOF):
		return nil, fmt.Errorf("%s is empty", name)
	case err != nil:
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if err := dec.Decode(&more); !errors.Is(err, io.EOF) {
		return nil, fmt.Errorf("%s has more than one document", name)
	}
	d := &Document{name: name, root: node.Content[0]}
	var err error
	if d.value, err = d.plain(d.root); err != nil {
		return nil, err
	}
	return d, d.validate(schema)
}

// validate compares the document with the schema and returns the first thing that is wrong.
func (d *Document) validate(schema []byte) error {
	raw, err := jsonschema.UnmarshalJSON(bytes.NewReader(schema))
	if err != nil {
		return err
	}
	c := jsonschema.NewCompiler()
	c.AssertFormat()
	if err := c.AddResource("schema.json", raw); err != nil {
		return err
	}
	compiled, err := c.Compile("schema.json")
	if err != nil {
		return err
	}
	var invalid *jsonschema.ValidationError
	if err := compiled.Validate(d.value); !errors.As(err, &invalid) {
		return err
	}
	var all []mistake
	for _, leaf := range leaves(invalid) {
		all = append(all, mistakesOf(raw, leaf)...)
	}
	first := slices.MinFunc(all, func(a, b mistake) int {
		return cmp.Or(cmp.Compare(d.Line(a.at...), d.Line(b.at...)), slices.Compare(a.at, b.at), cmp.Compare(a.text, b.text))
	})
	return d.errorIn(d.Line(first.at...), errors.New(first.text), first.shown)
}

// leaves are the mistakes that an error of the schema is made of.
func leaves(e *jsonschema.ValidationError) []*jsonschema.ValidationError {
	if len(e.Causes) == 0 {
		return []*jsonschema.ValidationError{e}
	}
	var out []*jsonschema.ValidationError
	for _, cause := range e.Causes {
		out = append(out, leaves(cause)...)
	}
	return out
}

// plain is a node as JSON has it. Days are texts. What YAML allows beyond JSON is an error.
func (d *Document) plain(n *yaml.Node) (any, error) {
	if d.nodes++; d.nodes > maxNodes {
		return nil, fmt.Errorf("%s:%d: more than %d values", d.name, n.Line, maxNodes)
	}
	switch n.Kind {
	case yaml.MappingNode:
		out := map[string]any{}
		for i := 0; i+1 < len(n.Content); i += 2 {
			key := n.Content[i]
			if _, twice := out[key.Value]; twice {
				return nil, fmt.Errorf("%s:%d: %q is given twice", d.name, key.Line, key.Value)
			}
			value, err := d.plain(n.Content[i+1])
			if err != nil {
				return nil, err
			}
			out[key.Value] = value
		}
		return out, nil
	case yaml.SequenceNode:
		out := []any{}
		for _, item := range n.Content {
			value, err := d.plain(item)
			if err != nil {
				return nil, err
			}
			out = append(out, value)
		}
		return out, nil
	case yaml.ScalarNode:
		return d.scalar(n)
	default:
		return nil, fmt.Errorf("%s:%d: aliases are not allowed", d.name, n.Line)
	}
}

func (d *Document) scalar(n *yaml.Node) (any, error) {
	switch n.Tag {
	case "!!int", "!!float":
		if number := json.Number(n.Value); json.Valid([]byte(n.Value)) {
			return number, nil
		}
		return nil, fmt.Errorf("%s:%d: %q is not a plain number", d.name, n.Line, n.Value)
	case "!!bool":
		return n.Value == "true", nil
	case "!!null":
		return nil, nil //nolint:nilnil // null is a value
	default:
		return n.Value, nil
	}
}

// Decode puts the document into a value with the tags of JSON.
func (d *Document) Decode(into any) error {
	raw, err := json.Marshal(d.value)
	if err != nil {
		return err
	}
	return json.Unmarshal(raw, into)
}

// ErrorAt says where something is wrong: the file, the line and the path of keys.
func (d *Document) ErrorAt(err error, at ...string) error { return d.errorIn(d.Line(at...), err, at) }

func (d *Document) errorIn(line int, err error, at []string) error {
	where := ""
	for _, key := range at {
		if _, isIndex := strconv.Atoi(key); isIndex == nil {
			where += "[" + key + "]"
			continue
		}
		if where != "" {
			where += "."
		}
		where += key
	}
	if where != "" {
		where += ": "
	}
	return fmt.Errorf("%s:%d: %s%w", d.name, line, where, err)
}

// Line returns the line of what stands at a path of keys and indexes, or of the nearest thing around it.
func (d *Document) Line(at ...string) int {
	n := d.root
	line := n.Line
	for _, key := range at {
		next, at := child(n, key)
		if next == nil {
			break
		}
		n, line = next, at
	}
	return line
}

// child is what stands below a node, and the line where it begins: that of its key, if it has one.
func child(n *yaml.Node, key string) (*yaml.Node, int) {
	if n.Kind == yaml.SequenceNode {
		if i, err := strconv.Atoi(key); err == nil && i < len(n.Content) {
			return n.Content[i], n.Content[i].Line
		}
		return nil, 0
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return n.Content[i+1], n.Content[i].Line
		}
	}
	return nil, 0
}
