package checks_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/internal/prose"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks"
)

// TestChecksSpeakPlainEnglish reads the title of every check, and what each says of its fixtures: messages and next steps.
func TestChecksSpeakPlainEnglish(t *testing.T) {
	said := map[string]map[string]bool{}
	say := func(id, text string) {
		if said[id] == nil {
			said[id] = map[string]bool{}
		}
		said[id][text] = true
	}
	for _, c := range checks.Catalogue() {
		say(c.ID, c.Title)
	}
	for _, a := range advice(t) {
		for _, c := range a.next {
			say(a.finding.Check, c.Text)
		}
	}
	messages := 0
	for _, f := range fixtures(t) {
		s := f.Snapshot(t)
		for _, r := range check.Run(s, []check.Check{checkOf(t, f.ID())}, f.Asked(t, s)) {
			say(r.Check.ID, r.Reason)
			for i := range r.Findings {
				say(r.Check.ID, r.Findings[i].Message)
				say(r.Check.ID, r.Findings[i].Subject+": "+r.Findings[i].Brief)
				say(r.Check.ID, r.Findings[i].Follows)
				messages++
			}
		}
	}
	require.Greater(t, messages, 400)
	for _, c := range checks.Catalogue() {
		var found []string
		for text := range said[c.ID] {
			for _, f := range prose.Text(text) {
				found = append(found, f.String()+"\n  in: "+text)
			}
		}
		for _, f := range found {
			t.Errorf("%s: %s", c.ID, f)
		}
	}
}
