package wire

import (
	"bytes"
	"encoding/json"
	"iter"
	"regexp"
	"slices"
	"strings"

	yamlv3 "go.yaml.in/yaml/v3"
)

// Anchors are those of a YAML document that is read in parts: an alias may stand for what an earlier part defines. The zero value is a
// document of which nothing is read.
type Anchors struct {
	values map[string]json.RawMessage // as JSON on one line, by name; nil: more than aliases may add
	read   int64                      // bytes of the parts
	copied int64                      // bytes that were copied out of them
}

// These find what may be an anchor or an alias. It may stand in a string or in a comment, too: that takes a parser to tell.
var (
	anchorLike = regexp.MustCompile(`(?:^|[\s\[{,:])&[0-9A-Za-z_-]`)
	aliasLike  = regexp.MustCompile(`\*([0-9A-Za-z_-]+)`)
)

// Expand returns a part with the values that earlier parts define in the place of aliases for them. Every line stays where it is.
func (a *Anchors) Expand(part []byte) ([]byte, error) {
	a.read += int64(len(part))
	if len(a.values) == 0 {
		return part, nil
	}
	places := aliasLike.FindAllSubmatchIndex(part, -1)
	if len(places) == 0 {
		return part, nil
	}
	var document yamlv3.Node
	masked := WithoutAliases(part)
	if yamlv3.Unmarshal(masked, &document) != nil {
		_, err := YAMLToJSON(masked) // which says more than that an anchor is unknown
		return part, err
	}
	found := a.earlier(&document, part, places)
	grown := 0
	for _, one := range found {
		value := a.values[one.name]
		if grown += len(value); value == nil || grown > 2*len(part)+maxGrowth || !a.copies(len(value)) {
			return nil, ErrAliases
		}
	}
	var out []byte
	end := 0
	for _, one := range found {
		out = append(append(out, part[end:one.at]...), a.values[one.name]...)
		end = one.at + len("*") + len(one.name)
	}
	return append(out, part[end:]...), nil
}

// WithoutAliases returns a YAML text in which all that may be an alias is a plain scalar of the same length.
func WithoutAliases(text []byte) []byte {
	masked := bytes.Clone(text)
	for _, place := range aliasLike.FindAllIndex(text, -1) {
		masked[place[0]] = '_'
	}
	return masked
}

type alias struct {
	name string
	at   int // offset
}

// earlier returns those aliases of a part, in order, that stand for what earlier parts define. The document is the part with all aliases
// masked: where one was, it has a plain scalar.
func (a *Anchors) earlier(document *yamlv3.Node, part []byte, places [][]int) []alias {
	candidates := map[position]alias{}
	at, offset := position{1, 1}, 0
	for _, place := range places {
		at, offset = at.after(part[offset:place[0]]), place[0]
		candidates[at] = alias{string(part[place[2]:place[3]]), offset}
	}
	var found []alias
	own := map[string]bool{}
	for n := range inOrder(document) {
		if n.Anchor != "" {
			own[n.Anchor] = true
		}
		one := candidates[position{n.Line, n.Column}]
		_, defined := a.values[one.name]
		if defined && !own[one.name] && n.Kind == yamlv3.ScalarNode && n.Style == 0 && n.Value == "_"+one.name {
			found = append(found, one)
		}
	}
	return found
}

// Define keeps what the anchors of a part stand for, of which the aliases are expanded. A part is the first members of a document, or
// one element of a list in it, indented.
func (a *Anchors) Define(part []byte, element bool) {
	if bytes.IndexByte(part, '&') < 0 || !anchorLike.Match(part) {
		return
	}
	var document yamlv3.Node
	if yamlv3.Unmarshal(part, &document) != nil {
		return
	}
	var names []string
	for n := range inOrder(&document) {
		if n.Anchor != "" {
			names = append(names, n.Anchor)
		}
	}
	if len(names) == 0 {
		return
	}
	slices.Sort(names)
	names = slices.Compact(names)
	if a.values == nil {
		a.values = map[string]json.RawMessage{}
	}
	for i, value := range valuesOf(part, element, names) {
		if !a.copies(len(value)) {
			value = nil
		}
		a.values[names[i]] = value
	}
}

// copies counts bytes, and reports whether the document may have so many more.
func (a *Anchors) copies(n int) bool {
	a.copied += int64(n)
	return a.copied <= 2*a.read+maxGrowth
}

// valuesOf has the library say what anchors stand for: a list of aliases behind the part. None has a value if all of them are too much.
func valuesOf(part []byte, element bool, names []string) []json.RawMessage {
	list := "[*" + strings.Join(names, ", *") + "]\n"
	before, after := "", `"": `
	if element {
		before, after = "-\n", "- "
	}
	text := append([]byte(before), part...)
	if !bytes.HasSuffix(text, []byte("\n")) {
		text = append(text, '\n')
	}
	values := make([]json.RawMessage, len(names))
	raw, err := YAMLToJSON(append(append(text, after...), list...))
	if err != nil {
		return values
	}
	if element {
		var elements []json.RawMessage
		_ = json.Unmarshal(raw, &elements)
		raw = elements[len(elements)-1]
	} else {
		var members map[string]json.RawMessage
		_ = json.Unmarshal(raw, &members)
		raw = members[""]
	}
	_ = json.Unmarshal(raw, &values)
	return values
}

// position is where something stands in a text as the parser counts: lines and characters, from 1.
type position struct{ line, column int }

// after is the position behind a text that begins here.
func (p position) after(text []byte) position {
	for i, r := range string(text) {
		switch r {
		case '\r':
			if i+1 < len(text) && text[i+1] == '\n' {
				continue
			}
			p = position{p.line + 1, 1}
		case '\n', '\u0085', '\u2028', '\u2029':
			p = position{p.line + 1, 1}
		default:
			p.column++
		}
	}
	return p
}

// inOrder is every node of a document as they stand in it.
func inOrder(n *yamlv3.Node) iter.Seq[*yamlv3.Node] {
	return func(yield func(*yamlv3.Node) bool) { each(n, yield) }
}

func each(n *yamlv3.Node, yield func(*yamlv3.Node) bool) bool {
	if !yield(n) {
		return false
	}
	for _, below := range n.Content {
		if !each(below, yield) {
			return false
		}
	}
	return true
}
