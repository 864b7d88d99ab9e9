package mechanism_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// TestEveryMechanismHasItsRivals holds that the table has an entry for each mechanism of this package and each meaning of a log, and none
// for what is not there, and that an entry says why it has no rivals, or no others.
func TestEveryMechanismHasItsRivals(t *testing.T) {
	all := mechanism.AllNeeds()
	named := map[cause.ID]bool{}
	id := regexp.MustCompile(`(?m)^func \(.*\) Mechanism\(\) cause\.ID\s+\{ return "([a-z0-9-]+)" \}$`)
	for _, pattern := range []string{"*.go", "../logs/*.go"} {
		files, err := filepath.Glob(pattern)
		require.NoError(t, err)
		for _, file := range files {
			if strings.HasSuffix(file, "_test.go") {
				continue
			}
			text, err := os.ReadFile(file) // #nosec G304 -- a test
			require.NoError(t, err)
			for _, m := range id.FindAllStringSubmatch(string(text), -1) {
				named[cause.ID(m[1])] = true
				require.Contains(t, all, cause.ID(m[1]), "%s: say in AllNeeds what else it could be", file)
			}
		}
	}
	require.Greater(t, len(named), 120)
	name := regexp.MustCompile(`^[a-z0-9]+(-[a-z0-9]+)*$`)
	for id, n := range all {
		require.True(t, named[id], "no mechanism is called %s", id)
		require.True(t, n.Guess != "" || n.Because != "" || len(n.Rivals) > 0, id)
		require.False(t, n.Guess != "" && len(n.Rivals) > 0, "%s is likely at most: it needs no rivals", id)
		for _, sentence := range []string{n.Because, n.Guess} {
			require.NotRegexp(t, `\.$|^\s`, sentence, id)
		}
		for _, r := range n.Rivals {
			require.Regexp(t, name, string(r.ID), id)
			require.NotEmpty(t, r.Is, id)
			require.NotNil(t, r.Stands, id)
		}
	}
}
