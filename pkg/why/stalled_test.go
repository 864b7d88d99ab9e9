package why_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestAJobThatStalls is not said to go on without the executors that wait: no task of those that run has finished for long.
func TestAJobThatStalls(t *testing.T) {
	c := numbered(t, "052")
	f := c.whole()
	require.Contains(t, f.Verdict().Message, "2 of 6 executors run and the job goes on without the rest: ")
	c.AsOf = c.AsOf.Add(time.Hour)
	f = c.whole()
	require.Contains(t, f.Verdict().Message, "no task has finished for 66 min, with 2 of 6 executors: 4 of 6 executors have been pending")
	require.Equal(t, "slowButProgressing", string(f.Verdict().Class))
}
