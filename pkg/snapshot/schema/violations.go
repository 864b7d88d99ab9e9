package schema

import (
	"encoding/json"
	"math"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"
)

// Violation is a value that a schema refuses.
type Violation struct {
	Path    string // of the schema
	Keyword string // that refuses it
	Name    string // of the field that is missing, for Required
	Value   string // as JSON; of a list or an object "[]" or "{}"
	At      string // where in the object, such as volumes[1].name or sparkConf["a.b"]; of Places only
}

// Keywords that refuse values.
const (
	Type     = "type"
	Enum     = "enum"
	Required = "required"
	Minimum  = "minimum"
	Maximum  = "maximum"
	Pattern  = "pattern"
	Length   = "length"
	Unique   = "unique"
)

// mostViolations bounds what is kept of one object.
const mostViolations = 100

// Violations returns what the rules refuse of a value, the outermost of each place, sorted and each once. A null that is not allowed is
// no value, since the API server drops it, and a field with a default is never missing (pkg/apiserver/schema/defaulting/prune.go and
// algorithm.go of k8s.io/apiextensions-apiserver@v0.36.3).
func (r Rules) Violations(value any) []Violation {
	return r.violations(value, false)
}

// Places is Violations with the place of each value.
func (r Rules) Places(value any) []Violation { return r.violations(value, true) }

func (r Rules) violations(value any, places bool) []Violation {
	w := walk{rules: r, places: places}
	if value != nil {
		w.visit("", "", value)
	}
	key := func(v Violation) string {
		return strings.Join([]string{v.Path, v.Keyword, v.Name, v.Value, v.At}, "\x00")
	}
	slices.SortFunc(w.out, func(a, b Violation) int { return strings.Compare(key(a), key(b)) })
	return slices.Compact(w.out)
}

type walk struct {
	rules  Rules
	places bool
	out    []Violation
}

func (w *walk) add(at string, v Violation) {
	if w.places {
		v.At = at
	}
	if len(w.out) < mostViolations {
		w.out = append(w.out, v)
	}
}

// visit looks at a value that is not absent, and below it only where it has the type that the schema says.
func (w *walk) visit(path, at string, value any) {
	rule := w.rules[path]
	if keyword := rule.refuses(value); keyword != "" {
		w.add(at, Violation{Path: path, Keyword: keyword, Value: plain(value)})
		return
	}
	switch value := value.(type) {
	case map[string]any:
		w.object(path, at, rule, value)
	case []any:
		w.list(path, at, rule, value)
	}
}

func (w *walk) object(path, at string, rule Rule, value map[string]any) {
	for _, name := range rule.Required {
		field := w.rules[join(path, name)]
		if absent(field, value, name) && field.Default == "" {
			w.add(at, Violation{Path: path, Keyword: Required, Name: name, Value: "{}"})
		}
	}
	for name, one := range value {
		below, place := join(path, name), join(at, name)
		if _, named := w.rules[below]; !named {
			below, place = join(path, anyKey), at+"["+strconv.Quote(name)+"]"
		}
		if field, known := w.rules[below]; known && (one != nil || field.Nullable) {
			w.visit(below, place, one)
		}
	}
}

func absent(field Rule, object map[string]any, name string) bool {
	value, set := object[name]
	return !set || value == nil && !field.Nullable
}

func (w *walk) list(path, at string, rule Rule, value []any) {
	items, seen := join(path, eachItem), map[string]bool{}
	for i, item := range value {
		if key, has := w.key(items, rule, item); has {
			if seen[key] {
				w.add(at, Violation{Path: path, Keyword: Unique, Value: "[]"})
			}
			seen[key] = true
		}
		if _, known := w.rules[items]; known && item != nil {
			w.visit(items, at+"["+strconv.Itoa(i)+"]", item)
		}
	}
}

// key is by what a list tells an item apart. A key that is not set has its default or is absent
// (pkg/apiserver/schema/listtype/validation.go of k8s.io/apiextensions-apiserver@v0.36.3).
func (w *walk) key(items string, rule Rule, item any) (key string, has bool) {
	if rule.Set {
		return text(item), true
	}
	fields, is := item.(map[string]any)
	if len(rule.Keys) == 0 || !is {
		return "", false
	}
	for _, name := range rule.Keys {
		field := w.rules[join(items, name)]
		if value, set := fields[name]; set && !absent(field, fields, name) {
			key += text(value)
		} else {
			key += field.Default
		}
		key += "\x00"
	}
	return key, true
}

// Refuses reports whether a rule, of another schema, refuses what the violation is about as well.
func (r Rule) Refuses(v Violation) bool {
	switch v.Keyword {
	case Required:
		return slices.Contains(r.Required, v.Name)
	case Unique:
		return r.Set || len(r.Keys) > 0
	}
	var value any
	return json.Unmarshal([]byte(v.Value), &value) == nil && r.refuses(value) != ""
}

// refuses names the keyword that refuses a value itself.
func (r Rule) refuses(value any) string {
	if value == nil && r.Nullable {
		return ""
	}
	if r.Type != "" && !fits(value, r.Type) {
		return Type
	}
	if len(r.Enum) > 0 && !slices.Contains(r.Enum, text(value)) {
		return Enum
	}
	switch value := value.(type) {
	case float64:
		switch {
		case value < number(r.Minimum) || r.Above && value == number(r.Minimum):
			return Minimum
		case value > number(r.Maximum) || r.Below && value == number(r.Maximum):
			return Maximum
		}
	case string:
		long := utf8.RuneCountInString(value)
		if long < r.Shortest || r.Longest != nil && long > *r.Longest {
			return Length
		}
		if r.Pattern != "" {
			if is, err := regexp.MatchString(r.Pattern, value); err == nil && !is {
				return Pattern
			}
		}
	}
	return ""
}

// fits reports whether a value is of a type: a whole number is an integer, however it is written.
func fits(value any, want string) bool {
	switch value := value.(type) {
	case string:
		return want == "string"
	case bool:
		return want == "boolean"
	case float64:
		return want == "number" || want == "integer" && value == math.Trunc(value)
	case map[string]any:
		return want == "object"
	case []any:
		return want == "array"
	default:
		return true
	}
}

// plain is what is kept of a value.
func plain(value any) string {
	switch value.(type) {
	case map[string]any:
		return "{}"
	case []any:
		return "[]"
	default:
		return text(value)
	}
}
