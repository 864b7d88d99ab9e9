package snapshot

// Contested is what of a specification only some releases of the operator take, or take as it is meant: of an application,
// of the template of a schedule, of a SparkConnect server, of a manifest that a workflow applies. Most have none.
type Contested struct {
	Settings           []Setting // of sparkConf, those that are read, in order of the object
	BatchPriorityClass string    // batchSchedulerOptions.priorityClassName
	DriverPriority     bool      // driver.priorityClassName is set
	ExecutorPriority   bool      // executor.priorityClassName is set
	NoMainFile         bool      // mainApplicationFile is missing
}

// Setting is an entry of sparkConf. Its value is kept where that decides, since tokens are among them.
type Setting struct{ Key, Value string }

// Setting returns the value of a setting, empty if there is none or it is not kept. The last of equal keys counts.
func (c *Contested) Setting(key string) string {
	for i := len(c.Settings) - 1; i >= 0; i-- {
		if c.Settings[i].Key == key {
			return c.Settings[i].Value
		}
	}
	return ""
}
