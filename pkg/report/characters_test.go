package report_test

import (
	"bytes"
	"encoding/json"
	"io"
	"testing"
	"unicode"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"sigs.k8s.io/yaml"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/reporttest"
)

// TestEveryCharacterSurvives: a name may hold anything, and json and yaml must give it back.
func TestEveryCharacterSurvives(t *testing.T) {
	r := reporttest.Clean()
	for c := rune(0); c <= unicode.MaxRune; c++ {
		special := c&0xfffe == 0xfffe || unicode.Is(unicode.Cf, c)
		if utf8.ValidRune(c) && (special || c <= 0x2fff || c >= 0xd700 && c <= 0x10fff || c > 0xe0000 && c&0xffff < 0x200) {
			r.Scope.Namespaces = append(r.Scope.Namespaces, "a"+string(c)+"b")
		}
	}
	for name, write := range map[string]func(io.Writer, *report.Report) error{"json": report.JSON, "yaml": report.YAML} {
		var b bytes.Buffer
		require.NoError(t, write(&b, r), name)
		var back report.Report
		decode := json.Unmarshal
		if name == "yaml" {
			decode = func(text []byte, to any) error { return yaml.Unmarshal(text, to) }
		}
		require.NoError(t, decode(b.Bytes(), &back), name)
		require.Equal(t, r.Scope.Namespaces, back.Scope.Namespaces, name)
	}
}
