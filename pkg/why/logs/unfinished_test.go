package logs_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

// TestTasksThatAreLeft: a task that a stage waits for has a name only where the log holds the beginning and the end of all of them.
func TestTasksThatAreLeft(t *testing.T) {
	const (
		begin = "26/01/01 00:00:01 INFO DAGScheduler: Submitting 3 missing tasks from ResultStage 4 (MapPartitionsRDD[9] at save at " +
			"Load.scala:9) (first 15 tasks are for partitions Vector(0, 1, 2))\n"
		start0 = "26/01/01 00:00:01 INFO TaskSetManager: Starting task 0.0 in stage 4.0 (TID 7) (10.0.0.1, executor 1, partition 0, ANY) \n"
		start1 = "26/01/01 00:00:01 INFO TaskSetManager: Starting task 1.0 in stage 4.0 (TID 8) (10.0.0.2, executor 2, partition 1, ANY) \n"
		start2 = "26/01/01 00:00:01 INFO TaskSetManager: Starting task 2.0 in stage 4.0 (TID 9) (10.0.0.2, executor 2, partition 2, ANY) \n"
		end0   = "26/01/01 00:00:02 INFO TaskSetManager: Finished task 0.0 in stage 4.0 (TID 7) in 9 ms on 10.0.0.1 (executor 1) (1/3)\n"
		end2   = "26/01/01 00:00:03 INFO TaskSetManager: Finished task 2.0 in stage 4.0 (TID 9) in 9 ms on 10.0.0.2 (executor 2) (2/3)\n"
		again  = "26/01/01 00:00:04 WARN TaskSetManager: Lost task 1.0 in stage 4.0 (TID 8) (10.0.0.2 executor 2): java.io.IOException: x\n" +
			"26/01/01 00:00:04 INFO TaskSetManager: Starting task 1.1 in stage 4.0 (TID 10) (10.0.0.1, executor 1, partition 1, ANY) \n"
	)
	one := func(task string, id int, executor string) []logs.Unfinished {
		return []logs.Unfinished{{Task: task, ID: id, Stage: 4, Executor: executor}}
	}
	for name, row := range map[string]struct {
		head, tail string
		want       []logs.Unfinished
	}{
		"one":                     {head: begin + start0 + start1 + start2 + end0 + end2, want: one("1.0", 8, "2")},
		"tried again elsewhere":   {head: begin + start0 + start1 + start2 + end0 + end2 + again, want: one("1.1", 10, "1")},
		"none finished yet":       {head: begin + start0 + start1 + start2},
		"its beginning was cut":   {head: begin + start0 + start2 + end0 + end2},
		"the middle was not read": {head: begin + start0 + start1, tail: start2 + end0 + end2},
	} {
		log := app.Log{Namespace: "jobs", Pod: "etl-driver", Container: "spark-kubernetes-driver", Head: row.head, Tail: row.tail}
		require.Equal(t, row.want, logs.Digest(&log, logs.Clock{}).Left, name)
	}
}
