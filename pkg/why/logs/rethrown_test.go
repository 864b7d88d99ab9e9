package logs_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

// TestRethrown: an exception of the driver that says no word of a task is that of the task for which a job was given up just before, if
// that failed at the same.
func TestRethrown(t *testing.T) {
	const (
		begin  = "26/01/01 00:00:01 INFO SparkContext: Running Spark version 3.5.5\n26/01/01 00:00:02 INFO SparkContext: Starting job: x\n"
		lost   = "26/01/01 00:00:05 WARN TaskSetManager: Lost task 7.0 in stage 2.0 (TID 9) (10.0.0.7 executor 3): java.lang."
		same   = lost + "IllegalStateException: the file of the day is not there yet\n\tat net.example.Load$.read(Load.scala:9)\n"
		other  = lost + "IllegalStateException: something else is wrong with the row\n\tat net.example.Load$.read(Load.scala:9)\n"
		gaveUp = "26/01/01 00:00:09 ERROR TaskSetManager: Task 7 in stage 2.0 failed 4 times; aborting job\n"
		ofOne  = "26/01/01 00:00:09 ERROR TaskSetManager: Task 8 in stage 2.0 failed 4 times; aborting job\n"
		job    = "26/01/01 00:00:10 INFO SparkContext: Starting job: y\n"
		late   = "26/01/01 00:02:00 INFO Load: cleaning up\n26/01/01 00:02:00 ERROR Load: failed\n"
		died   = "Exception in thread \"main\" java.lang.IllegalStateException: the file of the day is not there yet\n" +
			"\tat net.example.Load$.main(Load.scala:4)\n"
	)
	task := logs.Attempts{Task: 7, Stage: 2, Times: 4}
	for name, row := range map[string]struct {
		log  string
		want logs.Attempts
	}{
		"the task failed at the same":  {same + gaveUp + died, task},
		"it failed at something else":  {other + gaveUp + died, logs.Attempts{}},
		"no job was given up":          {same + died, logs.Attempts{}},
		"one was for another task":     {same + ofOne + died, logs.Attempts{}},
		"another job began after that": {same + gaveUp + job + died, logs.Attempts{}},
		"some time passed":             {same + gaveUp + late + died, logs.Attempts{}},
	} {
		found := logs.Causes(ended(1, begin+row.log+hooked))
		require.Len(t, found, 1, name)
		f, _ := found[0].Detail.(logs.Failure)
		require.Equal(t, row.want, f.Attempts, name)
		if row.want != (logs.Attempts{}) {
			require.Equal(t, "3", f.Executor, name)
		}
	}
}
