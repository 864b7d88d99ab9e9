package input

import "reflect"

// What a value takes beside what it holds.
const (
	tableSize = 48
	slotSize  = 40 // of a table, beside the key and the value
	shortText = 64 // may be shared with others
)

// Size returns how many bytes a value takes about, with all that it points to.
func Size(v any) int64 {
	value := reflect.ValueOf(v)
	if !value.IsValid() {
		return 0
	}
	return int64(value.Type().Size()) + below(value)
}

// below is what a value takes beside its own bytes.
func below(v reflect.Value) int64 {
	size := int64(0)
	switch v.Kind() {
	case reflect.String:
		if v.Len() > shortText {
			size = int64(v.Len())
		}
	case reflect.Pointer:
		if !v.IsNil() {
			size = int64(v.Type().Elem().Size()) + below(v.Elem())
		}
	case reflect.Interface:
		if !v.IsNil() {
			size = int64(v.Elem().Type().Size()) + below(v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			size += below(v.Field(i))
		}
	case reflect.Slice:
		size = int64(v.Len()) * int64(v.Type().Elem().Size())
		if holds(v.Type().Elem().Kind()) {
			for i := range v.Len() {
				size += below(v.Index(i))
			}
		}
	case reflect.Map:
		size = tableSize
		for each := v.MapRange(); each.Next(); {
			size += slotSize + int64(each.Key().Type().Size()+each.Value().Type().Size()) + below(each.Key()) + below(each.Value())
		}
	}
	return size
}

// holds reports whether a value of a kind may point to something.
func holds(kind reflect.Kind) bool {
	switch kind {
	case reflect.String, reflect.Pointer, reflect.Interface, reflect.Struct, reflect.Slice, reflect.Map, reflect.Array:
		return true
	}
	return false
}
