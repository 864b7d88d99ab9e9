package wire

import (
	"bytes"
	stdjson "encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"regexp"
	"slices"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
	corev1 "k8s.io/api/core/v1"
	utiljson "k8s.io/apimachinery/pkg/util/json"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot/schema"
)

// templateProblem decodes a pod template as the operator does: unknown fields are passed over, wrong types are not
// (api/v1beta2/sparkapplication_types.go@v2.5.2, SparkPodSpec.Template; k8s.io/apimachinery
// pkg/runtime/serializer/json). Most applications have none.
func templateProblem(raw []byte, path string) *snapshot.Undecodable {
	if len(raw) == 0 {
		return nil
	}
	err := decodeTemplate(raw)
	if err == nil {
		return nil
	}
	var tree any
	if utiljson.Unmarshal(raw, &tree) != nil {
		return &snapshot.Undecodable{Path: path, Text: "cannot be read"}
	}
	return locate(tree, path, err)
}

func decodeTemplate(raw []byte) error {
	var template *corev1.PodTemplateSpec
	return utiljson.Unmarshal(raw, &template)
}

// locate finds the smallest part of a template without which it decodes: what the decoder says has no place for numbers of
// list entries, and for some types no path at all. The tree is as it was when it returns.
func locate(root any, path string, err error) *snapshot.Undecodable {
	without := func() error {
		raw, encoding := stdjson.Marshal(root)
		if encoding != nil {
			return encoding
		}
		return decodeTemplate(raw)
	}
	at, start := root, path
	for {
		name, child, found := culprit(at, without)
		if !found {
			return &snapshot.Undecodable{Path: path, Text: complaint(at, err, strings.TrimPrefix(withoutIndices(path), withoutIndices(start)+"."))}
		}
		path, at = path+name, child
	}
}

// culprit returns the member or entry of a value without which all is well.
func culprit(at any, without func() error) (name string, child any, found bool) {
	switch at := at.(type) {
	case map[string]any:
		for _, key := range slices.Sorted(maps.Keys(at)) {
			value := at[key]
			delete(at, key)
			err := without()
			at[key] = value
			if err == nil {
				return "." + key, value, true
			}
		}
	case []any:
		for i, value := range at {
			at[i] = nil // takes no room and is taken for anything
			err := without()
			at[i] = value
			if err == nil {
				return fmt.Sprintf("[%d]", i), value, true
			}
		}
	}
	return "", nil, false
}

// withoutIndices is a path as the decoder writes it.
func withoutIndices(path string) string {
	return regexp.MustCompile(`\[\d+]`).ReplaceAllString(path, "")
}

// complaint words what is wrong with a value, which may be why the decoder complained of another path.
func complaint(value any, err error, path string) string {
	var typeError *stdjson.UnmarshalTypeError
	got := wordFor(value)
	switch value := value.(type) {
	case map[string]any, []any:
		if !errors.As(err, &typeError) || typeError.Type == nil || typeError.Field != path {
			return "holds several values of a wrong type"
		}
	case string:
		if !errors.As(err, &typeError) {
			return fmt.Sprintf("is a string of %d characters that cannot be parsed", len(value))
		}
	}
	if errors.As(err, &typeError) && typeError.Type != nil && wordOf(typeError.Type.Kind()) != got {
		return "is " + got + ", not " + wordOf(typeError.Type.Kind())
	}
	return "is " + got + ", which does not belong there"
}

func wordFor(value any) string {
	switch value.(type) {
	case map[string]any:
		return "an object"
	case []any:
		return "a list"
	case string:
		return "a string"
	case bool:
		return "a boolean"
	case nil:
		return "null"
	default:
		return "a number"
	}
}

func wordOf(k reflect.Kind) string {
	switch k {
	case reflect.String:
		return "a string"
	case reflect.Bool:
		return "a boolean"
	case reflect.Slice, reflect.Array:
		return "a list"
	case reflect.Struct, reflect.Map, reflect.Pointer, reflect.Interface:
		return "an object"
	case reflect.Float32, reflect.Float64:
		return "a number"
	default:
		return "a whole number"
	}
}

