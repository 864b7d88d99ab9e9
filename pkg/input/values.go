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
	depth, quoted := 0, false
	for i := 0; i < len(text); i++ {
		c := text[i]
		if quoted {
			if c == '\\' {
				i++
			}
			quoted = c != '"'
			continue
		}
		switch c {
		case '"':
			quoted = true
		case '{':
			size += mapOfJSON
			depth++
			deepest = max(deepest, depth)
		case '[':
			size += listOfJSON
			depth++
			deepest = max(deepest, depth)
		case '}', ']':
			depth--
		case ',', ':':
			size += valueOfJSON
		}
	}
	return size + int64(len(text)), deepest
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
