package collect

import (
	"bytes"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// head is what tells one kind of object from another, and a listing with a selector from one without.
type head struct {
	APIVersion, Kind string
	LaunchedBy       string // label sparkoperator.k8s.io/launched-by-spark-operator
	Reason           string // of an Event
}

// set remembers a member of an object, with its name as it is written. What has another type than it should is as good
// as not there: the decoder of the kind says so. The decoder is one to use for it.
func (h *head) set(dec *jsontext.Decoder, name []byte, value jsontext.Value) {
	switch string(name) {
	case `"apiVersion"`:
		h.APIVersion = text(value)
	case `"kind"`:
		h.Kind = text(value)
	case `"reason"`:
		h.Reason = text(value)
	case `"metadata"`:
		dec.Reset(bytes.NewBuffer(value), lenient())
		h.LaunchedBy = ""                             // the last of two equal keys counts
		_ = eachMember(dec, func(name string) error { // that is JSON: the value was read before
			if name != `"labels"` {
				return dec.SkipValue()
			}
			h.LaunchedBy = ""
			return eachMember(dec, func(name string) error {
				if name != `"`+snapshot.LaunchedByLabel+`"` {
					return dec.SkipValue()
				}
				value, err := dec.ReadValue()
				h.LaunchedBy = text(value)
				return err
			})
		})
	}
}

// eachMember calls fn for every member of the object that comes next, with its name as it is written; fn must read the
// value. Anything else is passed over.
func eachMember(dec *jsontext.Decoder, fn func(name string) error) error {
	if dec.PeekKind() != '{' {
		return dec.SkipValue()
	}
	if _, err := dec.ReadToken(); err != nil {
		return err
	}
	for dec.PeekKind() != '}' {
		name, err := dec.ReadValue()
		if err != nil {
			return err
		}
		if err := fn(string(name)); err != nil {
			return err
		}
	}
	_, err := dec.ReadToken()
	return err
}

// text returns a JSON string, and nothing for any other value.
func text(value jsontext.Value) string {
	if value.Kind() != '"' {
		return ""
	}
	s, err := jsontext.AppendUnquote(nil, value)
	if err != nil {
		return strings.ToValidUTF8(string(s), "\ufffd")
	}
	return string(s)
}

func (h *head) listType() listType { return listType{APIVersion: h.APIVersion, Kind: h.Kind} }

// complete gives an item of a typed list the type that its list states.
func (h *head) complete(of listType) {
	item, typed := strings.CutSuffix(of.Kind, "List")
	if h.Kind == "" && h.APIVersion == "" && typed && item != "" {
		h.APIVersion, h.Kind = of.APIVersion, item
	}
}

func (h *head) groupKind() snapshot.GroupKind {
	return snapshot.Ref{APIVersion: h.APIVersion, Kind: h.Kind}.GroupKind()
}
