// Package schema reads what the schema of a CRD demands of values, and finds the values of an object that it refuses. It knows the
// keywords that a single value can be held against: type, nullable, enum, required, minimum, maximum, pattern, minLength, maxLength,
// and the keys by which x-kubernetes-list-type tells the items of a list apart. What it does not know refuses nothing: rules of CEL
// (x-kubernetes-validations), format, anyOf and the like, and counts of items and of fields.
package schema

import (
	stdjson "encoding/json"
	"math"
	"slices"
	"strconv"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Rule is what a schema demands of the value at one path. Its zero value demands nothing.
type Rule struct {
	Type     string   `json:"type,omitempty"` // empty: any, as of x-kubernetes-int-or-string
	Nullable bool     `json:"nullable,omitempty"`
	Default  string   `json:"default,omitempty"` // as JSON; empty: none
	Enum     []string `json:"enum,omitempty"`    // each as JSON
	Required []string `json:"required,omitempty"`
	Minimum  string   `json:"minimum,omitempty"` // as JSON; empty: none
	Above    bool     `json:"above,omitempty"`   // Minimum itself is refused (exclusiveMinimum)
	Maximum  string   `json:"maximum,omitempty"`
	Below    bool     `json:"below,omitempty"` // Maximum itself is refused
	Pattern  string   `json:"pattern,omitempty"`
	Shortest int      `json:"shortest,omitempty"` // in characters (minLength)
	Longest  *int     `json:"longest,omitempty"`
	Set      bool     `json:"set,omitempty"`  // items of the list are unique (x-kubernetes-list-type: set)
	Keys     []string `json:"keys,omitempty"` // items of the list differ in one of these fields (x-kubernetes-list-map-keys)
}

// Rules are those of a schema by path: "" is the schema itself, "cores" a property, "list.[]" the items of a list, "conf.*" the values of
// a map. A path that the schema names is in them, whatever it demands.
type Rules map[string]Rule

// Path segments: the items of a list, and the values of a map.
const (
	eachItem = "[]"
	anyKey   = "*"
)

// deepest and most bound what is read of a schema: those of the operator have 24 levels and 4,000 fields, and etcd takes no more than
// 1.5 MiB.
const (
	deepest = 64
	most    = 100_000
)

// node is a schema as apiextensions.k8s.io/v1 writes it (JSONSchemaProps of pkg/apis/apiextensions/v1/types_jsonschema.go of
// k8s.io/apiextensions-apiserver@v0.36.3).
type node struct {
	Type        string          `json:"type"`
	Nullable    bool            `json:"nullable"`
	Default     any             `json:"default"`
	Enum        []any           `json:"enum"`
	Required    []string        `json:"required"`
	Minimum     any             `json:"minimum"`
	Above       bool            `json:"exclusiveMinimum"`
	Maximum     any             `json:"maximum"`
	Below       bool            `json:"exclusiveMaximum"`
	Pattern     string          `json:"pattern"`
	MinLength   int             `json:"minLength"`
	MaxLength   *int            `json:"maxLength"`
	IntOrString bool            `json:"x-kubernetes-int-or-string"`
	ListType    string          `json:"x-kubernetes-list-type"`
	ListKeys    []string        `json:"x-kubernetes-list-map-keys"`
	Properties  map[string]some `json:"properties"`
	Items       some            `json:"items"`
	Values      some            `json:"additionalProperties"`
}

// some is a schema, or true, false or a list, which stand in its place and demand nothing that is known here.
type some struct{ *node }

// UnmarshalJSONFrom reads a schema that is an object.
func (s *some) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	if dec.PeekKind() != '{' {
		return dec.SkipValue()
	}
	s.node = &node{}
	return json.UnmarshalDecode(dec, s.node)
}

// Parse reads the rules of a schema. What is no schema has none: the API server would not take it.
func Parse(raw []byte, options ...json.Options) Rules {
	var root some
	if json.Unmarshal(raw, &root, options...) != nil {
		return nil
	}
	out := Rules{}
	out.read("", root, 0)
	return out
}

func (r Rules) read(path string, s some, depth int) {
	if s.node == nil || depth > deepest || len(r) > most {
		return
	}
	r[path] = s.rule()
	for name, below := range s.Properties {
		r.read(join(path, name), below, depth+1)
	}
	r.read(join(path, eachItem), s.Items, depth+1)
	r.read(join(path, anyKey), s.Values, depth+1)
}

func (n *node) rule() Rule {
	out := Rule{
		Type: n.Type, Nullable: n.Nullable, Required: n.Required, Above: n.Above, Below: n.Below, Pattern: n.Pattern,
		Minimum: optional(n.Minimum), Maximum: optional(n.Maximum), Default: optional(n.Default),
		Shortest: n.MinLength, Longest: n.MaxLength, Set: n.ListType == "set",
	}
	if n.IntOrString {
		out.Type = ""
	}
	for _, value := range n.Enum {
		out.Enum = append(out.Enum, text(value))
	}
	if n.ListType == "map" {
		out.Keys = n.ListKeys
	}
	slices.Sort(out.Required)
	return out
}

// optional is a value as JSON, empty for none.
func optional(value any) string {
	if value == nil {
		return ""
	}
	return text(value)
}

// number is a bound; none is not comparable with anything.
func number(bound string) float64 {
	n, err := strconv.ParseFloat(bound, 64)
	if err != nil {
		return math.NaN()
	}
	return n
}

// text is a value as JSON, each in one way only.
func text(value any) string {
	raw, err := stdjson.Marshal(value)
	if err != nil { // of no value that came from JSON
		return ""
	}
	return string(raw)
}

func join(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}
