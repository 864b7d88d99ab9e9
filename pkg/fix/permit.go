package fix

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"unicode"

	"k8s.io/apimachinery/pkg/api/validate/content"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// A refusal quotes at most this much of a file: of a place in it, and of the fault there.
const (
	shownPlace = 200
	shownFault = 400
)

// Fault is what the table forbids, with the place in the file that says it. The file may say it at any length.
func Fault(at, format string, args ...any) error {
	return &Refused{
		Reason: shortened(at, shownPlace) + ": " + shortened(fmt.Sprintf(format, args...), shownFault),
		Advice: "only what fix itself would write is written",
	}
}

// shortened is a text with its control characters and line breaks quoted, without what is beyond a number of bytes.
func shortened(text string, most int) string {
	long := len(text) > most
	if long {
		text = strings.ToValidUTF8(text[:most], "")
	}
	if strings.ContainsFunc(text, func(r rune) bool { return !unicode.IsPrint(r) }) {
		quoted := strconv.Quote(text)
		text = strings.ReplaceAll(quoted[1:len(quoted)-1], `\"`, `"`)
	}
	if long {
		text += "…"
	}
	return text
}

// object checks the object that an intent writes. Without a UID another object of that name could be hit.
func (r rule) object(at string, o snapshot.Ref) error {
	if o.Kind == "" {
		return Fault(at+".kind", "is missing")
	}
	if !slices.Contains(r.kinds, o.GroupKind()) {
		return Fault(at+".kind", "%s writes no %s", r.name, o.GroupKind())
	}
	if o.UID == "" {
		return Fault(at+".uid", "is missing")
	}
	src, _ := snapshot.SourceOf(snapshot.ViewOf(o.GroupKind()))
	if src.Kind == o.Kind && src.Namespaced != (o.Namespace != "") {
		return Fault(at+".namespace", "is %q, of a %s", o.Namespace, o.Kind)
	}
	for field, name := range map[string]string{"namespace": o.Namespace, "name": o.Name} {
		if field == "name" && name == "" {
			return Fault(at+".name", "is missing")
		}
		if wrong := content.IsPathSegmentName(name); len(wrong) > 0 {
			return Fault(at+"."+field, "%s", strings.Join(wrong, ", "))
		}
	}
	return nil
}

// step checks a step, and hides what the table hides, whatever the step says.
func (r rule) step(at string, s *Step) error {
	if err := r.object(at+".target", s.Target); err != nil {
		return err
	}
	switch {
	case s.Subresource != r.write.Subresource:
		return Fault(at+".subresource", "is %q, and %s writes %q", s.Subresource, r.name, r.write.Subresource)
	case s.Delete != r.write.Delete:
		return Fault(at+".delete", "is %t, and of %s it is %t", s.Delete, r.name, r.write.Delete)
	case s.Delete != (len(s.Changes) == 0):
		return Fault(at+".changes", "are %d, of a step that deletes: %t", len(s.Changes), s.Delete)
	}
	for i := range s.Changes {
		if err := r.change(func() string { return fmt.Sprintf("%s.changes[%d]", at, i) }, &s.Changes[i]); err != nil {
			return err
		}
	}
	if !slices.EqualFunc(s.Preconditions, r.hold, func(h Precondition, p Path) bool { return slices.Equal(h.Path, p) && text(h.Value, "") }) {
		return Fault(at+".hold", "is not what %s holds to", r.name)
	}
	return nil
}

func (r rule) change(at func() string, c *Change) error {
	n := slices.IndexFunc(r.fields, func(f field) bool { return f.matches(c.Path) })
	if n < 0 {
		return Fault(at()+".path", "%s does not write %s", r.name, c.Path)
	}
	f, key := r.fields[n], c.Path[len(c.Path)-1]
	c.Hidden = f.hidden
	removes := c.New == nil && (c.Old == nil || text(c.Old, key))
	switch {
	case f.hidden && removes:
		return nil // a record keeps no such value
	case !f.from(c.Old, key):
		return Fault(at()+".old", "is nothing that %s changes", r.name)
	case !f.to(c.New, key):
		return Fault(at()+".new", "is nothing that %s writes", r.name)
	case c.Old == nil && c.New == nil:
		return Fault(at(), "changes nothing")
	}
	return nil
}

// permitted returns the row that allows a step of a record, by what it writes.
func permitted(at string, s *Step) (rule, error) {
	var first error
	list := table()
	for _, r := range slices.Clone(list) {
		if r.undo.Exact {
			list = append(list, r.reversed())
		}
	}
	if !slices.ContainsFunc(list, func(r rule) bool { return slices.Contains(r.kinds, s.Target.GroupKind()) }) {
		return rule{}, Fault(at+".target.kind", "fix writes no %s", s.Target.GroupKind())
	}
	best := -1
	for _, r := range list {
		err := r.step(at, s)
		if err == nil {
			return r, nil
		}
		if near := r.near(s); near > best {
			first, best = err, near
		}
	}
	return rule{}, first
}

// near says how much of a step a row is about, for the reason why none allows it: what it changes says most.
func (r rule) near(s *Step) int {
	n := 0
	if len(s.Changes) > 0 && slices.ContainsFunc(r.fields, func(f field) bool { return f.matches(s.Changes[0].Path) }) {
		n += 3
	}
	if slices.Contains(r.kinds, s.Target.GroupKind()) {
		n += 2
	}
	if r.write == (Write{Subresource: s.Subresource, Delete: s.Delete}) {
		n++
	}
	return n
}
