package snapshot

// PrunableFields are fields of a SparkApplication, as paths below spec, that an older CRD does not name, so that the API
// server drops them. pkg/operator knows since when they are there.
func PrunableFields() []string {
	return []string{
		"driver.priorityClassName", "executor.priorityClassName", "driver.template", "executor.template", "deps.archives",
		"driver.memoryLimit", "executor.memoryLimit", "dynamicAllocation.shuffleTrackingEnabled", "suspend",
	}
}
