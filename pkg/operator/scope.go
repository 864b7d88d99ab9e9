package operator

import "github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"

// Scope says for people what a controller takes.
func (in *Installation) Scope() string {
	text := "namespaces labelled " + in.NamespaceSelector()
	if in.NamespaceSelector() == "" {
		text = "all namespaces"
		if list := in.Namespaces(); list != nil {
			text = "only namespace " + phrase.FirstOf(list)
		}
	} else if list := in.Listed(); len(list) > 0 {
		text = "namespace " + phrase.FirstOf(list) + " and " + text
	}
	if filter := in.LabelFilter(); filter != "" {
		text += ", applications labelled " + filter
	}
	return text
}
