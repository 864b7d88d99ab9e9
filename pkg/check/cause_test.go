package check_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

const part check.Part = "a part"

func about(id, name string, severity check.Severity) check.Reported {
	return check.Reported{Check: id,
		Finding: check.Finding{About: check.Named(snapshot.Ref{APIVersion: "v1", Kind: "Pod", Namespace: "a", Name: name}),
			Severity: severity}}
}

func failed(c check.Check, findings ...check.Reported) check.Result {
	return check.Result{Check: c, Status: check.Failed, Findings: findings}
}

// TestCausesAreData: two checks that do not know each other are linked by a part, which a check breaks or one of its findings does.
func TestCausesAreData(t *testing.T) {
	effect := check.Check{ID: "SD9001", Relations: check.Relations{CausedBy: []check.Cause{{Breaks: part, Where: check.SameObject}}}}
	breaker, other := check.Check{ID: "SD9002", Relations: check.Relations{Breaks: []check.Part{part}}}, check.Check{ID: "SD9003"}
	sometimes := about("SD9003", "p", check.Error)
	sometimes.What, sometimes.Breaks = "this one", []check.Part{part}
	out := check.Correlate([]check.Result{
		failed(effect, about("SD9001", "p", check.Warning), about("SD9001", "q", check.Warning)),
		failed(breaker, about("SD9002", "p", check.Error)),
		failed(other, about("SD9003", "p", check.Error), sometimes),
	})
	byCheck := about("SD9002", "p", check.Error)
	require.Equal(t, []string{byCheck.Fingerprint(), sometimes.Fingerprint()}, out[0].Findings[0].CausedBy)
	require.Empty(t, out[0].Findings[1].CausedBy, "it is about another object")
	require.Equal(t, check.Warning, out[0].Findings[0].Severity, "nothing raises it")
	require.Empty(t, out[1].Findings[0].CausedBy)
}

// TestACauseWithoutAPart takes the findings of all other checks.
func TestACauseWithoutAPart(t *testing.T) {
	effect := check.Check{ID: "SD9001", Relations: check.Relations{CausedBy: []check.Cause{{Where: check.SameObject}}}}
	out := check.Correlate([]check.Result{failed(effect, about("SD9001", "p", check.Error)),
		failed(check.Check{ID: "SD9002"}, about("SD9002", "p", check.Info))})
	cause := about("SD9002", "p", check.Info)
	require.Equal(t, []string{cause.Fingerprint()}, out[0].Findings[0].CausedBy)
}

func TestRaise(t *testing.T) {
	for name, c := range map[string]struct {
		raise                   check.Raise
		effect, cause           check.Severity
		wantsEffect, wantsCause check.Severity
	}{
		"nothing":                      {check.RaiseNone, check.Warning, check.Error, check.Warning, check.Error},
		"an effect":                    {check.RaiseEffect, check.Warning, check.Error, check.Error, check.Error},
		"no effect of a warning":       {check.RaiseEffect, check.Warning, check.Warning, check.Warning, check.Warning},
		"no effect that is harmless":   {check.RaiseEffect, check.Info, check.Error, check.Info, check.Error},
		"a cause":                      {check.RaiseCause, check.Error, check.Warning, check.Error, check.Error},
		"no cause of a warning":        {check.RaiseCause, check.Warning, check.Warning, check.Warning, check.Warning},
		"no effect, where a cause is":  {check.RaiseCause, check.Warning, check.Error, check.Warning, check.Error},
		"no cause, where an effect is": {check.RaiseEffect, check.Error, check.Warning, check.Error, check.Warning},
	} {
		effect := check.Check{ID: "SD9001",
			Relations: check.Relations{CausedBy: []check.Cause{{Breaks: part, Where: check.SameObject, Raise: c.raise}}}}
		out := check.Correlate([]check.Result{
			failed(check.Check{ID: "SD9002", Relations: check.Relations{Breaks: []check.Part{part}}}, about("SD9002", "p", c.cause)),
			failed(effect, about("SD9001", "p", c.effect)),
		})
		require.Equal(t, c.wantsCause, out[0].Findings[0].Severity, name)
		require.Equal(t, c.wantsEffect, out[1].Findings[0].Severity, name)
	}
}

// TestFoldsAreData: a check says which of its findings are one, before causes are linked or by them.
func TestFoldsAreData(t *testing.T) {
	list := []check.Reported{about("SD9001", "p", check.Error), about("SD9001", "q", check.Error), about("SD9001", "alone", check.Error)}
	fold := check.Fold{
		By: func(f *check.Reported) string {
			if f.Object.Name == "alone" {
				return ""
			}
			return f.Object.Namespace
		},
		Add: check.Absorb,
		Say: func(f *check.Reported, n int) { f.Message = strings.Repeat("x", n) },
	}
	for _, linked := range []bool{false, true} {
		fold.Linked = linked
		out := check.Correlate([]check.Result{failed(check.Check{ID: "SD9001", Relations: check.Relations{Fold: &fold}}, list...)})[0].Findings
		require.Len(t, out, 2)
		require.Equal(t, "xx", out[0].Message)
		require.Equal(t, 2, out[0].Affected())
		require.Empty(t, out[1].Message, "it stands alone")
	}
	require.Empty(t, list[0].Message, "the input stays")
}
