package document

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
	"golang.org/x/text/language"
	"golang.org/x/text/message"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/spelling"
)

// mistake is something that the schema forbids.
type mistake struct {
	at    []string // the path of keys to it
	shown []string // the path that the error names
	text  string
}

// mistakesOf are the mistakes of one error, in words for those who write the file: of unknown keys each is one.
func mistakesOf(schema any, e *jsonschema.ValidationError) []mistake {
	at := e.InstanceLocation
	described := schemaAt(schema, e.SchemaURL)
	text := e.ErrorKind.LocalizedString(message.NewPrinter(language.English))
	switch k := e.ErrorKind.(type) {
	case *kind.AdditionalProperties:
		known, _ := described["properties"].(map[string]any)
		var out []mistake
		for _, key := range k.Properties {
			meant := spelling.Meant(spelling.Nearest(key, slices.Sorted(maps.Keys(known)), 1))
			out = append(out, mistake{append(slices.Clone(at), key), at, fmt.Sprintf("unknown key %s%s", key, meant)})
		}
		return out
	case *kind.Pattern:
		if wanted := exampleOf(described); wanted != "" {
			text = fmt.Sprintf("%q is not %s", k.Got, wanted)
		}
	case *kind.Type:
		if wanted := exampleOf(described); wanted != "" {
			text = "must be " + wanted
		}
	case *kind.Format:
		if wanted := exampleOf(described); wanted != "" {
			text = fmt.Sprintf("%q is not %s", k.Got, wanted)
		}
	}
	return []mistake{{at, at, text}}
}

// exampleOf says what a schema wants with its first example: "a duration such as 30m"; empty where it has no title and none.
func exampleOf(described map[string]any) string {
	title, _ := described["title"].(string)
	examples, _ := described["examples"].([]any)
	if title == "" || len(examples) == 0 {
		return ""
	}
	return fmt.Sprintf("a %s such as %v", title, examples[0])
}

// schemaAt is the part of a schema to which a URL points with its fragment, a JSON pointer without escapes.
func schemaAt(schema any, url string) map[string]any {
	_, pointer, _ := strings.Cut(url, "#")
	at, _ := schema.(map[string]any)
	for step := range strings.SplitSeq(strings.Trim(pointer, "/"), "/") {
		if step == "" {
			continue
		}
		at, _ = at[step].(map[string]any)
	}
	return at
}
