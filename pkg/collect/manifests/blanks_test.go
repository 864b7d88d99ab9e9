package manifests

import (
	"bytes"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// TestBlanks holds that blanks between the words of JSON change nothing of what is read: not sizes, not what is empty.
func TestBlanks(t *testing.T) {
	var objects []string
	err := filepath.WalkDir("../../checks", func(path string, entry fs.DirEntry, err error) error {
		if err != nil || filepath.Ext(path) != ".yaml" {
			return err
		}
		text, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		return readWhole(path, bytes.NewReader(text), func(d document) error {
			if d.Head.Kind != "" && !d.IsList {
				objects = append(objects, string(d.JSON))
			}
			return nil
		})
	})
	require.NoError(t, err)
	require.Greater(t, len(objects), 1000)
	read := func(change func(string) string) *snapshot.Snapshot {
		var text strings.Builder
		for _, object := range objects {
			text.WriteString(change(object) + "\n")
		}
		s, _, err := Read(t.Context(), Options{Paths: []string{"-"}, Stdin: strings.NewReader(text.String()), Now: later})
		require.NoError(t, err)
		return s
	}
	require.Equal(t, `{ "a:{" : [ ] , "b" : 1 }`, airy(`{"a:{":[],"b":1}`))
	compact, blanks := read(func(text string) string { return text }), read(airy)
	apps := blanks.SparkApplications()
	for i, a := range compact.SparkApplications() {
		require.Equal(t, a, apps[i])
	}
	require.True(t, reflect.DeepEqual(compact, blanks), "beside applications")
}

// airy puts blanks around everything in compact JSON that is not in quotes.
func airy(text string) string {
	var b strings.Builder
	quoted, escaped := false, false
	for _, c := range []byte(text) {
		switch {
		case escaped:
			escaped = false
		case quoted && c == '\\':
			escaped = true
		case c == '"':
			quoted = !quoted
		}
		switch {
		case quoted:
			b.WriteByte(c)
		case c == '{', c == '[':
			b.WriteString(string(c) + " ")
		case c == '}', c == ']':
			b.WriteString(" " + string(c))
		case c == ',', c == ':':
			b.WriteString(" " + string(c) + " ")
		default:
			b.WriteByte(c)
		}
	}
	return strings.ReplaceAll(b.String(), "[  ]", "[ ]")
}
