package snapshot

// Spec is what the specification of an application says: of a SparkApplication, or of the template of a schedule. What follows from it
// for the webhook, for releases and for the driver is in pkg/spark.
type Spec struct {
	SparkVersion string
	ReleaseDependentFields

	Driver, Executor *RoleSpec // nil: nothing is set; shared by applications that are alike

	BatchScheduler *string // nil: not set; an empty name is one
	BatchQueue     string  // batchSchedulerOptions.queue

	SparkConfigMap, HadoopConfigMap string

	Monitoring   MetricsSpec
	Volumes      []SpecVolume
	NodeSelector []string // "key=value", sorted

	PullPolicy  bool // imagePullPolicy is set
	PullSecrets bool // imagePullSecrets are set
	Packages    bool // deps.packages are set
	Ingresses   bool // driverIngressOptions are set
}

// RoleSpec is spec.driver or spec.executor.
type RoleSpec struct {
	Account       string    // serviceAccount
	Counted       bool      // instances are given
	SchedulerName string    // schedulerName
	Sets          []Feature // of the fields that the webhook puts on pods, but for volumeMounts and schedulerName
	Env           []string  // names in envVars and envSecretKeyRefs, which spark-submit sets
	Mounts        []string  // names in volumeMounts
	Template      *PodTemplate
}

// PodTemplate is what is read of the template of a role.
type PodTemplate struct {
	Features Features // as a pod would have; empty if it does not decode
	Account  string   // spec.serviceAccountName
}

// MetricsSpec is spec.monitoring.
type MetricsSpec struct {
	Driver, Executor bool // whose metrics are exposed
	Prometheus       bool // prometheus is set
	Properties       bool // metricsPropertiesFile is set
	Config           bool // prometheus.configFile is set
}

// SpecVolume is one of spec.volumes.
type SpecVolume struct {
	Name     string
	EmptyDir bool
	Medium   bool // emptyDir.medium is set
	Sized    bool // emptyDir.sizeLimit is set
}

// ReleaseDependentFields is what of a specification only some releases of the operator take, or take as it is meant: of an application,
// of the template of a schedule, of a SparkConnect server, of a manifest that a workflow applies. Most have none.
type ReleaseDependentFields struct {
	Settings           []Setting // of sparkConf, those that are read, in order of the object
	BatchPriorityClass string    // batchSchedulerOptions.priorityClassName
	DriverPriority     bool      // driver.priorityClassName is set
	ExecutorPriority   bool      // executor.priorityClassName is set
	NoMainFile         bool      // mainApplicationFile is missing
}

// Setting is an entry of sparkConf. Its value is kept where that decides, since tokens are among them.
type Setting struct{ Key, Value string }

// Setting returns the value of a setting, empty if there is none or it is not kept. The last of equal keys counts.
func (c *ReleaseDependentFields) Setting(key string) string {
	for i := len(c.Settings) - 1; i >= 0; i-- {
		if c.Settings[i].Key == key {
			return c.Settings[i].Value
		}
	}
	return ""
}
