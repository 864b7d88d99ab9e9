package manifests

import (
	"bytes"
	"strconv"
	"strings"
	"time"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// head is what tells one kind of object from another, and a listing with a selector from one without.
type head struct {
	APIVersion, Kind string
	Reason           string // of an Event
	metadataHead
}

// metadataHead is what the metadata tells before the object is decoded.
type metadataHead struct {
	Namespace, Name, UID, ResourceVersion string

	CreationTimestamp string
	LaunchedBy        string // label sparkoperator.k8s.io/launched-by-spark-operator
}

// template reports whether the object still waits for Helm, in text that is YAML all the same: name: "{{ .Release.Name }}-etl". Elsewhere
// in an object such text may be meant, for a program that reads it later.
func (h *metadataHead) template() bool {
	return helmAction.MatchString(h.Name) || helmAction.MatchString(h.Namespace)
}

// created is zero where the metadata has no valid time.
func (h *metadataHead) created() time.Time {
	t, _ := snapshot.ParseTime(h.CreationTimestamp)
	return t
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
		h.metadataHead = metadataHead{}                                                          // the last of two equal keys counts
		_ = eachMember(dec, func(name string) error { return h.metadataHead.member(dec, name) }) // that is JSON: the value was read before
	}
}

// member reads one member of the metadata.
func (h *metadataHead) member(dec *jsontext.Decoder, name string) error {
	var into *string
	switch name {
	case `"namespace"`:
		into = &h.Namespace
	case `"name"`:
		into = &h.Name
	case `"uid"`:
		into = &h.UID
	case `"resourceVersion"`:
		into = &h.ResourceVersion
	case `"creationTimestamp"`:
		into = &h.CreationTimestamp
	case `"labels"`:
		h.LaunchedBy = ""
		return eachMember(dec, func(name string) error {
			if name != `"`+snapshot.LaunchedByLabel+`"` {
				return dec.SkipValue()
			}
			value, err := dec.ReadValue()
			h.LaunchedBy = text(value)
			return err
		})
	default:
		return dec.SkipValue()
	}
	value, err := dec.ReadValue()
	*into = text(value)
	return err
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

// complete gives an item of a typed list the type that its list states, where the item does not contradict it, and
// reports whether it did.
func (h *head) complete(of listType) bool {
	item, typed := strings.CutSuffix(of.Kind, "List")
	if !typed || item == "" {
		return false
	}
	whole := h.Kind != "" && h.APIVersion != ""
	otherKind := h.Kind != "" && h.Kind != item
	otherVersion := h.APIVersion != "" && h.APIVersion != of.APIVersion
	if whole || otherKind || otherVersion {
		return false
	}
	h.APIVersion, h.Kind = of.APIVersion, item
	return true
}

// typed writes the type of an object into it, at the end, where it counts: of equal members the last one does.
func (b *builder) typed(object []byte, h head) []byte {
	if object[0] != '{' {
		return object
	}
	b.text = append(b.text[:0], object[:len(object)-1]...)
	if len(b.text) > 1 {
		b.text = append(b.text, ',')
	}
	for _, member := range [][2]string{{"apiVersion", h.APIVersion}, {"kind", h.Kind}} {
		b.text = append(strconv.AppendQuote(b.text, member[0]), ':')
		b.text, _ = jsontext.AppendQuote(b.text, member[1]) // with invalid UTF-8 it is replaced
		b.text = append(b.text, ',')
	}
	b.text[len(b.text)-1] = '}'
	return b.text
}

func (h *head) groupKind() snapshot.GroupKind {
	return snapshot.Ref{APIVersion: h.APIVersion, Kind: h.Kind}.GroupKind()
}
