package main

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
)

func TestFill(t *testing.T) {
	echo := func(section, arg string) (string, error) { return section + "(" + arg + ")\n", nil }
	for name, c := range map[string]struct{ in, want string }{
		"nothing to fill": {"# Title\n", "# Title\n"},
		"one section":     {"a\n<!-- begin checks -->\nold\n<!-- end -->\nb\n", "a\n<!-- begin checks -->\nchecks()\n<!-- end -->\nb\n"},
		"two, one empty": {
			"<!-- begin output scan -f x -->\n<!-- end -->\n\n<!-- begin checks -->\nold\nolder\n<!-- end -->\n",
			"<!-- begin output scan -f x -->\noutput(scan -f x)\n<!-- end -->\n\n<!-- begin checks -->\nchecks()\n<!-- end -->\n",
		},
	} {
		t.Run(name, func(t *testing.T) {
			got, err := fill(c.in, echo)
			require.NoError(t, err)
			require.Equal(t, c.want, got)
		})
	}
}

func TestFillFails(t *testing.T) {
	_, err := fill("<!-- begin checks -->\nno end\n", func(string, string) (string, error) { return "", nil })
	require.ErrorContains(t, err, "no end")
	_, err = fill("<!-- begin checks -->\n<!-- end -->\n", func(string, string) (string, error) { return "", errors.New("no such thing") })
	require.ErrorContains(t, err, "no such thing")
}

func TestCatalogueLinksThePages(t *testing.T) {
	got := catalogue([]check.Check{{ID: "SD2001", Slug: "cross-namespace-owner", Title: "the owner is elsewhere"}})
	require.Contains(t, got, "| [SD2001](checks/SD2001.md) `cross-namespace-owner` | the owner is elsewhere |\n")
}