// mentionsPrunable looks for the names in a manifest, quoted as a string of JSON.
func mentionsPrunable(quoted []byte) bool {
	names := []string{"priorityClassName", "template", "archives", "memoryLimit", "shuffleTrackingEnabled", "suspend"}
	return slices.ContainsFunc(names, func(name string) bool {
		return bytes.Contains(quoted, []byte(`"`+name+`\"`))
	})
}

// lostFields returns the fields that the manifest sets and the object does not have.
func lostFields(object, manifest []byte) []string {
	if len(manifest) == 0 {
		return nil
	}
	var stored, applied struct {
		Spec setFields `json:"spec"`
	}
	if json.Unmarshal(manifest, &applied, Options()) != nil || json.Unmarshal(object, &stored, Options()) != nil {
		return nil
	}
	var lost []string
	for _, f := range applied.Spec {
		if !slices.Contains(stored.Spec, f) {
			lost = append(lost, f)
		}
	}
	return lost
}

// setFields are the prunable fields that a spec sets.
type setFields []string

func (p *setFields) UnmarshalJSONFrom(dec *jsontext.Decoder) error {
	err := p.read(dec, nil)
	slices.Sort(*p)
	return err
}

func (p *setFields) read(dec *jsontext.Decoder, path []string) error {
	if dec.PeekKind() != '{' {
		return dec.SkipValue()
	}
	return members(dec, func(name string) error {
		below := append(slices.Clip(path), name)
		field := strings.Join(below, ".")
		switch {
		case dec.PeekKind() == 'n':
			return dec.SkipValue()
		case slices.Contains(snapshot.PrunableFields(), field):
			*p = append(*p, field)
			return dec.SkipValue()
		case len(path) > 0:
			return dec.SkipValue()
		default:
			return p.read(dec, below)
		}
	})
}

// maxUnkept bounds what is kept of one object.
const maxUnkept = 100

// unkeptFields returns the outermost fields below spec that an object sets and a schema does not keep, as paths of the schema. The API
// server drops null without a default, too (pkg/apiserver/customresource_handler.go of k8s.io/apiextensions-apiserver@v0.36.3).
func unkeptFields(object []byte, schema *snapshot.Schema) []string {
	var stored struct {
		Spec unkept `json:"spec"`
	}
	stored.Spec.schema = schema
	if json.Unmarshal(object, &stored, Options()) != nil {
		return nil
	}
	slices.Sort(stored.Spec.fields)
	return slices.Compact(stored.Spec.fields)
}

type unkept struct {
	schema *snapshot.Schema
	fields []string
}

func (u *unkept) UnmarshalJSONFrom(dec *jsontext.Decoder) error { return u.read(dec, "") }

// read passes over a value at a path of the schema. What is of another type than the schema says is no business of this.
func (u *unkept) read(dec *jsontext.Decoder, path string) error {
	kind := dec.PeekKind()
	switch {
	case kind == '[':
		return elements(dec, func() error { return u.read(dec, below(path, snapshot.EachItem)) })
	case kind != '{' || len(u.fields) >= maxUnkept:
		return dec.SkipValue()
	}
	return members(dec, func(name string) error {
		field, values := below(path, name), below(path, snapshot.AnyKey)
		switch {
		case u.schema.Has(field):
			return u.read(dec, field)
		case u.schema.Has(values):
			return u.read(dec, values)
		case !u.schema.Keeps(field) && dec.PeekKind() != 'n':
			u.fields = append(u.fields, field)
		}
		return dec.SkipValue()
	})
}

func below(path, name string) string {
	if path == "" {
		return name
	}
	return path + "." + name
}

// refusedValues returns what a schema refuses of the values below spec.
func refusedValues(object []byte, crd *snapshot.Schema, places bool) []schema.Violation {
	var stored struct {
		Spec any `json:"spec"`
	}
	if len(crd.Rules) == 0 || json.Unmarshal(object, &stored, Options()) != nil {
		return nil
	}
	if places {
		return crd.Rules.Places(stored.Spec)
	}
	return crd.Rules.Violations(stored.Spec)
}
