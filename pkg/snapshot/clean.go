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
	log, is := r.(*PodLog)
	if is && log.clean {
		return // a second time takes as long as the first, and changes nothing
	}
	v := reflect.ValueOf(r).Elem()
	if clean, changed := cleaned(v); changed {
		v.Set(clean)
	}
	if is {
		log.clean = true
	}
}

// Cleaned returns any value without secrets: a copy where it has some.
func Cleaned(v any) any {
	clean, _ := cleaned(reflect.ValueOf(v))
	return clean.Interface()
}

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

// cleaned returns a value without secrets, and whether it had any. Then it is a copy: what it points to may be shared. Each text is
// looked at once, however deep it lies.
func cleaned(v reflect.Value) (clean reflect.Value, changed bool) {
	if isName(v.Type()) {
		return v, false
	}
	switch v.Kind() {
	case reflect.String:
		plain := text(v)
		if plain == v.String() {
			return v, false
		}
		clean = reflect.New(v.Type()).Elem()
		clean.SetString(plain)
		return clean, true
	case reflect.Interface, reflect.Pointer:
		return cleanedElem(v)
	case reflect.Struct:
		clean = v
		for i := range v.NumField() {
			if !v.Type().Field(i).IsExported() {
				continue
			}
			field, differs := cleaned(v.Field(i))
			if !differs {
				continue
			}
			if !changed {
				clean, changed = reflect.New(v.Type()).Elem(), true
				clean.Set(v)
			}
			clean.Field(i).Set(field)
		}
		return clean, changed
	case reflect.Slice:
		return cleanedSlice(v)
	case reflect.Map:
		return cleanedMap(v)
	default:
		return v, false
	}
}

// cleanedElem cleans what an interface holds or a pointer points to.
func cleanedElem(v reflect.Value) (clean reflect.Value, changed bool) {
	if v.IsNil() {
		return v, false
	}
	elem, changed := cleaned(v.Elem())
	switch {
	case !changed:
		return v, false
	case v.Kind() == reflect.Interface:
		clean = reflect.New(v.Type()).Elem()
		clean.Set(elem)
	default:
		clean = reflect.New(v.Type().Elem())
		clean.Elem().Set(elem)
	}
	return clean, true
}

func cleanedSlice(v reflect.Value) (clean reflect.Value, changed bool) {
	if v.Type().Elem().Kind() == reflect.Uint8 {
		return v, false
	}
	clean = v
	args, areArgs := texts(v)
	var redacted []string
	if areArgs {
		redacted = redact.Args(slices.Clone(args))
	}
	for i := range v.Len() {
		var item reflect.Value
		var differs bool
		if areArgs {
			item, differs = reflect.ValueOf(redacted[i]), redacted[i] != args[i]
		} else {
			item, differs = cleaned(v.Index(i))
		}
		if !differs {
			continue
		}
		if !changed {
			clean, changed = reflect.MakeSlice(v.Type(), v.Len(), v.Len()), true
			reflect.Copy(clean, v)
		}
		clean.Index(i).Set(item)
	}
	return clean, changed
}

func cleanedMap(v reflect.Value) (clean reflect.Value, changed bool) {
	clean = v
	for each := v.MapRange(); each.Next(); {
		value, differs := cleaned(each.Value())
		if named, is := namedText(each); is && named != redact.Mark {
			value, differs = reflect.ValueOf(redact.Mark), true
		}
		if !differs {
			continue
		}
		if !changed {
			clean, changed = copyOf(v), true
		}
		clean.SetMapIndex(each.Key(), value)
	}
	return clean, changed
}

func copyOf(v reflect.Value) reflect.Value {
	out := reflect.MakeMapWithSize(v.Type(), v.Len())
	for each := v.MapRange(); each.Next(); {
		out.SetMapIndex(each.Key(), each.Value())
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

// RedactedLines counts the lines of a log that secrets of several lines took.
func RedactedLines(text LogText) int { return redact.Lines(string(text)) }
