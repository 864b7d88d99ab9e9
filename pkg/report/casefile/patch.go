package casefile

import (
	"bytes"
	"fmt"
	"io"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// Patch writes what to change as JSON merge patches in YAML, one document an object. Without a known change it writes nothing.
func (d *Document) Patch(w io.Writer) error {
	var b bytes.Buffer
	for i, object := range d.patched() {
		if i > 0 {
			b.WriteString("---\n")
		}
		fmt.Fprintf(&b, "# kubectl patch %s %s -n %s --type merge --patch-file FILE\n", d.typeOf(object), report.Escape(object.Name),
			report.Escape(object.Namespace))
		if err := report.EncodeYAML(&b, d.patchOf(object)); err != nil {
			return err
		}
	}
	_, err := w.Write(b.Bytes())
	return err
}

// PatchedBy sets the command that prints the patch.
func (d *Document) PatchedBy(line string) *Document {
	d.patchLine = line
	return d
}

// Patchable reports whether there is something to patch.
func (d *Document) Patchable() bool { return len(d.patched()) > 0 }

// patched are the objects that have changes, in their order.
func (d *Document) patched() []snapshot.Ref {
	var out []snapshot.Ref
	for _, c := range d.Verdict.Change {
		if c.Object != nil && (len(out) == 0 || out[len(out)-1] != *c.Object) {
			out = append(out, *c.Object)
		}
	}
	return out
}

// patchOf names the object, so that its document can also stand among the patches of kustomize.
func (d *Document) patchOf(object snapshot.Ref) map[string]any {
	out := map[string]any{"apiVersion": object.APIVersion, "kind": object.Kind,
		"metadata": map[string]any{"name": object.Name, "namespace": object.Namespace}}
	for _, c := range d.Verdict.Change {
		if c.Object == nil || *c.Object != object {
			continue
		}
		at := out
		for _, key := range c.path[:len(c.path)-1] {
			next, is := at[key].(map[string]any)
			if !is {
				next = map[string]any{}
				at[key] = next
			}
			at = next
		}
		at[c.path[len(c.path)-1]] = c.To
	}
	return out
}

// typeOf is how kubectl names the type of an object of this API. Without the group it takes the kind for that of the other operator, where
// the cluster has both.
func (d *Document) typeOf(o snapshot.Ref) string {
	if o.Group() == snapshot.ApacheGroup || d.namesake {
		return strings.ToLower(o.Kind) + "." + o.Group()
	}
	return strings.ToLower(o.Kind)
}
