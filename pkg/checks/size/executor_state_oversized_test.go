package size_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check/checktest"
)

// bigApplication is JSON of a running application whose status lists n executors with names of 55 characters.
func bigApplication(n int, spec string) string {
	entries := make([]string, n)
	for i := range entries {
		entries[i] = fmt.Sprintf("%q:%q", fmt.Sprintf("%-44sexec-%06d", strings.Repeat("s", 43)+"-", i+1), "UNKNOWN")
	}
	return fmt.Sprintf(`{"apiVersion":"sparkoperator.k8s.io/v1beta2","kind":"SparkApplication",
		"metadata":{"name":"stream","namespace":"team-a","uid":"11111111-0000-4000-8000-000000000001"},
		"spec":{"type":"Scala","mode":"cluster","arguments":[%q]},
		"status":{"applicationState":{"state":"RUNNING"},"lastSubmissionAttemptTime":"2026-11-20T00:00:00Z","executorState":{%s}}}`,
		spec, strings.Join(entries, ","))
}

// TestThresholds uses etcd's own limit and objects of real size. An object is the business of one of the two checks,
// never of both.
func TestThresholds(t *testing.T) {
	asOf := time.Date(2026, 11, 21, 0, 0, 0, 0, time.UTC)
	for _, tt := range []struct {
		entries, spec int
		state, object string // severities of SD3001 and SD3004, empty for none
	}{
		{entries: 1000},
		{entries: 5000},
		{entries: 6000, state: "info"},
		{entries: 12000, state: "warning"},
		{entries: 20000, state: "error"},
		{entries: 22000, state: "error"},
		{spec: 380 << 10},
		{spec: 390 << 10, object: "info"},
		{spec: 800 << 10, object: "warning"},
		{spec: 1300 << 10, object: "error"},
		{entries: 5000, spec: 500 << 10, object: "warning"},
		{entries: 12000, spec: 500 << 10, state: "error"},
	} {
		t.Run(fmt.Sprintf("%d entries %d KiB", tt.entries, tt.spec>>10), func(t *testing.T) {
			s := checktest.Parse(t, bigApplication(tt.entries, strings.Repeat("x", tt.spec)), asOf)
			require.Equal(t, tt.state, severity(run(t, s, "SD3001")))
			require.Equal(t, tt.object, severity(run(t, s, "SD3004")))
		})
	}
}

// TestFullSoonIsAnError: the same object is a warning while there is a day left, and an error when there are hours.
func TestFullSoonIsAnError(t *testing.T) {
	for at, want := range map[string]string{"2026-11-21T00:00:00Z": "warning", "2026-11-20T06:00:00Z": "error"} {
		asOf, err := time.Parse(time.RFC3339, at)
		require.NoError(t, err)
		require.Equal(t, want, severity(run(t, checktest.Parse(t, bigApplication(12000, ""), asOf), "SD3001")), at)
	}
}

func severity(r check.Result) string {
	if len(r.Findings) == 0 {
		return ""
	}
	return r.Findings[0].Severity.String()
}

func TestForecast(t *testing.T) {
	app := bigApplication(12000, "")
	started := time.Date(2026, 11, 20, 0, 0, 0, 0, time.UTC)
	for name, tt := range map[string]struct {
		app  string
		asOf time.Time
		want string // in the message; empty: no forecast
	}{
		"running":            {app, started.Add(24 * time.Hour), "at 500.0 entries per hour the object is full in 22 h 15 min (22:15 UTC)"},
		"just begun":         {app, started.Add(time.Minute), ""},
		"ended":              {strings.Replace(app, "RUNNING", "COMPLETED", 1), started.Add(24 * time.Hour), ""},
		"full already":       {bigApplication(24000, ""), started.Add(24 * time.Hour), ""},
		"in a hundred years": {app, started.AddDate(80, 0, 0), ""},
		"before it began":    {app, started.Add(-time.Hour), ""},
	} {
		t.Run(name, func(t *testing.T) {
			r := run(t, checktest.Parse(t, tt.app, tt.asOf), "SD3001")
			require.Len(t, r.Findings, 1)
			if tt.want == "" {
				require.NotContains(t, r.Findings[0].Message, "per hour")
				return
			}
			require.Contains(t, r.Findings[0].Message, tt.want)
		})
	}
}

func TestWhatCannotBeDecodedIsCounted(t *testing.T) {
	garbled := `{"apiVersion":"sparkoperator.k8s.io/v1beta2","kind":"SparkApplication","metadata":{"name":"a","namespace":"n","uid":"u"},"spec":{"driver":"none"}}`
	for _, id := range []string{"SD3001", "SD3002", "SD3003", "SD3004", "SD3005"} {
		r := run(t, checktest.Parse(t, garbled, time.Now()), id)
		require.Empty(t, r.Findings)
		require.Equal(t, "1 SparkApplication could not be decoded", r.Reason, id)
	}
}

// TestSecretsStayInside: the text of an error may hold anything.
func TestSecretsStayInside(t *testing.T) {
	app := strings.Replace(bigApplication(0, ""), `"state":"RUNNING"`,
		`"state":"FAILED","errorMessage":"`+strings.Repeat("password=hunter2 ", 40000)+`"`, 1)
	r := run(t, checktest.Parse(t, app, time.Now()), "SD3004")
	require.Len(t, r.Findings, 1)
	require.NotContains(t, fmt.Sprintf("%+v", r), "hunter2")
}
