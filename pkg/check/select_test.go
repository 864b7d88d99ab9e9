package check_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
)

// TestMistypedNames: what is near is offered, of areas only where an area can stand.
func TestMistypedNames(t *testing.T) {
	all := []check.Check{{ID: "SD1002", Slug: "webhook-unreachable"}, {ID: "SD2005", Slug: "stuck-finalizer"}}
	for name, want := range map[string]string{
		"webhok":          `unknown check "webhok", did you mean webhook?`,
		"stuck-finaliser": `unknown check "stuck-finaliser", did you mean SD2005 (stuck-finalizer)?`,
		"SD2050":          `unknown check "SD2050", did you mean SD2005 (stuck-finalizer)?`,
		"frobnicate":      `unknown check "frobnicate"; 'kubectl sparkdoctor checks' lists them`,
		"size":            `no check matches "size"; 'kubectl sparkdoctor checks' lists them`,
	} {
		_, err := check.Matching(all, name)
		require.EqualError(t, err, want)
	}
	_, err := check.Lookup(all, "webhok")
	require.EqualError(t, err, `unknown check "webhok"; 'kubectl sparkdoctor checks' lists them`)
	for name, n := range map[string]int{"webhook": 1, "SD*": 2, "sd2005": 1, "*-finalizer": 1} {
		list, err := check.Matching(all, name)
		require.NoError(t, err)
		require.Len(t, list, n, name)
	}
}
