package checks_test

import (
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func TestCatalogueIsWhole(t *testing.T) {
	id, slug := regexp.MustCompile(`^SD\d{4}$`), regexp.MustCompile(`^[a-z][a-z0-9-]+$`)
	seen, last := map[string]bool{}, ""
	for _, c := range checks.Catalogue() {
		require.Regexp(t, id, c.ID)
		require.Regexp(t, slug, c.Slug)
		require.Greater(t, c.ID, last, "in order of id")
		require.False(t, seen[c.Slug], "slug %s twice", c.Slug)
		seen[c.Slug], last = true, c.ID
		require.NotEmpty(t, c.Title)
		require.NotEmpty(t, c.Since)
		require.Contains(t, check.Consequences(), c.Consequence, "%s states no consequence", c.ID)
		ofSuppressions := strings.HasPrefix(c.ID, "SD0")
		require.Equal(t, ofSuppressions, len(c.Needs) == 0, "%s: area 0 looks at nothing itself", c.ID)
		require.Equal(t, ofSuppressions, c.Run == nil, c.ID)

		page, err := checks.Docs(c.ID)
		require.NoError(t, err, "%s has no page", c.ID)
		require.True(t, strings.HasPrefix(string(page), "# "+c.ID+" "+c.Slug+"\n"), "%s: the page starts with its id and slug", c.ID)
	}
}

// TestEveryPageHasItsSections: whoever reads one page at night finds the same things in the same places on the next.
func TestEveryPageHasItsSections(t *testing.T) {
	for _, c := range checks.Catalogue() {
		page, err := checks.Docs(c.ID)
		require.NoError(t, err)
		require.Empty(t, sectionFault(string(page)), "the page of %s", c.ID)
	}
}

// sectionFault says what is wrong with the sections of a page, if anything.
func sectionFault(page string) string {
	sections := []string{"Symptom", "Cause", "What to do", "How sure", "Sources"}
	parts := strings.Split(regexp.MustCompile("(?ms)^```.*?^```$").ReplaceAllString(page, "code"), "\n## ")
	_, sentence, _ := strings.Cut(parts[0], "\n\n")
	sentence = strings.TrimSpace(sentence)
	if !strings.HasSuffix(sentence, ".") || strings.Contains(sentence, ". ") || strings.Contains(sentence, ".\n") {
		return "one sentence below the title says what the check finds"
	}
	var found []string
	for _, part := range parts[1:] {
		title, text, _ := strings.Cut(part, "\n")
		if strings.TrimSpace(text) == "" {
			return title + " is empty"
		}
		found = append(found, title)
	}
	if !slices.Equal(sections, found) {
		return "the sections are " + strings.Join(sections, ", ") + ", in this order, not " + strings.Join(found, ", ")
	}
	return ""
}

func TestSectionFault(t *testing.T) {
	good := "# SD0 x\n\nAn x is y.\n\n## Symptom\n\na\n\n## Cause\n\nb\n\n## What to do\n\nc\n\n## How sure\n\nd\n\n## Sources\n\ne\n"
	require.Empty(t, sectionFault(good))
	require.Empty(t, sectionFault(strings.Replace(good, "\na\n", "\n```text\n## a\n```\n", 1)), "code is no section")
	for name, page := range map[string]string{
		"no sentence":     strings.Replace(good, "An x is y.", "", 1),
		"two sentences":   strings.Replace(good, "An x is y.", "An x is y. It is bad.", 1),
		"another order":   strings.NewReplacer("Symptom", "Cause", "Cause", "Symptom").Replace(good),
		"a section more":  good + "\n## Evidence\n\nf\n",
		"a section less":  strings.Replace(good, "## How sure\n", "", 1),
		"an empty one":    strings.Replace(good, "\nd\n", "\n", 1),
		"another heading": strings.Replace(good, "Sources", "Source", 1),
	} {
		require.NotEmpty(t, sectionFault(page), name)
	}
}

func TestEveryCheckHasFixtures(t *testing.T) {
	found, silent := map[string]bool{}, map[string]bool{}
	for _, f := range fixtures(t) {
		checkOf(t, f.ID()) // a directory without a check is a leftover
		found[f.ID()] = found[f.ID()] || len(f.Want) > 0
		silent[f.ID()] = silent[f.ID()] || f.Silent
	}
	for _, c := range slices.Concat(checks.All(), checks.OfUpgrades()) {
		require.True(t, found[c.ID], "%s has no fixture that must be found", c.ID)
		require.True(t, silent[c.ID], "%s has no look-alike that must stay silent", c.ID)
	}
}

func TestEveryPageHasACheck(t *testing.T) {
	for _, pattern := range []string{"*/*.md", "../check/*.md"} {
		pages, err := filepath.Glob(pattern)
		require.NoError(t, err)
		require.NotEmpty(t, pages)
		for _, page := range pages {
			_, err := check.Lookup(checks.Catalogue(), strings.ReplaceAll(strings.TrimSuffix(filepath.Base(page), ".md"), "_", "-"))
			require.NoError(t, err)
		}
	}
}

// TestNeedsAreReadAndReadsAreNeeded runs every fixture: an undeclared read panics and shows as an internal error, a
// need that no fixture makes the check read is stale.
func TestNeedsAreReadAndReadsAreNeeded(t *testing.T) {
	read, asked := map[string]map[snapshot.View]bool{}, map[string]map[string]bool{}
	for _, f := range fixtures(t) {
		c := checkOf(t, f.ID())
		if read[c.ID] == nil {
			read[c.ID], asked[c.ID] = map[snapshot.View]bool{}, map[string]bool{}
		}
		s := f.Snapshot(t)
		params := check.DefaultParams()
		params.Upgrade = f.Asked(t, s).Upgrade
		if c.OfManifests && params.Upgrade.Target == nil {
			continue // not applicable
		}
		p := check.NewPass(s, c, params)
		require.NotPanics(t, func() { c.Run(p) }, f.Path)
		views, facts := p.Uses()
		maps.Copy(read[c.ID], views)
		maps.Copy(asked[c.ID], facts)
	}
	for _, c := range slices.Concat(checks.All(), checks.OfUpgrades()) {
		for _, n := range c.AllNeeds() {
			require.True(t, read[c.ID][n.View], "%s declares %s and never reads it", c.ID, n.View)
		}
		for _, name := range c.Facts() {
			require.True(t, asked[c.ID][name], "%s requires %s and never asks for it", c.ID, name)
		}
	}
}

// TestPartsAreBrokenAndNeeded: a part that only one side names links nothing.
func TestPartsAreBrokenAndNeeded(t *testing.T) {
	broken := map[check.Part]bool{check.WebhookReplicas: true} // by some findings of SD5008
	needed := map[check.Part]bool{}
	for _, c := range checks.Catalogue() {
		for _, p := range c.Breaks {
			broken[p] = true
		}
		for _, cause := range c.CausedBy {
			require.NotNil(t, cause.Where, c.ID)
			if cause.Breaks != "" {
				needed[cause.Breaks] = true
			}
		}
	}
	require.Equal(t, broken, needed)
}
