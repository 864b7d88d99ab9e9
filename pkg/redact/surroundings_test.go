package redact_test

import (
	"encoding/json"
	"fmt"
	"html"
	"net/url"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/redact"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/redact/redacttest"
)

// surroundings are what writes a text into another one.
func surroundings() map[string]func(string) string {
	message := func(s string) string {
		out, err := json.Marshal(map[string]any{"a": 1, "message": s, "z": "x"})
		if err != nil {
			panic(err)
		}
		return string(out)
	}
	type record struct{ A, Message, Z string }
	apostrophe := func(by string) func(string) string {
		return func(s string) string { return strings.ReplaceAll(s, "'", by) }
	}
	python := strings.NewReplacer(`\`, `\\`, "'", `\'`, "\n", `\n`)
	return map[string]func(string) string{
		"JSON":          message,
		"JSON in JSON":  func(s string) string { return message(message(s)) },
		"Go %v":         func(s string) string { return fmt.Sprintf("%v", map[string]any{"a": []string{"x", s, "y"}, "b": 1}) },
		"Go %q":         func(s string) string { return fmt.Sprintf("failed: %q then", s) },
		"Go %+v":        func(s string) string { return fmt.Sprintf("%+v", record{"a", s, "z"}) },
		"Go %#v":        func(s string) string { return fmt.Sprintf("%#v", record{"a", s, "z"}) },
		"YAML":          func(s string) string { return "a: b\nmessage: '" + apostrophe("''")(s) + "'\nz: y" },
		"YAML block":    func(s string) string { return "message: |\n  " + strings.ReplaceAll(s, "\n", "\n  ") + "\nz: y" },
		"shell":         func(s string) string { return "sh -c 'set -e; " + apostrophe(`'\''`)(s) + "; exit 1'" },
		"shell, quotes": func(s string) string { return `bash -c "` + strings.ReplaceAll(s, `"`, `\"`) + `" done` },
		"query":         func(s string) string { return "GET https://h/p?a=b&q=" + url.QueryEscape(s) + "&z=1 HTTP/1.1" },
		"path":          func(s string) string { return "GET https://h/p/" + url.PathEscape(s) + "/x failed" },
		"HTML":          func(s string) string { return "<p>" + html.EscapeString(s) + "</p>" },
		"log4j":         func(s string) string { return "26/01/02 03:04:05 WARN TaskSetManager: Lost task: " + s + " (TID 3)" },
		"Python":        func(s string) string { return "{'a': 1, 'message': '" + python.Replace(s) + "', 'z': None}" },
		"Java":          func(s string) string { return "Conf{a=1, message='" + s + "', z=[x]}" },
		"Java, bare":    func(s string) string { return "Conf(a=1, message=" + s + ", z=x)" },
		"twice":         func(s string) string { return `err="` + s + `" url="` + s + `"` },
		"lines":         func(s string) string { return "first\r\n" + s + "\r\nlast" },
		"colours":       func(s string) string { return "\x1b[31m" + s + "\x1b[0m" },
	}
}

// TestSurroundings: every form, in everything that writes a text into another one.
func TestSurroundings(t *testing.T) {
	const secret = "hunter2Zq9xK4"
	for where, around := range surroundings() {
		for _, form := range redacttest.Forms(secret) {
			text := around(form.Text)
			require.Contains(t, text, form.Secret)
			got := redact.Text(text)
			assert.NotContains(t, got, form.Secret, "%s: %s", where, text)
			assert.Equal(t, got, redact.Text(got), "what was redacted stays as it is")
		}
	}
}
