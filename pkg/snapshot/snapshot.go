package snapshot

import (
	"fmt"
	"slices"
	"time"
)

// Snapshot is what was seen. It is sealed: built by a Builder, read through accessors, never changed.
// A snapshot that Restrict returned answers only for the views that were declared.
type Snapshot struct {
	TakenAt time.Time // the only "now" that checks know
	Live    bool      // read from an API server, so that absence can be confirmed there
	Files   bool      // read from plain files, whose coverage is that of the input only
	Whole   bool      // plain files that are declared to be everything

	// Namespaces are the only ones that the user asked for; nil: all.
	Namespaces []string

	// Compared are the schemas against which objects were read; nil: none, as in an archive, which holds no whole objects.
	Compared Schemas

	// Written are the schemas against which manifests were read: objects of files that no API server has seen; nil: none.
	Written Schemas

	records  records
	coverage map[View]Coverage
	owners   Ownership
	declared map[View]bool // nil: everything may be read
	read     map[View]bool // what was read, for the test that compares it with what was declared
}

// records are the tables of all views, and an index.
type records struct {
	tables
	jobs jobs // the pods of each application
}

func recordsIn(all tables) records {
	return records{all, jobsOf(tableIn[Pod](all, SparkPods).list)}
}

// Ignored is an object with the annotation sparkdoctor.io/ignore.
type Ignored struct {
	Ref
	Location Location
	Text     string
}

// Restrict returns a snapshot in which only the needed views may be read.
func (s *Snapshot) Restrict(needs []Need) *Snapshot {
	r := *s
	r.declared, r.read = map[View]bool{}, map[View]bool{}
	for _, n := range needs {
		r.declared[n.View] = true
	}
	return &r
}

// Read returns the declared views that were read through this restricted snapshot.
func (s *Snapshot) Read() map[View]bool { return s.read }

// Coverage returns how much of a view was seen.
func (s *Snapshot) Coverage(v View) Coverage { return s.coverage[v] }

// Resumed returns the views whose listing expired and went on at a newer moment, sorted.
func (s *Snapshot) Resumed() []string {
	var out []string
	for v, c := range s.coverage {
		if c.Resumed {
			out = append(out, string(v))
		}
	}
	slices.Sort(out)
	return out
}

// CoverageFor returns how much of what a need asks for was seen.
func (s *Snapshot) CoverageFor(n Need) Coverage {
	c := s.coverage[n.View]
	if n.Scope == InNamespace && s.Namespaces != nil {
		return c.in(s.Namespaces, func(namespace string) bool { return s.holds(n.View, namespace) })
	}
	return c
}

// holds reports whether a view has an object of a namespace. Of a view whose objects are not listed by namespace nothing follows from that,
// and it is held to have one.
func (s *Snapshot) holds(v View, namespace string) bool {
	src, known := SourceOf(v)
	if !known || !src.Namespaced || src.ByName || src.AtOperator {
		return true
	}
	t := s.records.tables[v]
	return t != nil && !t.each(func(r Record) bool { return r.object().Namespace != namespace })
}

// Excerpt reports whether the snapshot is of plain files that are not declared to be everything. They prove what they hold;
// that an object is missing from them proves nothing, however many others of its kind they hold.
func (s *Snapshot) Excerpt() bool { return s.Files && !s.Whole }

// Covers reports whether everything of a view in a namespace was seen, so that what is not there is absent.
func (s *Snapshot) Covers(v View, namespace string) bool {
	return !s.Excerpt() && s.coverage[v].Covers(namespace)
}

// CoversAll reports the same of all namespaces.
func (s *Snapshot) CoversAll(v View) bool {
	c := s.coverage[v]
	settled := c.State == Complete || c.State == NotServed
	return !s.Excerpt() && c.Namespaces == nil && settled
}

// use marks a view as read. Reading what was not declared is the check author's error; the engine turns the
// panic into a skip that names the check.
func (s *Snapshot) use(v View) {
	if s.declared == nil {
		return
	}
	if !s.declared[v] {
		panic(fmt.Sprintf("undeclared read of view %q", v))
	}
	s.read[v] = true
}

// SparkApplications returns the applications. The slice and what it holds must not be changed.
func (s *Snapshot) SparkApplications() []*SparkApplication {
	return listOf[SparkApplication](s, SparkApplications)
}

// SparkApplication returns one of them by its name, or nil.
func (s *Snapshot) SparkApplication(namespace, name string) *SparkApplication {
	return get[SparkApplication](s, SparkApplications, Key{GroupKind{SparkGroup, "SparkApplication"}, namespace, name})
}

// ScheduledSparkApplications returns the schedules.
func (s *Snapshot) ScheduledSparkApplications() []Schedule {
	return read[Schedule](s, ScheduledSparkApplications)
}

// SparkConnects returns the SparkConnect servers.
func (s *Snapshot) SparkConnects() []SparkConnect { return read[SparkConnect](s, SparkConnects) }

