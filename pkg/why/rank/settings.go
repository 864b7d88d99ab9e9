package rank

import (
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// Settings are those of Spark that an answer is about by what it consists of, beside those of its class: a reader looks up next what they
// are set to. No words of an answer name others, which a test holds.
func (a *Answer) Settings() []string {
	var out []string
	for i := range a.Clauses {
		out = append(out, settingsOf(a.Clauses[i].Cause.Detail)...)
	}
	for i := range a.Advice {
		out = append(out, settingsOf(a.Advice[i].Detail)...)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func settingsOf(detail cause.Detail) []string {
	switch detail.(type) {
	case AskAgain, NextTime:
		return []string{mechanism.KeepsPods}
	default:
		return mechanism.SettingsOf(detail)
	}
}
