package fix

import (
	"fmt"
	"strings"

	"github.com/aymanbagabas/go-udiff"
	"sigs.k8s.io/yaml"
)

// maxShown bounds the changes of one step that a diff shows one by one.
const maxShown = 10

// Diff returns the unified diff of a step, of the first fields that it writes and no others: the rest of an object may
// hold what is nobody's business.
func (s Step) Diff() (string, error) {
	before, after, err := s.Sides(maxShown)
	if err != nil {
		return "", err
	}
	name := Flat(s.Target)
	if s.Subresource != "" {
		name += " (" + s.Subresource + ")"
	}
	return udiff.Unified(name, name, before, after), nil
}

// Sides returns the written fields before and after as YAML, with at most limit changes; 0 means all.
func (s Step) Sides(limit int) (before, after string, err error) {
	old, updated := s.head(), s.head()
	if s.Delete {
		text, err := yaml.Marshal(old)
		return string(text), "", err
	}
	changes := s.Changes
	if limit > 0 && len(changes) > limit {
		changes = changes[:limit]
	}
	for _, c := range changes {
		for _, side := range []struct {
			object map[string]any
			value  any
		}{{old, c.Old}, {updated, c.New}} {
			if side.value == nil {
				continue
			}
			if err := write(side.object, Change{Path: c.Path, New: shown(side.value, c.Hidden)}); err != nil {
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
	text, ok := v.(string)
	if ok && (hidden || len(text) > 200) {
		return fmt.Sprintf("(%d bytes: %s…)", len(text), preview(text, hidden))
	}
	return v
}

func preview(text string, hidden bool) string {
	if hidden {
		return "not shown"
	}
	return strings.ToValidUTF8(text[:40], "")
}
