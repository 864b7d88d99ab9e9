package catalog_test

import (
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/internal/prose"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/catalog"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/fields"
)

var (
	raised     = regexp.MustCompile(`^((?:[A-Za-z_]\w*\.)*[A-Za-z_][\w$]*)(?:: |$)`)
	emptyGroup = regexp.MustCompile(`[:,(]$| \(\)|, ,| (?:of|by|than|to|at|least|with|expected|is)[,)]?$|:  `)
)

// answers are those of the built-in set to an example: as an exception, and, unless its signature asks for a class, as a line.
func answers(s *catalog.Signature, example string) map[string]catalog.Match {
	out := map[string]catalog.Match{}
	if m := raised.FindStringSubmatch(example); m != nil {
		out["exception"], _ = catalog.Exception(m[1], strings.TrimPrefix(example[len(m[1]):], ": "))
	}
	if s.Exception == "" {
		out["line"], _ = catalog.Line(example)
	}
	return out
}

func TestEachExampleIsMatchedByItsSignatureFirst(t *testing.T) {
	for _, s := range catalog.Documented() {
		for _, example := range s.Examples {
			for as, m := range answers(&s, example) {
				if m.Signature.ID != s.ID {
					t.Errorf("%s: as %s %q is matched by %q", s.ID, as, example, m.Signature.ID)
					continue
				}
				require.NotContains(t, m.Signature.Meaning(m.Groups), "${", s.ID)
				require.NotContains(t, m.Signature.Meaning(m.Groups), "\n", s.ID)
				require.NotContainsf(t, m.Signature.Meaning(m.Groups), "  ", "%s: %s", s.ID, m.Signature.Meaning(m.Groups))
				require.Equalf(t, strings.TrimSpace(m.Signature.Meaning(m.Groups)), m.Signature.Meaning(m.Groups), "%s", s.ID)
				if emptyGroup.MatchString(m.Signature.Meaning(m.Groups)) {
					t.Errorf("%s: says %q, where a group is missing", s.ID, m.Signature.Meaning(m.Groups))
				}
				for _, next := range m.Signature.Steps(fields.Names{}, m.Groups) {
					require.NotContains(t, next.Text, "${", s.ID)
					require.Empty(t, next.Line, s.ID)
				}
			}
		}
	}
}

func TestSignaturesAreWellFormed(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range catalog.Documented() {
		require.Falsef(t, seen[s.ID], "%s stands twice", s.ID)
		seen[s.ID] = true
		require.Containsf(t, cause.Classes(), s.Class, "%s", s.ID)
		require.NotEmptyf(t, s.Source, "%s", s.ID)
		require.NotEmptyf(t, s.LookAlikes, "%s has no look-alike", s.ID)
		require.Empty(t, s.File, s.ID)
		require.Falsef(t, s.Certain && s.Class == cause.Unknown, "%s: proves what it does not know", s.ID)
		for _, text := range append([]string{s.Says}, s.Next...) {
			require.NotRegexpf(t, `\.$`, text, "%s", s.ID)
			for _, rule := range prose.Words() {
				require.NotRegexpf(t, rule.Pattern, text, "%s: %s", s.ID, rule.Instead)
			}
		}
	}
	require.GreaterOrEqual(t, len(seen), 290)
}

// TestEachFileIsRead fails for a file of builtin that no one reads, and for one that is read twice.
func TestEachFileIsRead(t *testing.T) {
	files, err := os.ReadDir("builtin")
	require.NoError(t, err)
	n := 0
	for _, file := range files {
		text, err := os.ReadFile("builtin/" + file.Name())
		require.NoError(t, err)
		n += strings.Count(string(text), "\n- id: ")
	}
	require.Len(t, catalog.Builtin().Signatures(), n)
}
