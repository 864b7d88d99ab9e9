package logs_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

// TestProgramsThatAnnounceTheirExit: what an application says of its own exit code counts as a warning; what a library says, or what was
// said before more work, does not.
func TestProgramsThatAnnounceTheirExit(t *testing.T) {
	const (
		begin = "26/01/01 00:00:01 INFO SparkContext: Running Spark version 3.5.5\n" +
			"26/01/01 00:00:02 INFO SparkContext: Starting job: count at load.py:3\n"
		job  = "26/01/01 00:09:00 INFO SparkContext: Starting job: save at load.py:9\n"
		stop = "26/01/01 00:10:02 INFO SparkContext: SparkContext is stopping with exitCode 0.\n" +
			"26/01/01 00:10:03 INFO SparkContext: Successfully stopped SparkContext\n"
		warned = "2026-01-01 00:10:01,000 WARNING reconcile 1 of 3 books out of balance, exiting with status 3\n"
		told   = "2026-01-01 00:10:01,000 - jobs.load - INFO - nothing to load, exit code 4\n"
	)
	for name, row := range map[string]struct {
		log  string
		ends bool
	}{
		"a warning":            {begin + warned + stop, true},
		"a line of level INFO": {begin + told + stop, false}, // too many are written to tell
		"of a library":         {begin + "2026-01-01 00:10:01,000 - py4j.clientserver - INFO - gateway ends with exit code 1\n" + stop, false},
		"of a class of Spark":  {begin + "26/01/01 00:10:01 WARN ShutdownHookManager: process exits with code 1\n" + stop, false},
		"as a success":         {begin + "2026-01-01 00:10:01,000 - jobs.load - INFO - all loaded, exiting with status 0\n" + stop, false},
		"before another job":   {begin + warned + job + stop, false},
	} {
		found := false
		for _, c := range logs.Causes(ended(3, row.log)) {
			found = found || c.Detail.Mechanism() == logs.EndedItself{}.Mechanism()
		}
		require.Equal(t, row.ends, found, name)
	}
}
