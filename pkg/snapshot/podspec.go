package snapshot

// SparkContainers are the names of the Spark container; Spark 2 called an executor's just "executor"
// (pkg/common/spark.go@v2.5.2).
func SparkContainers(role string) []string {
	switch role {
	case "driver":
		return []string{"spark-kubernetes-driver"}
	case "executor":
		return []string{"spark-kubernetes-executor", "executor"}
	default:
		return nil
	}
}
