package fix

import (
	"fmt"
	"slices"
	"strings"
)

// Path leads to a field. A step is the name of a field or the key of a map; "[uid=x]" is the element of a list whose
// uid is x, and "[=x]" the element that is x. Elements are named by what they are, since indices move.
type Path []string

// String returns "metadata.ownerReferences[uid=x]"; keys that are no field names are quoted.
func (p Path) String() string {
	var b strings.Builder
	for i, step := range p {
		switch {
		case isElement(step):
			b.WriteString(step)
		case strings.ContainsAny(step, "./- "):
			fmt.Fprintf(&b, "[%q]", step)
		case i > 0:
			b.WriteString("." + step)
		default:
			b.WriteString(step)
		}
	}
	return b.String()
}

// key tells a path from any other, in fewer steps than String.
func (p Path) key() string { return strings.Join(p, "\x00") }

// under reports whether a path is the other or lies below it.
func (p Path) under(other ...string) bool {
	return len(p) >= len(other) && slices.Equal(p[:len(other)], other)
}

func element(key, value string) string { return "[" + key + "=" + value + "]" }

func isElement(step string) bool { return strings.HasPrefix(step, "[") && strings.HasSuffix(step, "]") }

// find returns the index of the element that a step names, -1 if there is none.
func find(list []any, step string) int {
	key, value, _ := strings.Cut(step[1:len(step)-1], "=")
	return slices.IndexFunc(list, func(e any) bool {
		if key == "" {
			return e == any(value)
		}
		fields, ok := e.(map[string]any)
		return ok && fields[key] == any(value)
	})
}

// place is where a path leads in an object.
type place struct {
	pointer string // RFC 6901
	value   any
	exists  bool
	missing []string // pointers of the maps and lists above it that do not exist, outermost first
}

// locate follows a path. It is an error if something on the way is neither a map nor a list.
func locate(object map[string]any, path Path) (place, error) {
	var at any = object
	out := place{exists: true}
	var pointer strings.Builder
	pointer.Grow(path.size())
	for i, step := range path {
		if !out.exists {
			out.missing = append(out.missing, pointer.String())
			pointer.WriteString("/" + childOf(step))
			continue
		}
		next, exists, token, err := child(at, step)
		if err != nil {
			return place{}, fmt.Errorf("%s: %w", path[:i+1], err)
		}
		at, out.exists = next, exists
		pointer.WriteByte('/')
		pointer.WriteString(token)
	}
	out.pointer, out.value = pointer.String(), at
	return out, nil
}

// size is about how long the pointer is.
func (p Path) size() int {
	n := len(p)
	for _, step := range p {
		n += len(step)
	}
	return n
}

// childOf is the token of a step below something that does not exist yet.
func childOf(step string) string {
	if isElement(step) {
		return "-"
	}
	return escapePointer(step)
}

func child(at any, step string) (next any, exists bool, token string, err error) {
	if isElement(step) {
		list, ok := at.([]any)
		if !ok && at != nil {
			return nil, false, "", fmt.Errorf("is no element of a list but of %T", at)
		}
		if i := find(list, step); i >= 0 {
			return list[i], true, fmt.Sprint(i), nil
		}
		return nil, false, "-", nil
	}
	fields, ok := at.(map[string]any)
	if !ok && at != nil {
		return nil, false, "", fmt.Errorf("is no field of a map but of %T", at)
	}
	next, exists = fields[step]
	return next, exists, escapePointer(step), nil
}

// escapePointer escapes one token of a JSON pointer (RFC 6901, section 3).
func escapePointer(token string) string {
	return strings.ReplaceAll(strings.ReplaceAll(token, "~", "~0"), "/", "~1")
}
