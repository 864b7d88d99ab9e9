package catalog_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/internal/prose"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/catalog"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// example is a message of testdata: an exception as "CLASS :: MESSAGE", else a line.
type example struct {
	id, text string
	fits     bool
}

func (e example) match() (catalog.Match, bool) {
	if class, message, isException := strings.Cut(e.text, " :: "); isException {
		return catalog.Exception(class, message)
	}
	return catalog.Line(e.text)
}

func examples(t *testing.T) []example {
	t.Helper()
	files, err := filepath.Glob("testdata/*.txt")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	var out []example
	for _, file := range files {
		text, err := os.ReadFile(file) //nolint:gosec // of testdata
		require.NoError(t, err)
		id := ""
		for _, line := range strings.Split(strings.TrimSpace(string(text)), "\n") {
			switch {
			case strings.HasPrefix(line, "+ "):
				out = append(out, example{id, line[2:], true})
			case strings.HasPrefix(line, "- "):
				out = append(out, example{id, line[2:], false})
			default:
				id = line
			}
		}
	}
	return out
}

var emptyGroup = regexp.MustCompile(`[:,(]$| \(\)|, ,| (?:of|by|than|to|at|least|with|expected|is)[,)]?$|:  `)

func TestEachExampleIsMatchedByItsSignatureFirst(t *testing.T) {
	for _, e := range examples(t) {
		if !e.fits {
			continue
		}
		m, ok := e.match()
		if !ok || m.Signature.ID != e.id {
			t.Errorf("%s: %q is matched by %q", e.id, e.text, m.Signature.ID)
			continue
		}
		require.NotContains(t, m.Says, "${", e.id)
		require.NotContains(t, m.Says, "\n", e.id)
		require.NotContainsf(t, m.Says, "  ", "%s: %s", e.id, m.Says)
		require.Equalf(t, strings.TrimSpace(m.Says), m.Says, "%s", e.id)
		if emptyGroup.MatchString(m.Says) {
			t.Errorf("%s: says %q, where a group is missing", e.id, m.Says)
		}
		for _, next := range m.Next {
			require.NotContains(t, next.Text, "${", e.id)
		}
	}
}

func TestLookAlikesAreNotMatched(t *testing.T) {
	for _, e := range examples(t) {
		if m, ok := e.match(); !e.fits && ok && m.Signature.ID == e.id {
			t.Errorf("%s: look-alike %q matches", e.id, e.text)
		}
	}
}

func TestEachSignatureHasAnExampleAndALookAlike(t *testing.T) {
	var with, without []string
	for _, e := range examples(t) {
		if e.fits {
			with = append(with, e.id)
		} else {
			without = append(without, e.id)
		}
	}
	seen := map[string]bool{}
	for _, s := range catalog.All() {
		require.Falsef(t, seen[s.ID], "%s stands twice", s.ID)
		seen[s.ID] = true
		if !slices.Contains(with, s.ID) {
			t.Errorf("%s has no example", s.ID)
		}
		if !slices.Contains(without, s.ID) {
			t.Errorf("%s has no look-alike", s.ID)
		}
	}
	for _, id := range with {
		require.Truef(t, seen[id], "example of %s, which does not exist", id)
	}
	require.GreaterOrEqual(t, len(seen), 160)
}

func TestSignaturesAreWellFormed(t *testing.T) {
	group := regexp.MustCompile(`\$\{(\w+)\}`)
	for _, s := range catalog.All() {
		require.Regexp(t, `^[a-z0-9]+(-[a-z0-9]+)*$`, s.ID)
		require.Containsf(t, cause.Classes(), s.Class, "%s", s.ID)
		require.NotEmptyf(t, s.Source, "%s", s.ID)
		require.NotEmptyf(t, s.Next, "%s", s.ID)
		require.Falsef(t, s.Effect && s.Certain, "%s: an effect proves no cause", s.ID)
		require.Falsef(t, s.Certain && s.Class == cause.Unknown, "%s: proves what it does not know", s.ID)
		regex, err := regexp.Compile(s.Message)
		require.NoErrorf(t, err, "%s", s.ID)
		_, err = regexp.Compile(s.Exception)
		require.NoErrorf(t, err, "%s", s.ID)
		texts, names := []string{s.Says}, []string{}
		for _, name := range regex.SubexpNames() {
			names = append(names, strings.TrimRight(name, "0123456789"))
		}
		for _, next := range s.Next {
			texts = append(texts, next.Text)
		}
		for _, text := range texts {
			for _, used := range group.FindAllStringSubmatch(text, -1) {
				require.Containsf(t, names, used[1], "%s: no such group", s.ID)
			}
			require.NotRegexpf(t, `\.$|\n`, text, "%s", s.ID)
			for _, rule := range prose.Words() {
				require.NotRegexpf(t, rule.Pattern, text, "%s: %s", s.ID, rule.Instead)
			}
		}
	}
}
