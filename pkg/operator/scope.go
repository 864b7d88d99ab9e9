package operator

import "github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"

// Scope says for people what a controller takes.
func (in *Installation) Scope() string {
	text := "namespaces labelled " + in.NamespaceSelector()
	if in.NamespaceSelector() == "" {
		text = "all namespaces"
		if list := in.Namespaces(); list != nil {
			text = "only " + namespacesOf(list)
		}
	} else if list := in.Listed(); len(list) > 0 {
		text = namespacesOf(list) + " and " + text
	}
	if filter := in.LabelFilter(); filter != "" {
		text += ", applications labelled " + filter
	}
	return text
}

func namespacesOf(list []string) string {
	if len(list) == 1 {
		return "namespace " + list[0]
	}
	return "namespaces " + phrase.FirstOf(list)
}

// NamespacesFlag is the flag with the namespaces of a controller, as it is set; empty: it has none.
func (in *Installation) NamespacesFlag() string {
	for _, name := range []string{"namespaces", "namespace"} { // cmd/operator/controller/start.go@v2.5.2, main.go@v1beta2-1.6.2-3.5.0
		if value := in.flag(name); value != "" {
			return "--" + name + "=" + value
		}
	}
	return ""
}
