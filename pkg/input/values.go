package input

import "strings"

// plainText is the length of a text that needs no count: if all of it were values, they would take what is free.
const plainText = 24 << 10

// maxDepth is more than any object has. The schema of a CustomResourceDefinition has fifty levels.
const maxDepth = 500

// What a value takes about, once it is decoded: a map becomes a struct of Kubernetes at worst, such as a container, at least a table.
const (
	mapOfJSON, listOfJSON, valueOfJSON = 1200, 120, 100
	mapOfYAML, listOfYAML, valueOfYAML = 500, 250, 350 // the parser's own
)

// valuesOfJSON returns what the values of a document take about, and how deep they lie.
func valuesOfJSON(text []byte) (size int64, deepest int) {
	var v jsonValues
	v.count(text)
	return v.size, v.deepest
}

// jsonValues counts the values of JSON as it arrives.
type jsonValues struct {
	size            int64
	depth, deepest  int
	quoted, escaped bool
}

func (v *jsonValues) count(text []byte) {
	v.size += int64(len(text))
	for _, c := range text {
		switch {
		case v.escaped:
			v.escaped = false
			continue
		case v.quoted:
			v.escaped, v.quoted = c == '\\', c != '"'
			continue
		}
		switch c {
		case '"':
			v.quoted = true
		case '{':
			v.size += mapOfJSON
			v.depth++
			v.deepest = max(v.deepest, v.depth)
		case '[':
			v.size += listOfJSON
			v.depth++
			v.deepest = max(v.deepest, v.depth)
		case '}', ']':
			v.depth--
		case ',', ':':
			v.size += valueOfJSON
		}
	}
}

// valuesOfYAML returns at most what the values of a document take, and how deep those in brackets lie. Text in quotes and blocks counts
// as if it were values: where it ends cannot be told without parsing.
func valuesOfYAML(text []byte) (size int64, deepest int) {
	depth, lists := 0, 0 // of dashes at the beginning of a line
	for i, c := range text {
		switch c {
		case '{', '[':
			size += mapOfYAML
			depth++
			deepest = max(deepest, depth)
		case '}', ']':
			depth = max(0, depth-1)
		case ',':
			size += listOfYAML
		case '\n':
			size += listOfYAML
			lists = 0
		case ':', '-', '?':
			if i+1 == len(text) || strings.IndexByte(" \t\r\n", text[i+1]) >= 0 {
				size += valueOfYAML
				if c != ':' {
					lists++
					deepest = max(deepest, lists)
				}
			}
		}
	}
	return size + int64(len(text)), deepest
}
