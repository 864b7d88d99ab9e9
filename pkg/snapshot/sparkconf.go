package snapshot

// SparkConf keeps the few keys of spec.sparkConf that change what the operator does.
type SparkConf struct {
	DriverPodName     string // spark.kubernetes.driver.pod.name
	Namespace         string // spark.kubernetes.namespace
	DynamicAllocation bool   // spark.dynamicAllocation.enabled=true
}
