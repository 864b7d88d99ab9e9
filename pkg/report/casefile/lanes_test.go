package casefile_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/casefile"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

func at(minutes int) time.Time {
	return time.Date(2026, 5, 1, 3, minutes, 0, 0, time.UTC)
}

// lost is a run of 100 minutes, the second one: the driver waits for 25 and ends after 75, and so do its executors, of which two are lost.
func lost() casefile.Document {
	d := casefile.Document{Subject: snapshot.Ref{Kind: "SparkApplication", Name: "etl"}, State: casefile.State{State: "FAILED"},
		Verdict: casefile.Verdict{Class: string(cause.ClusterKilled)},
		Attempts: []casefile.Attempt{{Number: 1, Started: at(-20), Ended: at(-10), Outcome: "Error (1)"},
			{Number: 2, Started: at(0), Ended: at(75), Outcome: "OOMKilled (137)"}},
		Timeline: []casefile.Moment{{Time: at(0), Text: "submitted"}, {Time: at(1), Text: "driver scheduled", Turn: why.OfMain},
			{Time: at(25), Text: "driver running", Turn: why.MainRuns}, {Time: at(50), Text: "first executor running", Turn: why.ExecutorsRun},
			{Time: at(60), Text: "executor lost", Turn: why.ExecutorEnds}, {Time: at(75), Text: "driver ended", Turn: why.MainEnds},
			{Time: at(80), Text: "FAILED"}},
		Losses:    []casefile.Moment{{Time: at(60), Text: "executor lost: OOMKilled"}, {Time: at(70), Text: "executor lost: OOMKilled"}},
		Executors: &casefile.Executors{Asked: 2, Ran: 2, Failed: 2, Lost: []casefile.Loss{{Count: 3, Why: "OOMKilled"}}},
	}
	return d
}

// TestLanes: an attempt is a bar, the driver waits and then runs, executors run until the driver ended, and each loss is marked.
func TestLanes(t *testing.T) {
	d := lost()
	lanes := d.Lanes()
	names := make([]string, 0, len(lanes))
	for _, l := range lanes {
		names = append(names, l.Name)
	}
	require.Equal(t, []string{"attempt 1", "attempt 2", "application", "driver", "executors"}, names)
	require.Equal(t, casefile.Runs, lanes[0].Spans[0].Tone, "why it ended is not known")
	require.Equal(t, []casefile.Span{{From: .2, To: .95, Tone: casefile.Failed,
		Text: "attempt 2: 2026-05-01 03:00:00 to 2026-05-01 04:15:00 UTC, OOMKilled (137)"}}, lanes[1].Spans)
	require.Equal(t, "2026-05-01 03:00:00 to 2026-05-01 04:15:00 UTC, OOMKilled (137)", lanes[1].Says)
	require.Empty(t, lanes[2].Spans)
	require.Equal(t, "FAILED", lanes[2].Says)
	require.Equal(t, []casefile.Span{{From: .2, To: .45, Text: "driver waits", Tone: casefile.Waits},
		{From: .45, To: .95, Text: "driver runs", Tone: casefile.Runs}}, lanes[3].Spans)
	require.Len(t, lanes[3].Moments, 3)
	require.Equal(t, []casefile.Span{{From: .7, To: .95, Text: "executors run", Tone: casefile.Runs}}, lanes[4].Spans)
	require.Equal(t, []casefile.Instant{{At: .8, Text: "2026-05-01 04:00:00 UTC executor lost: OOMKilled", Lost: true},
		{At: .9, Text: "2026-05-01 04:10:00 UTC executor lost: OOMKilled", Lost: true}}, lanes[4].Moments)
	require.Equal(t, "2 asked, 2 ran, 2 failed, 3 lost (3 OOMKilled), 0 pending", lanes[4].Says)
}

// TestLanesOfWhatRuns last until now: what a job did in its first minute is not all of it.
func TestLanesOfWhatRuns(t *testing.T) {
	d := lost()
	d.Metadata = report.Metadata{CreationTimestamp: at(100)}
	_, end := d.Period()
	require.Equal(t, at(80), end, "it has ended")

	d.State.State, d.Attempts, d.Timeline = "RUNNING", []casefile.Attempt{{Number: 1, Started: at(0)}}, d.Timeline[:3]
	d.Executors = &casefile.Executors{Asked: 2, Pending: 2}
	_, end = d.Period()
	require.Equal(t, at(100), end)
	lanes := d.Lanes()
	require.Equal(t, []casefile.Span{{From: .25, To: 1, Text: "driver runs", Tone: casefile.Runs}}, lanes[2].Spans[1:])
	require.Equal(t, []casefile.Span{{From: .25, To: 1, Text: "executors wait", Tone: casefile.Waits}}, lanes[3].Spans)
}

func TestLanesAreFew(t *testing.T) {
	d := lost()
	for i := range 7 {
		d.Attempts = append([]casefile.Attempt{{Number: -i, Started: at(-40 - 20*i), Ended: at(-30 - 20*i)}}, d.Attempts...)
	}
	lanes := d.Lanes()
	require.Len(t, lanes, 6)
	require.Equal(t, "attempt 2", lanes[2].Name, "the last one")
	require.Empty(t, (&casefile.Document{Timeline: []casefile.Moment{{Time: at(0), Text: "submitted"}}}).Lanes(), "nothing lasted")
}
