package cli

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// TestStanding holds when one that waits goes on, and how it ends: for a pipeline a guess fails nothing that the operator calls completed.
func TestStanding(t *testing.T) {
	for name, c := range map[string]struct {
		state     why.State
		class     cause.Class
		certainty check.Certainty
		want      ends
	}{
		"new":                                {why.State{}, cause.Unknown, check.Likely, goesOn},
		"submitted":                          {why.State{Word: "SUBMITTED"}, cause.RunningNormally, check.Likely, goesOn},
		"running":                            {why.State{Word: "RUNNING"}, cause.RunningNormally, check.Proven, goesOn},
		"slow":                               {why.State{Word: "RUNNING"}, cause.SlowButProgressing, check.Proven, goesOn},
		"nobody can tell while it runs":      {why.State{Word: "RUNNING"}, cause.Unknown, check.Likely, goesOn},
		"no node takes its driver":           {why.State{Word: "SUBMITTED"}, cause.Scheduling, check.Proven, hangs},
		"its image is not there":             {why.State{Word: "SUBMITTED"}, cause.Image, check.Proven, hangs},
		"a quota holds executors back":       {why.State{Word: "RUNNING"}, cause.Quota, check.Proven, hangs},
		"suspended":                          {why.State{Word: "SUSPENDED"}, cause.Suspended, check.Proven, hangs},
		"completed":                          {why.State{Word: "COMPLETED"}, cause.Succeeded, check.Proven, succeeded},
		"completed, a step may have failed":  {why.State{Word: "COMPLETED"}, cause.CodeFailed, check.Likely, succeeded},
		"completed, and that is wrong":       {why.State{Word: "COMPLETED"}, cause.CodeFailed, check.Proven, failedFor},
		"completed, recorded late":           {why.State{Word: "COMPLETED"}, cause.ObserverMissed, check.Proven, succeeded},
		"failed":                             {why.State{Word: "FAILED"}, cause.CodeFailed, check.Proven, failedFor},
		"failed, and the last of its tries":  {why.State{Word: "FAILED", Attempt: 3, MaxAttempts: 3}, cause.CodeFailed, check.Proven, failedFor},
		"failed, and tried again":            {why.State{Word: "FAILED", Attempt: 1, MaxAttempts: 3}, cause.CodeFailed, check.Proven, goesOn},
		"the submission failed":              {why.State{Word: "SUBMISSION_FAILED"}, cause.Submission, check.Proven, failedFor},
		"a driver without operator failed":   {why.State{Word: "Failed"}, cause.CodeFailed, check.Proven, failedFor},
		"a driver without operator ended":    {why.State{Word: "Succeeded"}, cause.Succeeded, check.Proven, succeeded},
		"its objects are gone":               {why.State{Word: "GONE"}, cause.Unknown, check.Likely, untold},
		"a user deleted it":                  {why.State{Word: "GONE"}, cause.StoppedByUser, check.Proven, failedFor},
		"a failure was found while it fails": {why.State{Word: "FAILING"}, cause.CodeFailed, check.Proven, hangs},
	} {
		file := why.CaseFile{State: c.state, Causes: []why.Cause{{Cause: cause.Cause{Class: c.class, Certainty: c.certainty}}}}
		require.Equal(t, c.want, standing(&file), name)
	}
}

func TestWaitValue(t *testing.T) {
	var set bool
	f := scanFlags{}
	v := waitValue{&set, &f.wait}
	require.NoError(t, v.Set("30m"))
	require.True(t, set)
	require.EqualValues(t, 30*60, f.wait.Seconds())
	for _, text := range []string{"soon", "-1s", "30"} {
		require.ErrorContains(t, v.Set(text), "is no duration, such as 30m")
	}
}
