package casefile

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// TestQuotesThatRepeatGetTheirFrame: where a quote says nothing new, the frame of the stack stands for its file and line.
func TestQuotesThatRepeatGetTheirFrame(t *testing.T) {
	const said = "ZeroDivisionError: division by zero at unit_cost.py:31"
	d := Document{Verdict: Verdict{Evidence: []Evidence{
		{Field: "log", Value: "Traceback (most recent call last):"}, {Field: "log", Value: `File "/opt/unit_cost.py", line 30, in main`},
		{Field: "log", Value: `File "/opt/unit_cost.py", line 31, in cost_per_unit`},
		{Field: "log", Value: "at net.example.Rates$.rate(Rates.scala:71)"},
	}}}
	require.Equal(t, `ZeroDivisionError: division by zero · File "/opt/unit_cost.py", line 31, in cost_per_unit`,
		d.located("the job's code raised "+said+" (driver)", said))
	require.Equal(t, "ArithmeticException: / by zero · at net.example.Rates$.rate(Rates.scala:71)",
		d.located("the job's code raised ArithmeticException: / by zero at Rates.scala:71", "ArithmeticException: / by zero at Rates.scala:71"))
	require.Empty(t, d.located("a cost is not known", said), "the quote says more")
	require.Empty(t, d.located("KeyError: 'x' at other.py:1", "KeyError: 'x' at other.py:1"), "no frame is known")
	require.Empty(t, d.located("no driver pod", "no driver pod"))
}
