package wire

import (
	"bytes"
	stdjson "encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	yamlv2 "go.yaml.in/yaml/v2"
	"sigs.k8s.io/yaml"
)

// Problem says in one line what could not be decoded and where, without Go type names.
func Problem(err error) string {
	var semantic *json.SemanticError
	var syntactic *jsontext.SyntacticError
	var typeError *stdjson.UnmarshalTypeError // of the typed decoder (sigs.k8s.io/json)
	switch {
	case errors.As(err, &syntactic):
		return fmt.Sprintf("byte %d: %v", syntactic.ByteOffset, syntactic.Err)
	case errors.As(err, &semantic):
		return strings.TrimPrefix(dotted(semantic.JSONPointer)+" "+unexpected(semantic), " ")
	case errors.As(err, &typeError):
		return strings.TrimPrefix(typeError.Field+" is "+article(typeError.Value)+", which does not belong there", " ")
	default:
		return strings.Join(strings.Fields(err.Error()), " ")
	}
}

func unexpected(err *json.SemanticError) string {
	switch {
	case err.Err != nil:
		return err.Err.Error()
	case err.JSONKind != 0:
		return "is " + KindWord(err.JSONKind) + ", which does not belong there"
	default:
		return "cannot be read as expected"
	}
}

// article puts one before the words of encoding/json: "string", "number 1.5", "array", "object", "bool".
func article(value string) string {
	switch {
	case strings.HasPrefix(value, "array"):
		return "a list"
	case strings.HasPrefix(value, "object"):
		return "an object"
	case strings.HasPrefix(value, "bool"):
		return "a boolean"
	default:
		return "a " + value
	}
}

// KindWord names a kind of value: "a list".
func KindWord(k jsontext.Kind) string {
	switch k {
	case '[':
		return "a list"
	case '{':
		return "an object"
	case '"':
		return "a string"
	case '0':
		return "a number"
	case 't', 'f':
		return "a boolean"
	default:
		return "null"
	}
}

func dotted(p jsontext.Pointer) string {
	return strings.ReplaceAll(strings.TrimPrefix(string(p), "/"), "/", ".")
}

// maxGrowth is by how much aliases may expand a YAML document. etcd's limit for an object is 1.5 MiB.
const maxGrowth = 8 << 20

// ErrAliases is the error for a document whose aliases expand it too much.
var ErrAliases = errors.New("its aliases expand it by more than 8 MiB")

// YAMLToJSON turns a YAML document into JSON, in which each alias is a copy of what it stands for. The library bounds how
// many values aliases make (allowedAliasRatio in decode.go of go.yaml.in/yaml/v2@v2.4.4), not how long they are: 200 KB
// can become gigabytes.
func YAMLToJSON(text []byte) ([]byte, error) {
	if bytes.IndexByte(text, '&') >= 0 && bytes.IndexByte(text, '*') >= 0 {
		var value any // in which copies of a string share its memory
		if err := yamlv2.Unmarshal(text, &value); err != nil {
			return nil, err
		}
		if room := 2*len(text) + maxGrowth; spend(value, room) < 0 {
			return nil, ErrAliases
		}
	}
	return yaml.YAMLToJSON(text)
}

// spend takes what a value is long as JSON, about, from the room that is left. Below 0 there is none.
func spend(value any, room int) int {
	switch v := value.(type) {
	case string:
		room -= len(v)
	case []any:
		for i := 0; i < len(v) && room >= 0; i++ {
			room = spend(v[i], room-1)
		}
	case map[any]any:
		for key, one := range v {
			if room = spend(one, spend(key, room-1)); room < 0 {
				break
			}
		}
	}
	return room - 2
}
