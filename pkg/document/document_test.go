package document_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/document"
)

const schema = `{"type": "object", "additionalProperties": false, "properties": {"a": {"type": "string"}, "b": {"type": "string"},
	"c": {"type": "array", "items": {"type": "string"}}}}`

// TestTheFirstMistakeIsNamed: of several it is the one that a reader meets first, each time.
func TestTheFirstMistakeIsNamed(t *testing.T) {
	for range 50 {
		_, err := document.Parse("x.yaml", []byte("c: [x,\n 1,\n 2]\nb: 1\na: 1\nd: 1\n"), []byte(schema))
		require.EqualError(t, err, "x.yaml:2: c[1]: got number, want string")
		_, err = document.Parse("x.yaml", []byte("c:\n- x\naa: 1\n"), []byte(schema))
		require.EqualError(t, err, "x.yaml:3: unknown key aa, did you mean a?")
		_, err = document.Parse("x.yaml", []byte("c: x\nzzz: 1\n"), []byte(`{"properties": {"c": {}}, "additionalProperties": false}`))
		require.EqualError(t, err, "x.yaml:2: unknown key zzz")
		_, err = document.Parse("x.yaml", []byte("c: [x,\n 1,\n 2]\nb: 1\na: 1\n"), []byte(schema))
		require.EqualError(t, err, "x.yaml:2: c[1]: got number, want string")
	}
}

// TestWhatIsWanted: a schema may say what it wants in words; without them the error has its pattern.
func TestWhatIsWanted(t *testing.T) {
	const wants = `{"properties": {"age": {"title": "duration", "examples": ["30m"], "type": "string", "pattern": "^[0-9]+m$"},
		"below": {"properties": {"name": {"type": "string", "pattern": "^x$"}}}}}`
	_, err := document.Parse("x.yaml", []byte("age: 1 week\n"), []byte(wants))
	require.EqualError(t, err, `x.yaml:1: age: "1 week" is not a duration such as 30m`)
	_, err = document.Parse("x.yaml", []byte("below:\n  name: y\n"), []byte(wants))
	require.ErrorContains(t, err, "x.yaml:2: below.name: 'y' does not match pattern")
	_, err = document.Parse("x.yaml", []byte("a: b\nbelow: 1\nage:\n  - 1\n"), []byte(wants))
	require.EqualError(t, err, "x.yaml:3: age: must be a duration such as 30m", "the line of its key")
}

func TestDocumentsAreBounded(t *testing.T) {
	_, err := document.Parse("x.yaml", []byte("c:\n"+strings.Repeat("- x\n", 60_000)), []byte(schema))
	require.EqualError(t, err, "x.yaml:50000: more than 50000 values")
	_, err = document.Parse("x.yaml", []byte("c:\n"+strings.Repeat("- x\n", 49_000)), []byte(schema))
	require.NoError(t, err)
}

func TestDocumentsKnowTheirLines(t *testing.T) {
	d, err := document.Parse("x.yaml", []byte("# a comment\na: text\nc:\n- x\n- >-\n  y\n"), []byte(schema))
	require.NoError(t, err)
	require.Equal(t, 2, d.Line("a"))
	require.Equal(t, 5, d.Line("c", "1"))
	require.Equal(t, 3, d.Line("c", "7"), "nothing stands there: what is around it")
	var v struct{ A string }
	require.NoError(t, d.Decode(&v))
	require.Equal(t, "text", v.A)
}
