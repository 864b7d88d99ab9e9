package snapshot

import (
	"reflect"
	"slices"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// newRecord returns an empty record of the type that a view holds, nil if this build does not know the view. It is the
// type into which the view's decoder decodes; named here is what has no decoder, or one that keeps only some objects.
func newRecord(v View) Record {
	switch {
	case v == Owners, v == Annotated, v == KueueWorkloads, dependent(v):
		return new(Object)
	case v == ServedCertificates:
		return new(ServedCertificate)
	case v == OperatorLogs:
		return new(OperatorLog)
	case v == RoleBindings, v == ClusterRoleBindings:
		return new(RoleBinding)
	case v == OperatorCRDs:
		return new(CRD)
	case v == WarningEvents:
		return new(Event)
	}
	src, known := SourceOf(v)
	if !known {
		return nil
	}
	r, err := Decode(src, Item{Encoding: JSON, Raw: []byte("{}")})
	if err != nil || r == nil {
		return nil
	}
	fresh, _ := reflect.New(reflect.TypeOf(r).Elem()).Interface().(Record)
	return fresh
}

func typeName(r Record) string { return reflect.TypeOf(r).Elem().Name() }

// fieldsOf names all fields of a record's type, those within others as "Owners.Kind", sorted.
func fieldsOf(r Record) []string {
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
