package why_test

import (
	"fmt"
	"strings"
	"testing"
)

// ofDriver is the log of the driver of case 1167, up to its first stage, and then what a function writes for each minute.
func ofDriver(line func(minute int) string) string {
	var text strings.Builder
	text.WriteString("26/05/14 09:00:09 INFO SparkContext: Running Spark version 3.5.0\n" +
		"26/05/14 09:00:30 INFO KubernetesClusterSchedulerBackend$KubernetesDriverEndpoint: Registered executor " +
		"NettyRpcEndpointRef(spark-client://Executor) (10.1.1.1:40000) with ID 1,  ResourceProfileId 0\n" +
		"26/05/14 09:00:32 INFO SparkContext: Starting job: parquet at OrdersToLake.scala:64\n" +
		"26/05/14 09:00:33 INFO DAGScheduler: Submitting 150 missing tasks from ResultStage 0 (MapPartitionsRDD[1] at parquet at " +
		"OrdersToLake.scala:64) (first 15 tasks are for partitions Vector(0, 1))\n")
	for minute := 1; minute < 47; minute++ {
		if said := line(minute); said != "" {
			fmt.Fprintf(&text, "26/05/14 09:%02d:40 %s\n", minute, said)
		}
	}
	return text.String()
}

func finishes(minute, done int) string {
	return fmt.Sprintf("INFO TaskSetManager: Finished task %d.0 in stage 0.0 (TID %[1]d) in 40000 ms on 10.1.1.1 (executor 1) (%[2]d/150)",
		minute, done)
}

// TestTasksThatStopToFinish: the last of a stage may be the longest, and one that takes its time is as slow as those before.
func TestTasksThatStopToFinish(t *testing.T) {
	until := func(last, already int) string {
		return ofDriver(func(minute int) string {
			if minute > last {
				return ""
			}
			return finishes(minute, already+minute)
		})
	}
	answerVariants(t, map[string]variant{
		"few of many": {of: "1167", logs: []string{"", until(5, 0)}, class: "unknown",
			says: []string{"no further task has finished", "5 of 150 tasks finished"}},
		"the last of them": {of: "1167", logs: []string{"", until(5, 143)}, class: "runningNormally",
			says: []string{"148 of 150 tasks finished", "for the last 41 min no task has finished"}},
		"they go on": {of: "1167", logs: []string{"", until(46, 0)}, class: "runningNormally", not: []string{"none of them"}},
	})
}

// TestDriversThatOnlyTryToConnect: what tries once more between its work, or has only lately begun to, works.
func TestDriversThatOnlyTryToConnect(t *testing.T) {
	const retry = "INFO Client: Retrying connect to server: namenode/10.4.0.2:8020. Already tried %d time(s); maxRetries=45"
	const broker = "WARN NetworkClient: [AdminClient clientId=adminclient-%d] Connection to node -1 (kafka/10.4.0.2:9092) could not be " +
		"established. Broker may not be available."
	from := func(first int, said string) string {
		return ofDriver(func(minute int) string {
			if minute < first {
				return finishes(minute, minute)
			}
			return fmt.Sprintf(said, minute)
		})
	}
	between := ofDriver(func(minute int) string {
		return fmt.Sprintf(broker, minute) + "\n26/05/14 09:00:00 " + finishes(minute, minute)
	})
	warnings := strings.ReplaceAll(from(5, broker), " INFO ", " DEBUGGED ")
	answerVariants(t, map[string]variant{
		"Hadoop's": {of: "1167", logs: []string{"", from(5, retry)}, class: "network",
			says: []string{"done nothing but try to connect, 42 times", "namenode/10.4.0.2:8020"}},
		"Kafka's":           {of: "1167", logs: []string{"", from(5, broker)}, class: "network", says: []string{"kafka/10.4.0.2:9092"}},
		"between its work":  {of: "1167", logs: []string{"", between}, class: "runningNormally"},
		"only lately":       {of: "1167", logs: []string{"", from(40, retry)}, class: "runningNormally"},
		"of warnings alone": {of: "1167", logs: []string{"", warnings}, class: "runningNormally"},
	})
}

// TestJobsThatGetNoExecutorThatIsThere is not known to be the fault of any.
func TestJobsThatGetNoExecutorThatIsThere(t *testing.T) {
	const starved = "WARN TaskSchedulerImpl: Initial job has not accepted any resources; check your cluster UI to ensure that workers are " +
		"registered and have sufficient resources"
	answerVariants(t, map[string]variant{
		"complains": {of: "1167", logs: []string{"", ofDriver(func(int) string { return starved })}, class: "unknown",
			says: []string{"executors are there and registered", "has not accepted any resources"}},
	})
}

