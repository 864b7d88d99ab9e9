package fix

import (
	"bytes"
	stdjson "encoding/json"
	"reflect"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// IntentSpec is an intent in a plan: an object with one field, which the intent's row in the table names.
type IntentSpec struct{ intent Intent }

// SpecOf puts an intent into a plan.
func SpecOf(i Intent) IntentSpec { return IntentSpec{i} }

// Intent returns the intent, nil if none or several are given.
func (s IntentSpec) Intent() Intent { return s.intent }

// MarshalJSON writes {"stripOwner": {…}}. A Restore exists in the undo of a record only, and no plan has it.
func (s IntentSpec) MarshalJSON() ([]byte, error) {
	r, known := rowOf(s.intent)
	if !known {
		return []byte("{}"), nil
	}
	var b bytes.Buffer
	enc := stdjson.NewEncoder(&b)
	enc.SetEscapeHTML(false) // the encoder that calls this escapes, if it is to
	err := enc.Encode(map[string]Intent{r.name: s.intent})
	return b.Bytes(), err
}

// UnmarshalJSON reads what MarshalJSON writes.
func (s *IntentSpec) UnmarshalJSON(text []byte) error {
	return json.Unmarshal(text, s, json.RejectUnknownMembers(true))
}

// UnmarshalJSONFrom reads what MarshalJSON writes, with the options of the decoder.
func (s *IntentSpec) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	*s = IntentSpec{}
	switch kind := dec.PeekKind(); kind {
	case 'n':
		return dec.SkipValue()
	case '{':
	default:
		return &json.SemanticError{JSONKind: kind}
	}
	if _, err := dec.ReadToken(); err != nil {
		return err
	}
	given := 0
	for dec.PeekKind() != '}' {
		i, err := readIntent(dec)
		if err != nil {
			return err
		}
		if i != nil {
			s.intent = i
			given++
		}
	}
	if given > 1 {
		s.intent = nil
	}
	_, err := dec.ReadToken()
	return err
}

// readIntent reads one field of a spec; nil for a field that is null.
func readIntent(dec *jsontext.Decoder) (Intent, error) {
	name, err := dec.ReadToken()
	if err != nil {
		return nil, err
	}
	r, known := ruleNamed(name.String())
	if !known {
		return nil, &json.SemanticError{JSONPointer: dec.StackPointer(), Err: json.ErrUnknownName}
	}
	if dec.PeekKind() == 'n' {
		return nil, dec.SkipValue()
	}
	v := reflect.New(reflect.TypeOf(r.intent))
	if err := json.UnmarshalDecode(dec, v.Interface()); err != nil {
		return nil, err
	}
	i, _ := v.Elem().Interface().(Intent)
	return i, nil
}

// pinned is an intent of which a plan fixes more than its object: the time that it writes, so that nothing is done twice.
type pinned interface {
	pin(planned Intent) Intent
	wrong() (field, why string) // of what is fixed; no field if nothing is
}

func missing(at time.Time) (field, why string) {
	if at.IsZero() {
		return "at", "is missing"
	}
	return "", ""
}

// Pin returns an intent with what a plan fixes of it besides its object.
func Pin(now, planned Intent) Intent {
	if p, ok := now.(pinned); ok {
		return p.pin(planned)
	}
	return now
}

// Limit holds an intent to the steps that a plan shows. Of an object that others write all the time only the fields that are
// written are tested, however many these are.
func Limit(i Intent, shown []Step, busy bool) Intent {
	if prune, ok := i.(PruneExecutorState); ok {
		return prune.within(shown, busy)
	}
	return i
}
