package checks_test

import (
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
)

// undated are the checks of which no finding has a beginning, and why.
func undated() map[string]string {
	const (
		settings = "settings of an object have no date of their own: managedFields dates an update of many fields"
		missing  = "nothing says when an object was deleted"
		counts   = "it sums up what began at many times"
		sizes    = "it grew"
	)
	return map[string]string{
		"SD1001": settings, "SD1003": settings, "SD1006": settings, "SD1007": settings, "SD1009": settings, "SD2001": settings,
		"SD2004": settings, "SD2006": settings, "SD3002": settings, "SD5002": settings, "SD5003": settings, "SD5004": settings,
		"SD5006": settings, "SD5007": settings, "SD5009": settings, "SD5010": settings, "SD5013": settings, "SD6012": settings,
		"SD6016": settings,
		"SD1008": missing, "SD2002": missing, "SD4001": missing, "SD5011": missing, "SD6011": missing,
		"SD3001": sizes, "SD3003": sizes, "SD3004": sizes, "SD6008": counts, "SD6010": counts, "SD8003": counts,
		"SD1002": "a webhook that restarts is reachable between two exits, and EndpointSlices have no date",
		"SD5014": "a manifest has no time",
		"SD4003": "an executor does not say since when nothing uses it",
		"SD6015": "a quota does not say since when it is full",
	}
}

// firstRelease introduced the checks of the list.
const firstRelease = "0.1.0"

// TestEveryCheckIsDatedOrSaysWhyNot: a root of the verdict has its age where a record tells.
func TestEveryCheckIsDatedOrSaysWhyNot(t *testing.T) {
	dated := map[string]bool{}
	for _, a := range advice(t) {
		f := &a.finding
		if f.Since.IsZero() {
			continue
		}
		dated[f.Check] = true
		require.NotEmpty(t, f.Brief, "%s: the verdict says the age behind Brief", a.fixture)
	}
	for _, c := range checks.All() {
		reason, not := undated()[c.ID]
		if ofUpgrades(c) || !not && c.Since != firstRelease {
			continue // the list is of the first release
		}
		require.NotEqual(t, dated[c.ID], not, "%s: %q, and a fixture with Since: %v", c.ID, reason, dated[c.ID])
	}
}

// TestVerdictSaysAnAgeOnce, and the message that the table has says it, too.
func TestVerdictSaysAnAgeOnce(t *testing.T) {
	for _, f := range fixtures(t) {
		c := checkOf(t, f.ID())
		if ofUpgrades(c) {
			continue
		}
		s := f.Snapshot(t)
		results := check.Correlate(check.Run(s, []check.Check{c}, f.Asked(t, s)))
		for _, finding := range results[0].Findings {
			if !finding.Since.IsZero() && len(finding.Objects) < 2 {
				assert.True(t, tells(finding.Message, finding.Since, s.TakenAt), "%s: no age since %s: %s", f.Name(), finding.Since, finding.Message)
			}
		}
		r := report.Build(s, report.Tool{}, report.Source{Name: "files", Type: "files"}, report.Scope{}, results, command.Asked{})
		for _, b := range r.Blocks() {
			assertAgesDiffer(t, f.Name(), b.Text)
			for _, row := range b.Rows {
				assertAgesDiffer(t, f.Name(), row.Text)
			}
		}
	}
}

// ofUpgrades reports whether a check is about what will happen: a gate has a verdict of its own.
func ofUpgrades(c check.Check) bool { return strings.HasPrefix(c.ID, "SD7") }

// tells reports whether a text says an age, or since when.
func tells(text string, since, now time.Time) bool {
	age := regexp.QuoteMeta(phrase.Span(now.Sub(since)))
	at := regexp.QuoteMeta(since.UTC().Format(time.RFC3339))
	return regexp.MustCompile(`\b`+age+`\b|`+at).MatchString(text) ||
		regexp.MustCompile(strconv.Itoa(int(now.Sub(since).Hours()/24))+" days").MatchString(text)
}

// assertAgesDiffer fails on a sentence with two ages of one span: what is behind the last comma, and what stands before.
func assertAgesDiffer(t *testing.T, name, text string) {
	t.Helper()
	m := regexp.MustCompile(`^(.*), for (?:up to )?(\d+) (min|h|d)$`).FindStringSubmatch(text)
	if m == nil {
		return
	}
	unit := map[string]time.Duration{"min": time.Minute, "h": time.Hour, "d": 24 * time.Hour}[m[3]]
	n, err := strconv.Atoi(m[2])
	require.NoError(t, err)
	from := time.Duration(n) * unit
	for _, one := range regexp.MustCompile(`\b(?:(\d+) d\b ?)?(?:(\d+) h\b ?)?(?:(\d+) min\b)?`).FindAllStringSubmatch(m[1], -1) {
		var age time.Duration
		for i, unit := range []time.Duration{24 * time.Hour, time.Hour, time.Minute} {
			n, _ := strconv.Atoi("0" + one[i+1])
			age += time.Duration(n) * unit
		}
		assert.False(t, age >= from && age < from+unit, "%s: %s", name, text)
	}
	assert.NotRegexp(t, `\bsince \d|\bago\b|\d\d:\d\d(:\d\d|Z)`, m[1], "%s: %s", name, text)
}
