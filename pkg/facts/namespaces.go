package facts

import (
	"fmt"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
)

// ScopeOf says for people what a controller takes.
func ScopeOf(in *operator.Installation) string {
	text := "namespaces labelled " + in.NamespaceSelector()
	if in.NamespaceSelector() == "" {
		text = "all namespaces"
		if list := in.Namespaces(); list != nil {
			text = "only namespace " + FirstOf(list)
		}
	} else if list := in.Listed(); len(list) > 0 {
		text = "namespace " + FirstOf(list) + " and " + text
	}
	if filter := in.LabelFilter(); filter != "" {
		text += ", applications labelled " + filter
	}
	return text
}

// FirstOf joins the first of a long list and says how many more there are.
func FirstOf(list []string) string {
	if extra := len(list) - ShownApps; extra > 0 {
		return fmt.Sprintf("%s and %d more", strings.Join(list[:ShownApps], ", "), extra)
	}
	return strings.Join(list, ", ")
}

// ToldTo is the flag that says what a controller takes.
func ToldTo(in *operator.Installation) check.Evidence {
	return check.Evidence{Object: in.Controller.Ref, Field: "what the controller watches", Value: ScopeOf(in)}
}
