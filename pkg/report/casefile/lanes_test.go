package casefile_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/casefile"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// TestLanes: an attempt is a bar from its start to its end, or to the end of the drawing, and each object has a lane of what happened.
func TestLanes(t *testing.T) {
	begin := time.Date(2026, 5, 1, 3, 0, 0, 0, time.UTC)
	at := func(minutes int) time.Time { return begin.Add(time.Duration(minutes) * time.Minute) }
	pod := func(name string) *snapshot.Ref { return &snapshot.Ref{Kind: "Pod", Name: name} }
	d := casefile.Document{Subject: snapshot.Ref{Kind: "SparkApplication", Name: "etl"},
		Attempts: []casefile.Attempt{{Number: 1, Started: at(0), Ended: at(50), Outcome: "Error (1)"}, {Number: 2, Started: at(75)}, {Number: 3}},
		Timeline: []casefile.Moment{{Time: at(0), Text: "submitted"}, {Time: at(25), Text: "driver running", Object: pod("etl-driver")},
			{Time: at(100), Text: "driver lost", Object: pod("etl-driver")}},
	}
	lanes := d.Lanes()
	require.Len(t, lanes, 4)
	require.Equal(t, []casefile.Span{{From: 0, To: .5,
		Text: "attempt 1: 2026-05-01 03:00:00 to 2026-05-01 03:50:00 UTC, Error (1)"}}, lanes[0].Spans)
	require.InDelta(t, .75, lanes[1].Spans[0].From, 1e-9)
	require.InDelta(t, 1, lanes[1].Spans[0].To, 1e-9)
	require.Equal(t, "sparkapplication etl", lanes[2].Name)
	require.Equal(t, "pod etl-driver", lanes[3].Name)
	require.Len(t, lanes[3].Moments, 2)
	require.InDelta(t, .25, lanes[3].Moments[0].At, 1e-9)

	d.Timeline = nil
	for i := range 12 {
		d.Timeline = append(d.Timeline, casefile.Moment{Time: at(i), Text: "running", Object: pod(string(rune('a' + i)))})
	}
	lanes = d.Lanes()
	require.Len(t, lanes, 6)
	require.Equal(t, "other pods", lanes[5].Name)
	require.Len(t, lanes[5].Moments, 12-3)

	require.Empty(t, (&casefile.Document{Timeline: []casefile.Moment{{Time: at(0), Text: "submitted"}}}).Lanes(), "nothing lasted")
}