// SparkPods returns the pods that the operator or SparkConnect launched.
func (s *Snapshot) SparkPods() []*Pod { return listOf[Pod](s, SparkPods) }

// SparkPod returns one of them by its name, or nil.
func (s *Snapshot) SparkPod(key Key) *Pod { return get[Pod](s, SparkPods, key) }

// Dependents returns metadata of the objects of a dependent view that belong to a Spark object.
func (s *Snapshot) Dependents(v View) []Object { return read[Object](s, v) }

// Deployments returns the Deployments of all namespaces that could be seen.
func (s *Snapshot) Deployments() []Deployment { return read[Deployment](s, Deployments) }

// MutatingWebhooks returns the mutating webhook configurations, other projects' too.
func (s *Snapshot) MutatingWebhooks() []WebhookConfiguration {
	return read[WebhookConfiguration](s, MutatingWebhooks)
}

// ValidatingWebhooks returns the validating webhook configurations, other projects' too.
func (s *Snapshot) ValidatingWebhooks() []WebhookConfiguration {
	return read[WebhookConfiguration](s, ValidatingWebhooks)
}

// WebhookEndpoints returns the endpoint slices of the Services that webhooks of the operator call.
func (s *Snapshot) WebhookEndpoints() []EndpointSlice {
	return read[EndpointSlice](s, WebhookEndpoints)
}

// WebhookServices returns the Services that webhooks of the operator call; from files, all Services.
func (s *Snapshot) WebhookServices() []Service { return read[Service](s, WebhookServices) }

// OperatorPods returns the pods of the operator; from files, all pods that are not Spark's.
func (s *Snapshot) OperatorPods() []OperatorPod { return read[OperatorPod](s, OperatorPods) }

// WebhookSecrets returns the Secrets that hold a webhook's certificate, without their keys.
func (s *Snapshot) WebhookSecrets() []WebhookSecret { return read[WebhookSecret](s, WebhookSecrets) }

// Leases returns those for which replicas of the operator compete; from files, all.
func (s *Snapshot) Leases() []Lease { return read[Lease](s, Leases) }

// HookJobs returns the Jobs that the operator's chart runs in an upgrade; from files, all Jobs.
func (s *Snapshot) HookJobs() []Job { return read[Job](s, HookJobs) }

// ServedCertificates returns what the webhook's pods serve; nothing without --probe.
func (s *Snapshot) ServedCertificates() []ServedCertificate {
	return read[ServedCertificate](s, ServedCertificates)
}

// OperatorLogs returns what the logs of the operator's pods tell; nothing without --logs.
func (s *Snapshot) OperatorLogs() []OperatorLog { return read[OperatorLog](s, OperatorLogs) }

// AllNamespaces returns metadata of the namespaces.
func (s *Snapshot) AllNamespaces() []Object { return read[Object](s, Namespaces) }

// WarningEvents returns the events that checks read: see EventIsRead.
func (s *Snapshot) WarningEvents() []Event { return read[Event](s, WarningEvents) }

// Workflows returns the objects of one of the four Argo views.
func (s *Snapshot) Workflows(v View) []Workflow { return read[Workflow](s, v) }

// Ownership returns what is known of the owners that ownerReferences name.
func (s *Snapshot) Ownership() Ownership { s.use(Owners); return s.owners }

// Ignored returns the objects that carry the annotation sparkdoctor.io/ignore, each once. It is no view of a check.
func (s *Snapshot) Ignored() []Ignored {
	var out []Ignored
	for o := range tableIn[Object](s.records.tables, Annotated).records {
		out = append(out, Ignored{o.Ref, o.Location, o.Ignore()})
	}
	return out
}

// Has reports whether an object was seen, by kind, namespace and name.
func (s *Snapshot) Has(key Key) bool {
	if s.owners.byKey[key] != nil {
		return true
	}
	for _, t := range s.records.tables {
		if t.role() >= known && t.has(key) {
			return true
		}
	}
	return false
}

// Holds reports whether any Spark object of a namespace was seen.
func (s *Snapshot) Holds(namespace string) bool {
	return !s.records.each(ownerRole.isSpark, func(o *Object) bool { return o.Namespace != namespace })
}

// read returns the records of a view. It panics on one that the check did not declare.
func read[T any, P record[T]](s *Snapshot, v View) []T {
	s.use(v)
	return tableIn[T, P](s.records.tables, v).values
}

// listOf is read for records that stay where they are.
func listOf[T any, P record[T]](s *Snapshot, v View) []P {
	s.use(v)
	return tableIn[T, P](s.records.tables, v).list
}

// get returns one of the records of a view by its name, or nil.
func get[T any, P record[T]](s *Snapshot, v View, key Key) P {
	s.use(v)
	return tableIn[T, P](s.records.tables, v).find(key)
}
