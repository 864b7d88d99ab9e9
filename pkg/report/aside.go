package report

import (
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/input"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
)

// SetAside says which files hold nothing to judge as they stand.
func (s *Source) SetAside(a input.Aside) {
	s.HelmTemplates, s.HelmCharts, s.Kustomizations = a.Templates, a.Charts, a.Kustomizations
	s.Patches, s.WithoutObjects, s.Excluded = a.Patches, a.Foreign, a.Excluded
}

// Templates says how to have the templates of Helm judged, by a command of sparkdoctor or, without one, in general; empty: there are none.
func (s *Source) Templates(by string) string {
	if len(s.HelmTemplates) == 0 {
		return ""
	}
	return phrase.Counted(len(s.HelmTemplates), "Helm template") + piped("helm template "+only(s.HelmCharts, "CHART"), by)
}

// piped says where the output of a command goes.
func piped(from, by string) string {
	if by == "" {
		return ": pass the output of " + from + " with -f -"
	}
	return ": " + from + " | kubectl sparkdoctor " + by + " -f -"
}

// Kustomized says the same of what kustomize builds; empty: there are no kustomizations.
func (s *Source) Kustomized(by string) string {
	if len(s.Kustomizations) == 0 {
		return ""
	}
	var dirs []string
	for _, file := range s.Kustomizations {
		if !packed(file) { // kustomize reads directories
			dirs = append(dirs, filepath.Dir(file))
		}
	}
	what := phrase.Counted(len(s.Kustomizations), "kustomization")
	if n := len(s.Patches); n > 0 {
		what += " with " + phrase.Counted(n, "patch") + phrase.Verb(n, ", which is not judged", ", which are not judged")
	}
	return what + piped("kubectl kustomize "+only(dirs, "DIR"), by)
}

// packed reports whether a file was read out of an archive, by its name: that of the archive and its place there.
func packed(file string) bool {
	dir := filepath.ToSlash(filepath.Dir(file))
	inside := func(part string) bool { return slices.Contains([]string{".gz", ".tgz", ".tar"}, filepath.Ext(part)) }
	return strings.HasPrefix(dir+"/", "stdin/") || strings.Contains(file, "://") || slices.ContainsFunc(strings.Split(dir, "/"), inside)
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

// command is the one of sparkdoctor that made the report, as far as its question goes.
func (r *Report) command() string {
	switch {
	case r.Gate == nil:
		return "scan"
	case r.Gate.Controller == "":
		return "gate --from " + command.Quoted(r.Gate.From) + " --to " + command.Quoted(r.Gate.To)
	default:
		return "gate --to " + command.Quoted(r.Gate.To)
	}
}
