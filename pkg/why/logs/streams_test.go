package logs

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
)

// TestStreamsAreRead reads reports of progress over several lines, and of several queries.
func TestStreamsAreRead(t *testing.T) {
	text := "26/09/10 14:12:26 INFO MicroBatchExecution: Streaming query made progress: {\n" +
		"  \"name\" : \"clicks\",\n  \"batchId\" : 7,\n  \"numInputRows\" : 10,\n" +
		"  \"durationMs\" : { \"triggerExecution\" : 26185 },\n  \"sources\" : [ { \"numInputRows\" : 99 } ]\n}\n" +
		"26/09/10 14:13:26 INFO MicroBatchExecution: Streaming query made progress: {\"name\" : \"clicks\", \"batchId\" : 9, " +
		"\"numInputRows\" : 11}\n" +
		"26/09/10 14:13:30 INFO MicroBatchExecution: Streaming query made progress: {\"id\" : \"a\", \"name\" : null, \"batchId\" : 3}\n" +
		"26/09/10 14:13:31 INFO MicroBatchExecution: Streaming query made progress: no object\n"
	all := Digest(&app.Log{Tail: text}, Clock{}).Streams
	require.Len(t, all, 2)
	require.Equal(t, []any{"clicks", 9, 11, 30 * time.Second, time.Minute},
		[]any{all[0].Name, all[0].Batch, all[0].Rows, all[0].Every, all[0].Told})
	require.Equal(t, []any{"", 3, time.Duration(0)}, []any{all[1].Name, all[1].Batch, all[1].Told})
}

// TestSpillingIsOfATaskAtWork leaves out executors whose tasks finished, and those of other stages.
func TestSpillingIsOfATaskAtWork(t *testing.T) {
	const runs = "26/05/04 00:59:06 INFO Executor: Running task 17.0 in stage 9.0 (TID 1281)\n"
	const other = "26/05/04 00:59:09 INFO Executor: Running task 24.0 in stage 9.0 (TID 1288)\n" +
		"26/05/04 00:59:39 INFO Executor: Finished task 24.0 in stage 9.0 (TID 1288). 7144 bytes result sent to driver\n"
	const spilled = "26/05/04 06:00:00 INFO UnsafeExternalSorter: Thread 61 spilling sort data of 2.0 GiB to disk (3  times so far)\n" +
		"26/05/04 06:02:00 INFO ExternalSorter: Thread 61 spilling in-memory map of 1.2 GiB to disk (4 times so far)\n"
	s, is := SpillingOf(&app.Log{Tail: runs + other + spilled}, Clock{}, 9)
	require.True(t, is)
	require.Equal(t, []any{"17.0", 2, "06:02:00"}, []any{s.Task, s.Times, s.Last.Format(time.TimeOnly)})
	for _, text := range []string{
		runs + other, // it does not spill
		other + spilled,
		runs + spilled + "26/05/04 06:05:00 INFO Executor: Finished task 17.0 in stage 9.0 (TID 1281). 7144 bytes result sent to driver\n",
	} {
		_, is := SpillingOf(&app.Log{Tail: text}, Clock{}, 9)
		require.False(t, is, text)
	}
	_, is = SpillingOf(&app.Log{Tail: runs + spilled}, Clock{}, 8)
	require.False(t, is)
}

// TestFileOfALog tells the file of a program's log from those that a job reads.
func TestFileOfALog(t *testing.T) {
	for line, path := range map[string]string{
		"launcher: run 7 ended with status ERROR, details in /var/log/eod/driver.log": "/var/log/eod/driver.log",
		"Logging to /logs/etl/job.log":  "/logs/etl/job.log",
		"see /opt/app/logs/run.out":     "/opt/app/logs/run.out",
		"reading /data/in/access.log":   "",
		"+ exec app --log /tmp/app.log": "",
	} {
		f, is := LogFileOf(&app.Log{Tail: line + "\n"}, Clock{})
		require.Equal(t, path, f.Path, line)
		require.Equal(t, path != "", is, line)
	}
}

// TestSpilledMiB adds up what a log says was spilled, by the units of each release; what only looks so is left out.
func TestSpilledMiB(t *testing.T) {
	t.Parallel()
	const at = "26/06/14 03:48:30 INFO "
	l := &app.Log{Head: at + "UnsafeExternalSorter: Thread 62 spilling sort data of 286.0 MiB to disk (0 times so far)\n" +
		at + "ExternalSorter: Task 7 force spilling in-memory map to disk and it will release 31.0 MB memory\n",
		Tail: at + "ExternalAppendOnlyMap: Thread 70 spilling in-memory map of 1.5 GB to disk (1 time so far)\n" +
			at + "App: spilling 500.0 MiB of coffee\n"}
	n, last := SpilledMiB(l)
	require.EqualValues(t, 286+1536, n)
	require.Contains(t, last, "1.5 GB")
}
