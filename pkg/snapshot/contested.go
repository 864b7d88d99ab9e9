package snapshot

// Contested is what of a specification only some releases of the operator take, or take as it is meant: of an application,
// of the template of a schedule, of a SparkConnect server, of a manifest that a workflow applies. Most have none.
type Contested struct {
	Settings      []Setting // of sparkConf, in order of the object
	PriorityClass string    // batchSchedulerOptions.priorityClassName, unless driver and executor have one each of their own
	NoMainFile    bool      // mainApplicationFile is missing
}

// Setting is an entry of sparkConf. Its value is kept where that decides, since tokens are among them.
type Setting struct{ Key, Value string }
