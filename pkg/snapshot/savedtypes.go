package snapshot

import (
	"reflect"
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func typeName(r Record) string { return reflect.TypeOf(r).Elem().Name() }

// FieldsOf names all fields of a record's type, those within others as "Owners.Kind", sorted.
func FieldsOf(r Record) []string {
	var out []string
	var walk func(t reflect.Type, path string)
	walk = func(t reflect.Type, path string) {
		for t.Kind() == reflect.Pointer || t.Kind() == reflect.Slice || t.Kind() == reflect.Map {
			t = t.Elem()
		}
		switch t {
		case reflect.TypeFor[time.Time](), reflect.TypeFor[Labels](), reflect.TypeFor[metav1.LabelSelector]():
			return
		}
		if t.Kind() != reflect.Struct {
			return
		}
		for i := range t.NumField() {
			f := t.Field(i)
			if f.Anonymous {
				walk(f.Type, path)
				continue
			}
			out = append(out, path+f.Name)
			walk(f.Type, path+f.Name+".")
		}
	}
	walk(reflect.TypeOf(r), "")
	slices.Sort(out)
	return slices.Compact(out)
}
