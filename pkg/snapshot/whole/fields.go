package whole

import (
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// Fields reads a JSON object field by field. What is not there, or is of another type than asked for, is absent: the rest of the object
// still tells what it tells.
type Fields map[string]any

// Value is what stands at a path.
func (f Fields) Value(path ...string) (any, bool) {
	for _, name := range path[:len(path)-1] {
		f = object(f[name])
	}
	value := f[path[len(path)-1]]
	return value, value != nil
}

func object(value any) Fields { m, _ := value.(map[string]any); return m }

// Object is an object; nil: there is none.
func (f Fields) Object(path ...string) Fields {
	value, _ := f.Value(path...)
	return object(value)
}

// Text is a text; empty: there is none.
func (f Fields) Text(path ...string) string {
	value, _ := f.Value(path...)
	text, _ := value.(string)
	return text
}

// Flag is true or false; false: there is none.
func (f Fields) Flag(path ...string) bool {
	value, _ := f.Value(path...)
	on, _ := value.(bool)
	return on
}

// Number is a whole number; nil: there is none.
func (f Fields) Number(path ...string) *int {
	value, _ := f.Value(path...)
	switch n := value.(type) {
	case int64:
		return new(int(n))
	case float64:
		return new(int(n))
	default:
		return nil
	}
}

// Count is a whole number; 0: there is none.
func (f Fields) Count(path ...string) int {
	if n := f.Number(path...); n != nil {
		return *n
	}
	return 0
}

// When is a time; zero: there is none.
func (f Fields) When(path ...string) time.Time {
	at, err := snapshot.ParseTime(f.Text(path...))
	if err != nil {
		return time.Time{}
	}
	return at
}

// Objects are those in a list.
func (f Fields) Objects(path ...string) []Fields {
	value, _ := f.Value(path...)
	list, _ := value.([]any)
	var out []Fields
	for _, one := range list {
		if m, is := one.(map[string]any); is {
			out = append(out, m)
		}
	}
	return out
}

// Texts are those in a list.
func (f Fields) Texts(path ...string) []string {
	value, _ := f.Value(path...)
	list, _ := value.([]any)
	var out []string
	for _, one := range list {
		if text, is := one.(string); is {
			out = append(out, text)
		}
	}
	return out
}

// TextsByName are the texts of an object.
func (f Fields) TextsByName(path ...string) map[string]string {
	out := map[string]string{}
	for name, value := range f.Object(path...) {
		if text, is := value.(string); is {
			out[name] = text
		}
	}
	return out
}
