package plan

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
)

// strict decodes what a file says: no unknown fields, no field twice, no other case. The error is Refused and names the
// field.
func strict(text []byte, v any) error {
	duration := json.UnmarshalFunc(func(text []byte, d *time.Duration) error { // as encoding/json writes it
		n, err := strconv.ParseInt(string(text), 10, 64)
		*d = time.Duration(n)
		return err
	})
	err := json.Unmarshal(text, v, json.RejectUnknownMembers(true), json.WithUnmarshalers(duration))
	var syntax *jsontext.SyntacticError
	var semantic *json.SemanticError
	switch {
	case errors.As(err, &syntax):
		return fix.Fault(fieldAt(syntax.JSONPointer), "%v", syntax.Err)
	case errors.As(err, &semantic) && errors.Is(semantic.Err, json.ErrUnknownName):
		return fix.Fault(fieldAt(semantic.JSONPointer), "is an unknown field")
	case errors.As(err, &semantic) && semantic.Err != nil:
		return fix.Fault(fieldAt(semantic.JSONPointer), "%v", semantic.Err)
	case errors.As(err, &semantic):
		return fix.Fault(fieldAt(semantic.JSONPointer), "is %s", nameOf(semantic.JSONKind))
	default:
		return err
	}
}

// fieldAt writes a JSON pointer as people write fields: "fixes[0].wish.kick".
func fieldAt(p jsontext.Pointer) string {
	var b strings.Builder
	for token := range p.Tokens() {
		switch _, err := strconv.Atoi(token); {
		case err == nil:
			fmt.Fprintf(&b, "[%s]", token)
		case b.Len() > 0:
			b.WriteString("." + token)
		default:
			b.WriteString(token)
		}
	}
	if b.Len() == 0 {
		return "the document"
	}
	return b.String()
}

// nameOf is a kind of JSON value as people call it.
func nameOf(k jsontext.Kind) string {
	switch k {
	case jsontext.KindBeginObject:
		return "an object"
	case jsontext.KindBeginArray:
		return "a list"
	default:
		return "a JSON " + k.String()
	}
}
