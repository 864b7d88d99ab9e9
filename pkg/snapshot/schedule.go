package snapshot

import (
	"cmp"
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
	Lifetime  Lifetime // of the runs: spec.template.timeToLiveSeconds
	Contested          // of spec.template

	DriverAccount string // spec.template.driver.serviceAccount

	SpecChanged time.Time // when somebody last wrote what includes the spec; zero where managedFields do not tell

	State       string // status.scheduleState; empty until the operator looked at it
	Reason      string // first 512 bytes of status.reason
	LastRun     time.Time
	NextRun     time.Time
	LastRunName string

	Undecodable *Undecodable // in a pod template; nil: none

	// Malformed says what of spec or status could not be decoded; metadata is good then, the rest is not.
	Malformed string
}

type wireSchedule struct {
	wireObject
	Spec struct {
		Schedule string `json:"schedule"`
		TimeZone string `json:"timeZone"`
		Policy   string `json:"concurrencyPolicy"`
		Suspend  bool   `json:"suspend"`
		Template struct {
			wireContestedSpec
			TimeToLive *int64 `json:"timeToLiveSeconds"`
		} `json:"template"`
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
	template := &w.Spec.Template
	return Schedule{
		Undecodable: cmp.Or(templateProblem(template.Driver.Template, "spec.template.driver.template"), templateProblem(template.Executor.Template, "spec.template.executor.template")),
		Object:      w.object(loc), Cron: w.Spec.Schedule, TimeZone: w.Spec.TimeZone, Policy: w.Spec.Policy, Suspended: w.Spec.Suspend, Contested: template.contested(),
		DriverAccount: template.Driver.Account,
		Lifetime:      lifetime(w.Spec.Template.TimeToLive), State: w.Status.State,
		SpecChanged: w.Metadata.ManagedFields.Value.SpecChanged,
		Reason:      excerpt(w.Status.Reason, keptErrorMessage),
		LastRun:     w.Status.LastRun.Time, NextRun: w.Status.NextRun.Time, LastRunName: w.Status.LastRunName,
	}, nil
}