// TestStagesOfWhichNoTaskFinishes: they wait or are long, and nothing tells which; one task may be as long as it likes.
func TestStagesOfWhichNoTaskFinishes(t *testing.T) {
	answerVariants(t, map[string]variant{
		"none of many": {of: "1167", class: "unknown", says: []string{"no task of stage 0", "0 of 150 tasks finished"}},
		"one did": {of: "1167", logs: []string{"", "26/05/14 09:00:00 INFO SparkContext: Running Spark version 3.5.1\n" +
			"26/05/14 09:00:33 INFO DAGScheduler: Submitting 150 missing tasks from ResultStage 0 (MapPartitionsRDD[1] at parquet at " +
			"OrdersToLake.scala:64) (first 15 tasks are for partitions Vector(0, 1))\n26/05/14 09:30:33 INFO TaskSetManager: Finished task 3.0 in " +
			"stage 0.0 (TID 3) in 1800000 ms on 10.1.1.1 (executor 2) (1/150)\n"}, class: "runningNormally"},
	})
}

// TestWhatADriverIsAt: which stage runs is said while it does.
func TestWhatADriverIsAt(t *testing.T) {
	const begins = "26/04/15 02:00:31 INFO TaskSetManager: Starting task 0.0 in stage 0.0 (TID 0)"
	ends := "26/04/15 02:20:31 INFO TaskSetManager: Finished task 0.0 in stage 0.0 (TID 0) in 1200000 ms on 10.77.2.6 (executor 2) (1/1)\n"
	answerVariants(t, map[string]variant{
		"one task": {of: "880", class: "runningNormally",
			says: []string{"stage 0 (parquet at InvoicePull.java:49): 0 of 1 task finished in 45 min"}},
		"it is over": {of: "880", logs: []string{begins, ends + begins}, class: "runningNormally", not: []string{"stage 0"}},
		"another stage finished tasks": {of: "880", logs: []string{begins, "26/04/15 02:20:31 INFO TaskSetManager: Finished task 3.0 in " +
			"stage 7.0 (TID 9) in 12 ms on 10.77.2.6 (executor 2) (4/9)\n" + begins}, class: "runningNormally", not: []string{"stage"}},
	})
}

// TestWritesThatCommit: what a driver does after its tasks is said until the write is committed.
func TestWritesThatCommit(t *testing.T) {
	const begins = "FileFormatWriter: Start to commit write Job 15c9deaf-df7c-4e5b-b787-55dcab4fbef3.\n"
	answerVariants(t, map[string]variant{
		"it commits": {of: "1088", class: "runningNormally", says: []string{"has been committing the output for 24 min"}},
		"it is over": {of: "1088", logs: []string{begins, begins + "26/08/20 11:43:20 INFO FileFormatWriter: Write Job " +
			"15c9deaf-df7c-4e5b-b787-55dcab4fbef3 committed. Elapsed time: 6012 ms.\n"}, class: "runningNormally",
			not: []string{"committing"}, says: []string{"its last job finished"}},
	})
}

// TestDriversWithoutAJob: that all its jobs are over is said of a driver that runs, and does not make it a failure.
func TestDriversWithoutAJob(t *testing.T) {
	answerVariants(t, map[string]variant{
		"idle": {of: "990", class: "runningNormally", says: []string{"its last job finished 49 min ago, and none has begun since", "kill -QUIT"}},
		"it is at another job": {of: "990", logs: []string{"26/04/02 02:02:54 INFO BlockManagerInfo: Removed broadcast_5_piece0",
			"26/04/02 02:02:54 INFO SparkContext: Starting job: save at Close.scala:71"}, class: "runningNormally", not: []string{"none has begun"}},
		"its clients bring it jobs": {of: "990", objects: []string{"mainClass: ", "mainClass: org.apache.spark.sql.hive.thriftserver."},
			class: "runningNormally", not: []string{"none has begun"}},
	})
}

// TestSilentDrivers: a driver that waits in silence between two jobs is not said to run normally.
func TestSilentDrivers(t *testing.T) {
	const last = "26/06/15 03:12:09 INFO BlockManagerInfo: Removed broadcast_4_piece0 on 10.12.9.8"
	server := []string{"mainClass: ", "mainClass: org.apache.spark.sql.hive.thriftserver.HiveThriftServer2 # "}
	answerVariants(t, map[string]variant{
		"for two hours": {of: "788", class: "unknown", says: []string{"has written nothing for 2 h 12 min", "kill -QUIT"}},
		"for ten minutes": {of: "788", logs: []string{last, "26/06/15 05:15:00 INFO BlockManagerInfo: Removed broadcast_4_piece0 on " +
			"10.12.9.8"}, class: "runningNormally"},
		"a job is at work": {of: "788", logs: []string{last, "26/06/15 03:12:09 INFO SparkContext: Starting job: x\n" + last},
			class: "runningNormally"},
		"it prints":                  {of: "788", logs: []string{last, last + "x\npublished 3 of 90\n"}, class: "runningNormally"},
		"a server waits for clients": {of: "788", objects: server, class: "runningNormally"},
		"its lines of level INFO were not seen": {of: "788", logs: []string{"", "26/06/15 03:12:09 WARN X: y\n"},
			class: "runningNormally"},
	})
}
