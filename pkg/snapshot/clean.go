package snapshot

import (
	"reflect"
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/redact"
)

// Clean takes secrets out of a record before it becomes part of a snapshot. It looks at every text of a record, of whatever
// type, so that a field that is added later is clean, too. What decoders cut or share they have cleaned before, by the
// same redact.Text: half a secret could not be told from other text.
func Clean(r Record) {
	if v := reflect.ValueOf(r).Elem(); tainted(v) {
		v.Set(cleaned(v))
	}
}

// Cleaned returns a copy of any value without secrets.
func Cleaned(v any) any { return cleaned(reflect.ValueOf(v)).Interface() }

// isName reports whether a type holds names by which objects are found, which the API server restricts to a few
// characters, or no text at all.
func isName(t reflect.Type) bool {
	switch t {
	case reflect.TypeFor[Ref](), reflect.TypeFor[OwnerReference](), reflect.TypeFor[GroupKind](), reflect.TypeFor[Location](),
		reflect.TypeFor[Features](), reflect.TypeFor[Labels](), reflect.TypeFor[time.Time](), reflect.TypeFor[metav1.LabelSelector]():
		return true
	}
	return false
}

// tainted reports whether there is a secret in any text of a value.
func tainted(v reflect.Value) bool {
	if isName(v.Type()) {
		return false
	}
	switch v.Kind() {
	case reflect.String:
		return text(v) != v.String()
	case reflect.Interface:
		return !v.IsNil() && tainted(v.Elem())
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() && tainted(v.Field(i)) {
				return true
			}
		}
	case reflect.Pointer:
		return !v.IsNil() && tainted(v.Elem())
	case reflect.Slice:
		if args, is := texts(v); is {
			return !slices.Equal(args, redact.Args(slices.Clone(args)))
		}
		for i := range v.Len() {
			if v.Type().Elem().Kind() != reflect.Uint8 && tainted(v.Index(i)) {
				return true
			}
		}
	case reflect.Map:
		for each := v.MapRange(); each.Next(); {
			if named, is := namedText(each); tainted(each.Value()) || is && named != redact.Mark {
				return true
			}
		}
	}
	return false
}

// cleaned returns a copy of a value without secrets. What it points to may be shared and is copied as well.
func cleaned(v reflect.Value) reflect.Value {
	out := reflect.New(v.Type()).Elem()
	out.Set(v)
	if !tainted(v) {
		return out
	}
	switch v.Kind() {
	case reflect.String:
		out.SetString(text(v))
	case reflect.Interface:
		out.Set(cleaned(v.Elem()))
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				out.Field(i).Set(cleaned(v.Field(i)))
			}
		}
	case reflect.Pointer:
		if !v.IsNil() {
			out.Set(reflect.New(v.Type().Elem()))
			out.Elem().Set(cleaned(v.Elem()))
		}
	case reflect.Slice:
		if args, is := texts(v); is {
			out.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
			for i, one := range redact.Args(slices.Clone(args)) {
				out.Index(i).Set(reflect.ValueOf(one))
			}
			break
		}
		out.Set(reflect.MakeSlice(v.Type(), v.Len(), v.Len()))
		for i := range v.Len() {
			out.Index(i).Set(cleaned(v.Index(i)))
		}
	case reflect.Map:
		out.Set(reflect.MakeMapWithSize(v.Type(), v.Len()))
		for each := v.MapRange(); each.Next(); {
			value := cleaned(each.Value())
			if _, is := namedText(each); is {
				value = reflect.ValueOf(redact.Mark).Convert(reflect.TypeFor[string]())
			}
			out.SetMapIndex(each.Key(), value)
		}
	}
	return out
}

// text returns a text without secrets.
func text(v reflect.Value) string {
	if v.Type() == reflect.TypeFor[LogText]() {
		return string(PlainLog(v.String()))
	}
	return redact.Text(v.String())
}

// namedText returns the text of a member whose name says that it is secret: settings of Spark and of Hadoop.
func namedText(member *reflect.MapIter) (value string, secret bool) {
	v := member.Value()
	if v.Kind() == reflect.Interface {
		v = v.Elem()
	}
	if v.Kind() != reflect.String || member.Key().Kind() != reflect.String {
		return "", false
	}
	return v.String(), redact.Secret(member.Key().String(), v.String())
}

// texts returns a list of texts, which may be the arguments of a program.
func texts(v reflect.Value) (list []string, is bool) {
	switch v.Type() {
	case reflect.TypeFor[[]string]():
		list, is = v.Interface().([]string)
	case reflect.TypeFor[[]any]():
		for i := range v.Len() {
			one := v.Index(i).Elem()
			if one.Kind() != reflect.String {
				return nil, false
			}
			list = append(list, one.String())
		}
		return list, len(list) > 0
	}
	return list, is
}

// Redacted stands where a secret was.
const Redacted = redact.Mark

// Redact takes secrets out of a text that a cluster supplied.
func Redact(text string) string { return redact.Text(text) }
