package collect

import (
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

// headOf reads the head of an object. What has another type than it should is as good as not there: the decoder of
// the kind says so.
func headOf(raw []byte) (head, error) {
	var h head
	var metadata, labels jsontext.Value
	err := members(raw, func(name string, value jsontext.Value) {
		switch name {
		case `"apiVersion"`:
			h.APIVersion = text(value)
		case `"kind"`:
			h.Kind = text(value)
		case `"reason"`:
			h.Reason = text(value)
		case `"metadata"`:
			metadata = value.Clone()
		}
	})
	if err != nil || metadata == nil {
		return h, err
	}
	if err := members(metadata, func(name string, value jsontext.Value) {
		if name == `"labels"` {
			labels = value.Clone()
		}
	}); err != nil || labels == nil {
		return h, err
	}
	err = members(labels, func(name string, value jsontext.Value) {
		if name == `"`+snapshot.LaunchedByLabel+`"` {
			h.LaunchedBy = text(value)
		}
	})
	return h, err
}

// set remembers a member of a list that says what it is a list of.
func (l *listType) set(name string, value jsontext.Value) {
	switch name {
	case `"apiVersion"`:
		l.APIVersion = text(value)
	case `"kind"`:
		l.Kind = text(value)
	}
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
