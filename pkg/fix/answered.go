package fix

import (
	"maps"
	"slices"
)

// maxUnlike bounds the fields that are named.
const maxUnlike = 5

// Unlike names the fields of an answer that are not as a patch wrote them. Webhooks may change what is written, and may do so on the
// write alone: a dry run tells what they do only if they do the same then.
func (s Step) Unlike(answer *Object) []string {
	if s.Delete || answer == nil {
		return nil
	}
	var out []string
	for _, c := range s.Changes {
		if !c.writtenTo(answer) {
			out = append(out, c.Path.String())
		}
	}
	return out[:min(len(out), maxUnlike)]
}

// writtenTo reports whether a field of an object is as the change wrote it.
func (c *Change) writtenTo(o *Object) bool {
	at, err := locate(o.Object, c.Path)
	if err != nil || at.exists != (c.New != nil) {
		return false
	}
	return !at.exists || holds(at.value, c.New)
}

// holds reports whether a value has all that another one says; the API server adds defaults.
func holds(value, wanted any) bool {
	switch w := wanted.(type) {
	case map[string]any:
		v, ok := value.(map[string]any)
		return ok && !slices.ContainsFunc(slices.Collect(maps.Keys(w)), func(key string) bool { return !holds(v[key], w[key]) })
	case []any:
		v, ok := value.([]any)
		if !ok || len(v) != len(w) {
			return false
		}
		for i := range w {
			if !holds(v[i], w[i]) {
				return false
			}
		}
		return true
	default:
		return equal(value, wanted)
	}
}

// Respecced names the fields of an application's spec that differ between two answers; none for what is no object of the operator, or
// is written elsewhere.
func (s Step) Respecced(before, after *Object) []string {
	if !s.OnSparkObject() || before == nil || after == nil {
		return nil
	}
	var out []string
	differing(before.Object["spec"], after.Object["spec"], Path{"spec"}, &out)
	slices.Sort(out)
	return out[:min(len(out), maxUnlike)]
}

// differing collects the outermost fields in which two values differ.
func differing(a, b any, at Path, into *[]string) {
	before, isMap := a.(map[string]any)
	after, both := b.(map[string]any)
	if !isMap || !both {
		if !equal(a, b) {
			*into = append(*into, at.String())
		}
		return
	}
	keys := maps.Clone(before)
	maps.Copy(keys, after)
	for key := range keys {
		differing(before[key], after[key], append(slices.Clone(at), key), into)
	}
}
