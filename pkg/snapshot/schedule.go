package snapshot

import (
	"strings"
	"time"
)

// Schedule is what checks read of a scheduledsparkapplications.sparkoperator.k8s.io (api/v1beta2@v2.5.2).
type Schedule struct {
	Object
	Cron      string // spec.schedule
	TimeZone  string // spec.timeZone, since 2.2.0
	Policy    string // spec.concurrencyPolicy
	Suspended bool
	Template  SparkApplication // spec.template, without metadata: see Application

	SpecChanged time.Time // when somebody last wrote what includes the spec; zero where managedFields do not tell

	State       string // status.scheduleState; empty until the operator looked at it
	Reason      string // first 512 bytes of status.reason
	LastRun     time.Time
	NextRun     time.Time
	LastRunName string

	// Malformed says what of spec or status could not be decoded; metadata is good then, the rest is not.
	Malformed string
}

// Application returns what the schedule makes: an application without a status, here with the schedule's own metadata. A run has its
// namespace, its labels and another one, and a name that begins with its name (createSparkApplication,
// internal/controller/scheduledsparkapplication/controller.go@v2.5.2).
func (s *Schedule) Application() *SparkApplication {
	a := s.Template
	a.Object, a.Malformed = s.Object, s.Malformed
	return &a
}

// Path returns where a field of an application's specification is in the object that holds it: in a schedule below
// spec.template.
func (a *SparkApplication) Path(field string) string {
	below, ofSpec := strings.CutPrefix(field, "spec")
	if !ofSpec || a.Kind != "ScheduledSparkApplication" {
		return field
	}
	return "spec.template" + below
}

func (s *Schedule) dates(see func(time.Time)) { see(s.LastRun) }
