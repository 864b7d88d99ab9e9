package app

import (
	"cmp"
	"slices"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot/whole"
)

// Keyed is a ConfigMap or a Secret: its name and, from files, its keys. Values are not read.
type Keyed struct {
	Name string
	Keys []string // nil: not known
	// Owner is what writes it: an ExternalSecret, a SealedSecret; empty: nothing owns it.
	Owner snapshot.Ref
	// Windows are those of its keys, in files, that hold a script whose first line ends as Windows ends lines.
	Windows []string
	// Connections is max_connections of the database whose settings it holds, Reserved what of them is kept for its administrators, as it
	// sets them; empty: it does not.
	Connections, Reserved string
}

// named are the ConfigMaps and Secrets of a list, by name.
func named(objects []unstructured.Unstructured, kind, namespace string) []Keyed {
	var out []Keyed
	for i := range objects {
		if o := &objects[i]; o.GetKind() == kind && o.GetAPIVersion() == "v1" && o.GetNamespace() == namespace {
			one := Keyed{Name: o.GetName(), Keys: listAt(o, "keys"), Windows: listAt(o, "windowsScripts")}
			settings := whole.Fields(o.Object).Object("connections")
			one.Connections, one.Reserved = settings.Text("max_connections"), settings.Text("superuser_reserved_connections")
			for _, owner := range o.GetOwnerReferences() {
				one.Owner = snapshot.Ref{APIVersion: owner.APIVersion, Kind: owner.Kind, Namespace: namespace, Name: owner.Name}
			}
			out = append(out, one)
		}
	}
	slices.SortFunc(out, func(a, b Keyed) int { return cmp.Compare(a.Name, b.Name) })
	return out
}

// listAt are keys of one: in the form in which a snapshot has it, a list of their own.
func listAt(o *unstructured.Unstructured, name string) []string {
	keys, _, err := unstructured.NestedStringSlice(o.Object, name)
	if err != nil {
		return nil
	}
	return keys
}

// NamesOf are the names of ConfigMaps or Secrets.
func NamesOf(list []Keyed) []string {
	out := make([]string, 0, len(list))
	for _, one := range list {
		out = append(out, one.Name)
	}
	return out
}

// KeyRef is where the spec takes the value of a variable from: a key of a Secret.
type KeyRef struct{ Variable, Secret, Key string }
