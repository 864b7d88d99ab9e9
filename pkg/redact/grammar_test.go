package redact_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/redact"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/redact/redacttest"
)

const canary = "hunter2Zq9xK4"

// TestGrammar: every name of a secret with every separator, by itself, between lines of a log, and in what writes a text into another one.
func TestGrammar(t *testing.T) {
	around := surroundings()
	around["itself"] = func(s string) string { return s }
	around["log"] = func(s string) string {
		return "26/01/02 03:04:05 INFO SparkContext: Running\n" + s + "\n26/01/02 03:04:06 INFO SparkContext: Stopped"
	}
	for n, where := range slices.Sorted(maps.Keys(around)) {
		write := around[where]
		for i, form := range redacttest.Grammar(canary) {
			if where != "itself" && where != "log" && i%4 != n%4 { // of each separator still every fourth name
				continue
			}
			text := write(form.Text)
			require.Contains(t, text, canary)
			for what, clean := range map[string]func(string) string{"Text": redact.Text, "Log": redact.Log} {
				got := clean(text)
				assert.NotContains(t, got, canary, "%s, %s: %s", what, where, text)
				assert.Equal(t, got, clean(got), "what was redacted stays as it is")
			}
			if where == "log" {
				assert.Contains(t, redact.Log(text), "\n26/01/02 03:04:06 INFO SparkContext: Stopped", text)
			}
		}
	}
}

// TestAlike: what looks like a secret and is none stays, by itself and in lines.
func TestAlike(t *testing.T) {
	for _, text := range redacttest.Alike() {
		for _, in := range []string{text, "26/01/02 03:04:05 WARN Main: " + text + "\nnext", "first\n" + text + "\nlast\n"} {
			assert.Equal(t, in, redact.Text(in))
			assert.Equal(t, in, redact.Log(in))
		}
	}
}

// TestLogKeepsItsLines: their number, and those beside a secret.
func TestLogKeepsItsLines(t *testing.T) {
	for _, form := range append(redacttest.Grammar(canary), redacttest.Forms(canary)...) {
		text := "first\n" + form.Text + "\nlast"
		require.Equal(t, strings.Count(text, "\n"), strings.Count(redact.Log(text), "\n"), text)
	}
}

// TestFormsOneAfterTheOther: a log of nothing but secrets has none left once it was cleaned, wherever it begins: lines that are looked at
// together end where nothing is open.
func TestFormsOneAfterTheOther(t *testing.T) {
	var forms []string
	for _, form := range append(redacttest.Grammar(canary), redacttest.Forms(canary)...) {
		forms = append(forms, form.Text)
	}
	text := strings.Join(forms, "\n")
	lines := strings.Split(text, "\n")
	const window = 64
	for shift := range window {
		got := redact.Log(strings.Repeat("first\n", shift) + text)
		for i, line := range strings.Split(got, "\n")[shift:] {
			require.NotContains(t, line, canary, "%d lines before, line %d: %s", shift, i, lines[i])
		}
	}
}
