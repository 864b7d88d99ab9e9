package release

import (
	"slices"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// Facts are what is known of one release: what it changes and all that it has from earlier ones.
type Facts struct {
	Version Version
	Commit  string // of what is not released
	// Module: the tag is a version of a Go module, so that tests can download, build and run it.
	Module bool
	Hop    bool // see Release

	Chart Chart // without Spark: not known
	CRDs  CRDs

	// RefusesNames: the webhook refuses applications and schedules whose name is not a DNS-1035 label.
	RefusesNames bool
	// RefusesConnectNames: that of a SparkConnect must leave room for the name of its Service, too.
	RefusesConnectNames bool
	// RefusesSchedulers: a submission fails if its batch scheduler is not there; before, the operator goes on without.
	RefusesSchedulers bool
	// SendsNullMainFile: the webhook that sets defaults sends an application without mainApplicationFile back with a null there.
	SendsNullMainFile bool
	// DeniedSettings are those of sparkConf that the webhook refuses.
	DeniedSettings []DeniedSetting
	// FirstContainer: the webhook takes a pod's first container for Spark's if none has its name.
	FirstContainer bool
	Certificate    CertificateUse // unless flags say otherwise
	CertManager    bool           // --enable-cert-manager is known

	// CutsUIName: the name of the UI Service is cut to what the API server takes.
	CutsUIName bool
	// UIServiceLate: the UI Service is made after the submission, not before it.
	UIServiceLate bool
	// OwnsDrivers: the controller makes the application the owner of its driver, not the webhook.
	OwnsDrivers bool
	// KeepsQueueLabels: labels of Kueue stay with the application, and do not go to its pods.
	KeepsQueueLabels bool
	// PodTemplates: the controller decodes spec.driver.template and spec.executor.template.
	PodTemplates bool
	// Suspends: spec.suspend counts.
	Suspends bool
	// SubmissionRetryInterval: a failed submission is tried again after its own interval, not after that of failed runs.
	SubmissionRetryInterval bool
	// Unprivileged: the image runs as a user that may not listen on ports below 1024.
	Unprivileged bool
	// TrackedExecutors is the default of --max-tracked-executor-per-app; 0: there is no limit.
	TrackedExecutors int
	// DriverGrace is the default of --driver-pod-creation-grace-period; 0: the controller does not wait.
	DriverGrace time.Duration
	Schedules   Schedules

	Telltales Telltales
	Mutations []Mutation
	Flaws     []Flaw
	Defects   []Defect
	Grants    []Grant
	Needs     Needs
	Fatal     *Fatal // nil: it is none
}

// Schedules says how a release starts the runs of schedules.
type Schedules struct {
	// NeedsPolicy: without spec.concurrencyPolicy a run starts only while no earlier one exists (2.x, which has no default:
	// internal/controller/scheduledsparkapplication/controller.go@v2.0.0 to @v2.5.2, shouldStartNextRun; 1.x takes it for
	// Allow: pkg/controller/scheduledsparkapplication/controller.go@v1beta2-1.6.2-3.5.0).
	NeedsPolicy bool
	// Sticky: FailedValidation stays after the spec is corrected, until the object is re-created (2.x, #3174).
	Sticky bool
	// KeepsDue: a changed schedule counts only from the run after the next one on (2.x, #2288, #2555).
	KeepsDue bool
	// TimeZones: spec.timeZone counts.
	TimeZones bool
	// Precision: --scheduled-spark-application-timestamp-precision sets the digits of the time in the name of a run.
	Precision bool
}

// Telltales are the fields of each CRD, oldest first.
type Telltales struct{ Application, Schedule, Connect []Telltale }

// Mutates reports whether the webhook carries a field to a pod whose Spark container was found by name or not.
func (f *Facts) Mutates(field snapshot.Field, named bool) bool {
	i := slices.IndexFunc(f.Mutations, func(m Mutation) bool { return m.Field == field })
	if i < 0 {
		return false
	}
	return named || !f.Mutations[i].OnContainer || f.FirstContainer
}

// MutatesAs reports whether the webhooks of two releases treat every pod alike.
func (f *Facts) MutatesAs(o *Facts) bool {
	return f.FirstContainer == o.FirstContainer && slices.Equal(f.Mutations, o.Mutations) && slices.Equal(f.Flaws, o.Flaws)
}

// FlawOf returns what the release gets wrong about a field of a role.
func (f *Facts) FlawOf(field snapshot.Field, role string) (Flaw, bool) {
	i := slices.IndexFunc(f.Flaws, func(flaw Flaw) bool { return flaw.Field == field && flaw.Role == role })
	if i < 0 {
		return Flaw{}, false
	}
	return f.Flaws[i], true
}
