package command

import (
	"cmp"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// Value is a setting of the operator: its path in the values of the chart and, where a flag of the process says the same, that flag.
type Value struct {
	Path string
	To   string // empty: it is for the reader to choose
	Flag string // without the dashes and the value; empty: there is none

	Field string       // what it is called in a manifest, where that is no flag
	Of    snapshot.Ref // the Deployment that it is of; zero: the controller's
}

// List is a value that is a list of names, as helm's --set takes it; empty if one of them is not for a shell.
func List(names []string) string {
	for _, name := range names {
		if !ForShell(name) || strings.Contains(name, ",") {
			return ""
		}
	}
	return "{" + strings.Join(names, ",") + "}"
}

// set is the value as helm's --set takes it.
func (v Value) set() string { return v.Path + "=" + v.To }

// inManifest says what is changed where there is no chart.
func (v Value) inManifest() string {
	switch {
	case v.Flag != "":
		return "--" + v.Flag
	case v.Field != "":
		return v.Field
	default:
		return v.Path
	}
}

// change is the imperative for a name of the value.
func (v Value) change(verb, name string) string {
	to := strings.Trim(v.To, "{}")
	switch {
	case v.To == "":
		return verb + " " + name
	case verb == raise:
		return raise + " " + name + " to " + to
	case name == v.Path:
		return verb + " " + v.set()
	default:
		return verb + " " + name + "=" + to
	}
}

// raise is the verb for a value that is too low.
const raise = "raise"

// Set is how values of an installation are changed, by who applies them; nil: no installation was seen.
func Set(in *operator.Installation, values ...Value) Command { return setting(in, "set", values) }

// Raise is Set for a value that is too low.
func Raise(in *operator.Installation, value Value) Command { return setting(in, raise, []Value{value}) }

func setting(in *operator.Installation, verb string, values []Value) Command {
	var texts, plain []string
	set, whole := "", true
	for _, v := range values {
		texts, plain = append(texts, v.change(verb, v.Path)), append(plain, v.change(verb, v.inManifest()))
		whole = whole && v.To != ""
		set += " --set " + Quoted(v.set())
	}
	what := strings.Join(texts, " and ")
	if in == nil {
		return Do("%s in the operator's Helm values", what)
	}
	r := InstallerOf(in)
	switch {
	case r.Tool == Helm && r.Chart != "" && whole:
		c := Do("%s in the values of Helm release %s", what, r.Name)
		c.Line = r.upgrade(set)
		return c
	case r.Tool == Helm:
		return Do("%s in the values of Helm release %s, then upgrade it", what, r.Name).With("helm get values %s -n %s", r.Name, r.Namespace)
	case r.Tool == FluxHelm:
		return Do("%s in spec.values of HelmRelease %s", what, r.Source).
			With("kubectl -n %s get helmrelease %s -o yaml", r.SourceFrom, r.Source)
	case r.Tool == ArgoCD && r.Chart != "":
		return Do("%s in the Helm values of Argo CD application %s, then sync it", what, r.Source)
	case r.Chart != "" && r.Tool == Unknown:
		return Do("%s in the values of chart spark-operator %s, and render and apply it again", what, r.Chart)
	}
	return r.inManifest(strings.Join(plain, " and "), cmp.Or(values[0].Of.Name, r.Deployment))
}

// inManifest is how a Deployment is changed that comes of no chart.
func (r Installer) inManifest(what, deployment string) Command {
	switch r.Tool {
	case ArgoCD:
		return Do("%s in what Argo CD application %s applies as Deployment %s", what, r.Source, deployment)
	case Kustomize:
		return Do("%s in what Kustomization %s applies as Deployment %s", what, r.Source, deployment)
	default:
		return Do("%s in the manifest of Deployment %s", what, deployment).With("kubectl -n %s edit deployment %s", r.Installed, deployment)
	}
}
