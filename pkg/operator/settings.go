package operator

import (
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/labels"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// settings are what the flags of a controller or a webhook say. Find reads them once: installations are asked about
// every application and pod, and may name hundreds of namespaces.
type settings struct {
	flags      map[string]string
	namespaces []string // that the flags name; nil: none, or all
	named      map[string]bool
	variable   bool // one of them is known to the container only

	selector   labels.Selector // --namespace-selector; nil: none
	unreadable bool            // it cannot be read
}

func settingsOf(d *snapshot.Deployment, legacy bool) settings {
	if d == nil {
		return settings{}
	}
	s := settings{flags: flagsOf(d)}
	s.namespaces = namespaceList(s.flags, legacy)
	s.named = make(map[string]bool, len(s.namespaces))
	for _, name := range s.namespaces {
		s.named[name] = true
	}
	s.variable = slices.ContainsFunc(s.namespaces, isVariable)
	if selector := unquoted(s.flags["namespace-selector"]); selector != "" {
		var err error
		s.selector, err = labels.Parse(selector)
		s.unreadable = err != nil
	}
	return s
}

func (in *Installation) flag(name string) string { return in.controller.flags[name] }

// FlagsOf returns the flags of a Deployment by their names without dashes.
func FlagsOf(d *snapshot.Deployment) map[string]string { return flagsOf(d) }

// flagsOf reads "-name=value", "--name=value" and "--name value" from all containers of a Deployment.
func flagsOf(d *snapshot.Deployment) map[string]string {
	flags := map[string]string{}
	for _, c := range d.Containers {
		for i, arg := range c.Args {
			if !strings.HasPrefix(arg, "-") {
				continue
			}
			name, value, found := strings.Cut(strings.TrimLeft(arg, "-"), "=")
			if !found && i+1 < len(c.Args) && !strings.HasPrefix(c.Args[i+1], "-") {
				value = c.Args[i+1]
			}
			flags[name] = value
		}
	}
	return flags
}

// namespaceList returns the namespaces that the flags of a controller or a webhook name, nil for all of them.
func namespaceList(flags map[string]string, legacy bool) []string {
	value := flags["namespaces"]
	if legacy {
		value = flags["namespace"]
	}
	value = unquoted(value)
	if value == "" {
		return nil
	}
	list := strings.Split(value, ",")
	if slices.Contains(list, "") {
		return nil
	}
	return list
}

// isVariable reports whether the value of a flag is known to the container only: "$(NAME)" is filled in from its environment.
func isVariable(value string) bool { return strings.Contains(value, "$(") }

func unquoted(value string) string { return strings.Trim(value, `"'`) }
