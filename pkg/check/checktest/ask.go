package checktest

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/collect"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// Parse reads documents as all that there is at a time.
func Parse(t *testing.T, text string, asOf time.Time) *snapshot.Snapshot {
	t.Helper()
	s, _, err := collect.Files(t.Context(), collect.FileOptions{Paths: []string{"-"}, Stdin: strings.NewReader(text), AsOf: asOf,
		Now: asOf, Complete: true})
	require.NoError(t, err)
	return s
}

// Lookup finds a check of a list by its id.
func Lookup(t *testing.T, list []check.Check, id string) check.Check {
	t.Helper()
	c, err := check.Lookup(list, id)
	require.NoError(t, err)
	return c
}

// Ask returns what a check says of a snapshot with the defaults of all parameters.
func Ask(t *testing.T, s *snapshot.Snapshot, c check.Check) check.Result {
	t.Helper()
	r := check.Run(s, []check.Check{c}, check.DefaultParams())[0]
	require.NotContains(t, r.Reason, "internal error")
	return r
}
