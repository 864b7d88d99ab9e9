package release

// Chart is what a release installs with its chart, unless told otherwise, and what runs in its image. Read in
// charts/spark-operator-chart/values.yaml, templates/ and Dockerfile at the tag of each release.
type Chart struct {
	JobNamespaces   []string // whose applications it takes up; "" is all of them
	Replicas        int32    // of the controller
	WebhookReplicas int32    // of the webhook's own Deployment; 0 where it has none
	LeaderElection  bool
	MetricsPort     int32
	Repository      string // of the image, with the registry
	RootReadOnly    bool   // of the containers, which run in group 185
	FSGroup         int64  // of the pods; zero: none
	UpgradesCRDs    bool   // a job that does can be asked for with hook.upgradeCrd
	HookCreates     bool   // the role of that job allows it to create a CRD
	HookForces      bool   // that job takes over fields that others own
	LabelledOnly    bool   // of ConfigMaps, it sees only those labelled created-by-spark-operator (#2878)

	Webhook        bool // whether there is one at all
	FailurePolicy  string
	WebhookPort    int32 // of its pods
	ServicePort    int32 // of its Service
	WebhookTimeout int32 // seconds
	SideEffects    string

	Spark  string // of spark-submit in the image
	Java   int    // that it runs on
	Source string
}

// CRDs says what the CRDs of a chart ask for.
type CRDs struct {
	Required    []string // of every object, at the top
	MainFile    bool     // spec.mainApplicationFile is required
	Connect     bool     // there is one for SparkConnect, and the controller watches these, asked or not
	ConnectHook bool     // the webhook judges SparkConnects
	// Keyed are lists of containers, below spec.driver and spec.executor, in which a key may occur but once.
	Keyed map[string]string
}

// Fields are those that a release adds to the schemas of CRDs, below spec. The age of a CRD shows by them.
type Fields struct {
	Application []string // schedules have them below spec.template
	Schedule    []string
	Connect     []string
}

// Telltale is a field by which the age of a CRD shows: it is in the schema from a release on, and in none before.
type Telltale struct {
	Field string // below spec
	Since Version
}
