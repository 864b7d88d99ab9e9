package snapshot

import (
	"strings"
	"time"

	"github.com/go-json-experiment/json"
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

type wireSchedule struct {
	wireObject
	Spec struct {
		Schedule string          `json:"schedule"`
		TimeZone string          `json:"timeZone"`
		Policy   string          `json:"concurrencyPolicy"`
		Suspend  bool            `json:"suspend"`
		Template sized[wireSpec] `json:"template"`
	} `json:"spec"`
	Status struct {
		State       string   `json:"scheduleState"`
		Reason      string   `json:"reason"`
		LastRun     wireTime `json:"lastRun"`
		NextRun     wireTime `json:"nextRun"`
		LastRunName string   `json:"lastRunName"`
	} `json:"status"`
}

func decodeSchedule(raw []byte, loc Location) (Schedule, error) {
	var w wireSchedule
	if err := json.Unmarshal(raw, &w, decodeOptions()); err != nil {
		var head struct{ wireObject }
		if json.Unmarshal(raw, &head, decodeOptions()) != nil {
			return Schedule{}, err
		}
		return Schedule{Object: head.object(loc), Malformed: problemOf(err)}, nil // what owns and hangs is still told
	}
	return Schedule{
		Object: w.object(loc), Cron: w.Spec.Schedule, TimeZone: w.Spec.TimeZone, Policy: w.Spec.Policy, Suspended: w.Spec.Suspend,
		Template: w.template(), State: w.Status.State,
		SpecChanged: w.Metadata.ManagedFields.Value.SpecChanged,
		Reason:      excerpt(w.Status.Reason, keptErrorMessage),
		LastRun:     w.Status.LastRun.Time, NextRun: w.Status.NextRun.Time, LastRunName: w.Status.LastRunName,
	}, nil
}

func (w *wireSchedule) template() SparkApplication {
	run := wireApplication{wireObject: w.wireObject, Spec: w.Spec.Template}
	a := run.application(nil, Location{})
	a.Object, a.Sizes, a.SpecChanged, a.StatusChanged = Object{}, Sizes{}, time.Time{}, time.Time{}
	return a
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
