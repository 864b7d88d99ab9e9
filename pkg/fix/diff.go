package fix

import (
	"fmt"
	"slices"
	"strings"
	"unicode"

	"github.com/aymanbagabas/go-udiff"
	"sigs.k8s.io/yaml"
)

// maxShown bounds the alike entries of one map that a diff shows one by one.
const maxShown = 10

// Diff returns the unified diff of a step: of every field that it writes and no others, since the rest of an object may hold
// what is nobody's business. Of entries of one map that are written alike the first ones stand for all.
func (s Step) Diff() (string, error) {
	shown, rest := fold(s.Changes)
	folded := s
	folded.Changes = shown
	before, after, err := folded.Sides()
	if err != nil {
		return "", err
	}
	name := OneLine(s.Target)
	if s.Subresource != "" {
		name += " (" + s.Subresource + ")"
	}
	text := udiff.Unified(name, name, before, after)
	for _, r := range rest {
		text += fmt.Sprintf("# and %d more entries of %s, %s like these\n", r.count, OneLine(r.parent), r.verb)
	}
	return text, nil
}

// Sides returns the written fields before and after as YAML.
func (s Step) Sides() (before, after string, err error) {
	old, updated := s.head(), s.head()
	if s.Delete {
		text, err := yaml.Marshal(old)
		return string(text), "", err
	}
	if s.Stay > 0 && len(s.Changes) > 0 {
		of := s.Changes[0].Path[:len(s.Changes[0].Path)-1]
		stays := Change{Path: append(slices.Clone(of), "…"), New: fmt.Sprintf("%d that stay", s.Stay)}
		for _, side := range []map[string]any{old, updated} {
			if err := stays.Apply(side); err != nil {
				return "", "", err
			}
		}
	}
	for _, c := range s.Changes {
		for _, side := range []struct {
			object map[string]any
			value  any
		}{{old, c.Old}, {updated, c.New}} {
			if side.value == nil {
				continue
			}
			if err := (Change{Path: c.Path, New: shown(side.value, c.Hidden)}).Apply(side.object); err != nil {
				return "", "", err
			}
		}
	}
	a, err := yaml.Marshal(old)
	if err != nil {
		return "", "", err
	}
	b, err := yaml.Marshal(updated)
	return string(a), string(b), err
}

// head is what a diff names the object by.
func (s Step) head() map[string]any {
	metadata := map[string]any{"name": s.Target.Name}
	if s.Target.Namespace != "" {
		metadata["namespace"] = s.Target.Namespace
	}
	return map[string]any{"apiVersion": s.Target.APIVersion, "kind": s.Target.Kind, "metadata": metadata}
}

// shown is a value as people may see it: what is hidden, or too long to be read, is shown by its size.
func shown(v any, hidden bool) any {
	switch v := v.(type) {
	case string:
		if hidden || len(v) > 200 {
			return fmt.Sprintf("(%d bytes: %s…)", len(v), preview(v, hidden))
		}
		return legible(v)
	case map[string]any:
		out := make(map[string]any, len(v))
		for key, value := range v {
			out[legible(key)] = shown(value, hidden)
		}
		return out
	case []any:
		out := make([]any, 0, len(v))
		for _, value := range v {
			out = append(out, shown(value, hidden))
		}
		return out
	default:
		return v
	}
}

func preview(text string, hidden bool) string {
	if hidden {
		return "not shown"
	}
	return legible(strings.ToValidUTF8(text[:40], ""))
}

// legible spells control characters out: YAML has none of them (yaml.org/spec/1.2.2, 5.1).
func legible(text string) string {
	if strings.IndexFunc(text, unicode.IsControl) < 0 {
		return text
	}
	var b strings.Builder
	for _, r := range text {
		if unicode.IsControl(r) && r != '\n' && r != '\t' {
			fmt.Fprintf(&b, `\x%02x`, r)
		} else {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// OneLine makes a text that a cluster had a hand in one line, so that none can be forged. Who prints it escapes the rest.
func OneLine(v any) string {
	return strings.NewReplacer("\r", `\x0d`, "\n", `\x0a`).Replace(fmt.Sprint(v))
}
