package wire

import (
	stdjson "encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
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
