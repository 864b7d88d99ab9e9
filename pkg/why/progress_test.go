package why_test

import (
	"fmt"
	"strings"
	"testing"
)

// TestExecutorsThatEndBeforeTheyWork: their logs tell why, though the driver runs and some reported to it; where tasks finish, others do
// their work.
func TestExecutorsThatEndBeforeTheyWork(t *testing.T) {
	const lost = "INFO KubernetesClusterSchedulerBackend$KubernetesDriverEndpoint: Disabling executor 1."
	const done = "INFO TaskSetManager: Finished task 3.0 in stage 0.0 (TID 3) in 15000 ms on 10.88.6.41 (executor 1) (1/8)"
	const taken = "was less than the minimum allocation of"
	answerVariants(t, map[string]variant{
		"no task finished": {of: "unseen/1191", class: "configuration", says: []string{"the GPU lacks free memory", "3777.5 MB"}},
		"one did":          {of: "unseen/1191", logs: []string{lost, done}, class: "slowButProgressing", not: []string{"GPU"}},
		"for another reason": {of: "unseen/1191", logs: []string{taken, "is not what was asked for, which is"}, class: "unknown",
			not: []string{"GPU lacks"}},
	})
}

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
		"few of many": {of: "unseen/1167", logs: []string{"", until(5, 0)}, class: "unknown",
			says: []string{"no further task has finished", "5 of 150 tasks finished"}},
		"the last of them": {of: "unseen/1167", logs: []string{"", until(5, 143)}, class: "runningNormally",
			says: []string{"148 of 150 tasks finished", "none of them in the last 41m"}},
		"they go on": {of: "unseen/1167", logs: []string{"", until(46, 0)}, class: "runningNormally", not: []string{"none of them"}},
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
		"Hadoop's": {of: "unseen/1167", logs: []string{"", from(5, retry)}, class: "network",
			says: []string{"done nothing but try to connect, 42 times", "namenode/10.4.0.2:8020"}},
		"Kafka's":           {of: "unseen/1167", logs: []string{"", from(5, broker)}, class: "network", says: []string{"kafka/10.4.0.2:9092"}},
		"between its work":  {of: "unseen/1167", logs: []string{"", between}, class: "runningNormally"},
		"only lately":       {of: "unseen/1167", logs: []string{"", from(40, retry)}, class: "runningNormally"},
		"of warnings alone": {of: "unseen/1167", logs: []string{"", warnings}, class: "runningNormally"},
	})
}

// TestJobsThatGetNoExecutorThatIsThere is not known to be the fault of any.
func TestJobsThatGetNoExecutorThatIsThere(t *testing.T) {
	const starved = "WARN TaskSchedulerImpl: Initial job has not accepted any resources; check your cluster UI to ensure that workers are " +
		"registered and have sufficient resources"
	answerVariants(t, map[string]variant{
		"complains": {of: "unseen/1167", logs: []string{"", ofDriver(func(int) string { return starved })}, class: "unknown",
			says: []string{"executors are there and registered", "has not accepted any resources"}},
	})
}
