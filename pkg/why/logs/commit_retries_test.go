package logs

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
)

// TestRetries: what was tried again ended well where a snapshot was committed after it.
func TestRetries(t *testing.T) {
	const (
		retry = "26/12/05 22:33:08 WARN Tasks: Retrying task after failure: Commit failed: branch main has changed\n" +
			"org.apache.iceberg.exceptions.CommitFailedException: Commit failed: branch main has changed\n" +
			"\tat org.apache.iceberg.SnapshotProducer.commit(SnapshotProducer.java:415)\n"
		committed = "26/12/05 22:33:18 INFO SnapshotProducer: Committed snapshot 44029 (MergeAppend)\n"
		finished  = "26/12/05 22:33:18 INFO DAGScheduler: Job 1 finished: save at A.java:58, took 1332.020114 s\n"
	)
	retries := func(log string) *Retries { return Digest(&app.Log{Tail: log}, Clock{}).Retries }
	found := retries(retry + retry + committed)
	require.NotNil(t, found)
	require.Equal(t, 2, found.Times)
	require.Equal(t, "44029", found.Snapshot)
	require.Equal(t, "org.apache.iceberg.exceptions.CommitFailedException", found.Last.Root.Class)
	for name, log := range map[string]string{
		"nothing was committed after it": committed + retry,
		"only a job finished":            retry + finished,
		"nothing was tried again":        committed,
	} {
		require.Nil(t, retries(log), name)
	}
}
