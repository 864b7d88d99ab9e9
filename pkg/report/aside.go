package report

import (
	"fmt"
	"path/filepath"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/input"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
)

// SetAside says which files hold nothing to judge as they stand.
func (s *Source) SetAside(a input.Aside) {
	s.HelmTemplates, s.HelmCharts, s.Kustomizations = a.Templates, a.Charts, a.Kustomizations
	s.Patches, s.WithoutObjects, s.Excluded = a.Patches, a.Foreign, a.Excluded
}

// Templates says how to have the templates of Helm judged; empty: there are none.
func (s *Source) Templates() string {
	if len(s.HelmTemplates) == 0 {
		return ""
	}
	render := "helm template " + only(s.HelmCharts, "CHART")
	return fmt.Sprintf("%s: %s | kubectl sparkdoctor scan -f -", phrase.Counted(len(s.HelmTemplates), "Helm template"), render)
}

// Kustomized says how to have what kustomize builds judged; empty: there are no kustomizations.
func (s *Source) Kustomized() string {
	if len(s.Kustomizations) == 0 {
		return ""
	}
	var dirs []string
	for _, file := range s.Kustomizations {
		dirs = append(dirs, filepath.Dir(file))
	}
	what := phrase.Counted(len(s.Kustomizations), "kustomization")
	if n := len(s.Patches); n > 0 {
		what += " with " + phrase.Counted(n, "patch") + phrase.Verb(n, ", which is not judged", ", which are not judged")
	}
	return fmt.Sprintf("%s: kubectl kustomize %s | kubectl sparkdoctor scan -f -", what, only(dirs, "DIR"))
}

// only is the only one of some directories, as a shell takes it, or a word for all of them.
func only(dirs []string, word string) string {
	if len(dirs) != 1 {
		return word
	}
	return command.Quoted(dirs[0])
}

// input says what the files held.
func (s *Source) input() string {
	text := fmt.Sprintf("%s in %s", phrase.Counted(s.Objects, "object"), phrase.Counted(len(s.Files), "file"))
	if s.Duplicates > 0 {
		text += fmt.Sprintf(", %s dropped", phrase.Counted(s.Duplicates, "duplicate"))
	}
	if n := len(s.WithoutObjects); n > 0 {
		text += fmt.Sprintf(", %s no Kubernetes object", phrase.Counted(n, "file")+phrase.Verb(n, " holds", " hold"))
	}
	if s.Excluded > 0 {
		text += fmt.Sprintf(", %s excluded", phrase.Counted(s.Excluded, "file"))
	}
	return text
}
