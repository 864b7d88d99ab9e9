package config

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

const head = "apiVersion: sparkdoctor.io/v1alpha1\nkind: Config\n"

func span(d time.Duration) *time.Duration { return &d }

func TestParse(t *testing.T) {
	c, err := Parse("dir/.sparkdoctor.yaml", []byte(head+`
checks: [SD2001, stuck-finalizer]
skipChecks: [SD3002, SD0002]
failOn: warning
signatures: [lake.yaml, ../team]
severities: {driver-without-owner: info, SD1001: error}
thresholds: {stuckAfter: 1h30m, newAfter: 90s, confirmAfter: 0s, certWarn: 240h, maxObjectSize: 8388608, submittedAfter: 20m, transitionAfter: 2m, finishedAfter: 48h, failedWithin: 12h, pileUp: 25, restarts: 4, backlog: 20, lostExecutors: 30, oomExecutors: 5}
suppressions:
- {check: SD2001, namespace: team-a, name: "etl-*", reason: moved next week, owner: team-a, until: 2026-12-31}
- check: webhook-fails-open
  reason: 1.x has no such setting
- {check: SD1001, namespace: "", reason: "yes"}
`))
	require.NoError(t, err)
	source := snapshot.Ref{Kind: "Config", Name: ".sparkdoctor.yaml"}
	at := func(line int) snapshot.Location {
		return snapshot.Location{File: "dir/.sparkdoctor.yaml", Document: 1, Line: line}
	}
	require.Equal(t, &Config{
		Checks: []string{"SD2001", "stuck-finalizer"}, SkipChecks: []string{"SD3002", "SD0002"}, FailOn: "warning",
		Signatures: []string{"lake.yaml", "../team"},
		Severities: map[string]check.Severity{"SD2006": check.Info, "SD1001": check.Error},
		Thresholds: Thresholds{StuckAfter: span(90 * time.Minute), NewAfter: span(90 * time.Second), ConfirmAfter: span(0),
			CertWarn: span(240 * time.Hour), MaxObjectSize: 8 << 20, SubmittedAfter: span(20 * time.Minute), TransitionAfter: span(2 * time.Minute),
			FinishedAfter: span(48 * time.Hour), FailedWithin: span(12 * time.Hour), PileUp: 25, Restarts: 4, Backlog: 20, LostExecutors: 30,
			OOMExecutors: 5},
		Suppressions: []check.SuppressionRule{
			{Check: "SD2001", Namespace: "team-a", Name: "etl-*", Reason: "moved next week", Owner: "team-a",
				Until: time.Date(2027, 1, 1, 0, 0, 0, 0, time.UTC), By: check.ByConfig, Source: source, Location: at(11)},
			{Check: "SD1001", Namespace: "*", Name: "*", Reason: "1.x has no such setting", By: check.ByConfig, Source: source, Location: at(12)},
			{Check: "SD1001", Namespace: "", Name: "*", Reason: "yes", By: check.ByConfig, Source: source, Location: at(14)},
		},
	}, c)
}

func TestMistakesNameTheirLine(t *testing.T) {
	for name, c := range map[string]struct{ text, want string }{
		"empty":           {"", "x.yaml is empty"},
		"only a comment":  {"# nothing\n", "x.yaml"},
		"no YAML":         {head + "checks: [", "x.yaml: yaml: line 3"},
		"no kind":         {"apiVersion: sparkdoctor.io/v1alpha1\n", "x.yaml:1: missing property 'kind'"},
		"another kind":    {"apiVersion: sparkdoctor.io/v1alpha1\nkind: ScanReport\n", "x.yaml:2: kind: value must be 'Config'"},
		"a newer version": {"apiVersion: sparkdoctor.io/v1\nkind: Config\n", "x.yaml:1: apiVersion: value must be"},
		"unknown key":     {head + "cheks: [SD2001]\n", "x.yaml:3: unknown key cheks, did you mean checks?"},
		"unknown key below": {head + "suppressions:\n- check: SD2001\n  reason: x\n  till: 2026-12-31\n",
			"x.yaml:6: suppressions[0]: unknown key till"},
		"no reason":     {head + "suppressions:\n- check: SD2001\n", "x.yaml:4: suppressions[0]: missing property 'reason'"},
		"empty reason":  {head + "suppressions:\n- {check: SD2001, reason: ''}\n", "x.yaml:4: suppressions[0].reason: minLength"},
		"no such check": {head + "suppressions:\n- {check: SD2099, reason: x}\n", `x.yaml:4: suppressions[0]: unknown check "SD2099"`},
		"no such day": {head + "suppressions:\n- {check: SD2001, reason: x, until: 2026-02-30}\n",
			`x.yaml:4: suppressions[0].until: "2026-02-30" is not a date such as 2026-12-31`},
		"a suppression of a suppression": {head + "suppressions:\n- {check: SD0002, reason: x}\n", `unknown check "SD0002"`},
		"no pattern":                     {head + "suppressions:\n- {check: SD2001, name: '[', reason: x}\n", `x.yaml:4: suppressions[0]: "[" is no pattern`},
		"unknown check to run":           {head + "checks:\n- SD2001\n- sd-x\n", `x.yaml:5: checks[1]: unknown check "sd-x"`},
		"unknown check to skip":          {head + "skipChecks: [x]\n", `x.yaml:3: skipChecks[0]: unknown check "x"`},
		"no checks":                      {head + "checks: []\n", "x.yaml:3: checks: minItems"},
		"a made-up severity":             {head + "severities: {SD2001: fatal}\n", "x.yaml:3: severities.SD2001: value must be one of"},
		"severity of nothing":            {head + "severities:\n  SD2099: info\n", `x.yaml:4: severities.SD2099: unknown check`},
		"no unit": {head + "thresholds: {stuckAfter: '10'}\n",
			"x.yaml:3: thresholds.stuckAfter: \"10\" is not a duration such as 30m"},
		"a duration too long": {head + "thresholds: {stuckAfter: 99999999999h}\n",
			"x.yaml:3: thresholds.stuckAfter: time: invalid duration"},
		"a size of text": {head + "thresholds: {maxObjectSize: 8Mi}\n",
			"x.yaml:3: thresholds.maxObjectSize: got string, want integer"},
		"a size of nothing":     {head + "thresholds: {maxObjectSize: 0}\n", "x.yaml:3: thresholds.maxObjectSize: minimum"},
		"a size in hexadecimal": {head + "thresholds: {maxObjectSize: 0x10}\n", `x.yaml:3: "0x10" is not a plain number`},
		"twice":                 {head + "failOn: info\nfailOn: error\n", `"failOn"`},
		"aliases":               {head + "suppressions: &a\n- {check: SD2001, reason: *a}\n", "x.yaml"},
		"two documents":         {head + "---\n" + head, "x.yaml has more than one document"},
		"a file without a name": {head + "signatures: ['']\n", "x.yaml:3: signatures[0]: minLength"},
		"a list":                {"- SD2001\n", "x.yaml:1: got array, want object"},
	} {
		_, err := Parse("x.yaml", []byte(c.text))
		require.ErrorContains(t, err, c.want, name)
		require.NotContains(t, err.Error(), "\n", name)
	}
}
