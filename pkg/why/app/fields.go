package app

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// fields reads a JSON object field by field. What is not there, or is of another type than asked for, is absent: the rest of the object
// still tells what it tells.
type fields map[string]any

// value is what stands at a path.
func (f fields) value(path ...string) (any, bool) {
	for _, name := range path[:len(path)-1] {
		f = object(f[name])
	}
	value := f[path[len(path)-1]]
	return value, value != nil
}

func object(value any) fields { m, _ := value.(map[string]any); return m }

func (f fields) object(path ...string) fields {
	value, _ := f.value(path...)
	return object(value)
}

func (f fields) text(path ...string) string {
	value, _ := f.value(path...)
	text, _ := value.(string)
	return text
}

func (f fields) flag(path ...string) bool {
	value, _ := f.value(path...)
	on, _ := value.(bool)
	return on
}

// number is a whole number; nil: there is none.
func (f fields) number(path ...string) *int {
	value, _ := f.value(path...)
	switch n := value.(type) {
	case int64:
		return new(int(n))
	case float64:
		return new(int(n))
	default:
		return nil
	}
}

func (f fields) count(path ...string) int {
	if n := f.number(path...); n != nil {
		return *n
	}
	return 0
}

func (f fields) when(path ...string) time.Time {
	at, err := time.Parse(time.RFC3339, f.text(path...))
	if err != nil {
		return time.Time{}
	}
	return at
}

// objects are those in a list.
func (f fields) objects(path ...string) []fields {
	value, _ := f.value(path...)
	list, _ := value.([]any)
	var out []fields
	for _, one := range list {
		if m, is := one.(map[string]any); is {
			out = append(out, m)
		}
	}
	return out
}

func (f fields) texts(path ...string) []string {
	value, _ := f.value(path...)
	list, _ := value.([]any)
	var out []string
	for _, one := range list {
		if text, is := one.(string); is {
			out = append(out, text)
		}
	}
	return out
}

// textsByName are the texts of an object.
func (f fields) textsByName(path ...string) map[string]string {
	out := map[string]string{}
	for name, value := range f.object(path...) {
		if text, is := value.(string); is {
			out[name] = text
		}
	}
	return out
}

// asText writes maps as they stand on a command line: pool=spark.
func asText(field any) string {
	var parts []string
	switch one := field.(type) {
	case map[string]any:
		for key, value := range one {
			parts = append(parts, key+"="+asText(value))
		}
		slices.Sort(parts)
	case []any:
		for _, value := range one {
			parts = append(parts, asText(value))
		}
	default:
		return fmt.Sprint(field)
	}
	return strings.Join(parts, ", ")
}
