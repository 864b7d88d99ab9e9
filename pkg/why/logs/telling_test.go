package logs_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

// TestTellingLines: what nothing caught tells most, then exceptions of a logger, errors, complaints that no logger wrote, and warnings;
// what follows from something else tells least. Of two that tell as much, the later one comes first, and each message once.
func TestTellingLines(t *testing.T) {
	const at = "26/05/01 03:00:"
	lines := []string{
		at + "00 INFO SparkContext: Running Spark version 3.5.5",
		"ledger: could not close the month",
		at + "01 WARN Ledger: the rate of 3 accounts is missing",
		at + "02 ERROR Ledger: account 17 has no branch",
		at + "03 ERROR Ledger: account 18 has no branch",
		at + "04 ERROR Ledger: closing failed",
		"com.acme.ledger.ClosingException: month 2026-04 is open",
		"\tat com.acme.ledger.Close.run(Close.java:88)",
		at + "05 INFO SparkContext: Invoking stop() from shutdown hook",
		at + "06 ERROR TransportResponseHandler: Still have 1 requests outstanding when connection from /10.0.0.9:7079 is closed",
	}
	tell := func(text string) []string {
		var out []string
		for _, l := range logs.TellingLines(ended(1, text)) {
			if l.Telling == logs.TellsSignal { // for who knows that a signal ended it
				require.Equal(t, "Invoking stop() from shutdown hook", l.Value)
				continue
			}
			out = append(out, l.Value)
		}
		return out
	}
	got := tell(strings.Join(lines, "\n") + "\n")
	require.Equal(t, "com.acme.ledger.ClosingException: month 2026-04 is open at Close.java:88", got[0])
	require.Equal(t, "account 18 has no branch", got[1], "account 17 is the same message")
	require.Equal(t, "ledger: could not close the month", got[2])
	require.Equal(t, "the rate of 3 accounts is missing", got[3])
	require.NotContains(t, strings.Join(got, "\n"), "Running Spark version")

	traced := strings.Join(lines[:6], "\n") + `
Traceback (most recent call last):
  File "/opt/app/close.py", line 12, in <module>
    close(month)
ledger.OpenMonth: 2026-04
`
	got = tell(traced)
	require.Equal(t, "ledger.OpenMonth: 2026-04 at close.py:12", got[0])
	require.NotContains(t, strings.Join(got, "\n"), "Traceback")
	require.Empty(t, tell(lines[0]+"\n"))
}
