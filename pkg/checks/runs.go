package checks

import (
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// runsNeeds are what runs reads.
func runsNeeds(scope snapshot.Scope) []snapshot.Need {
	return []snapshot.Need{
		{View: snapshot.SparkApplications, Role: snapshot.Subject, Scope: scope},
		{View: snapshot.ScheduledSparkApplications, Role: snapshot.Subject, Scope: scope},
	}
}

// runs returns the applications that could be read, and what schedules will make, and says how many could not be read. A run
// of a schedule is left to the schedule, unless that makes no more of them.
func runs(s *snapshot.Snapshot) (list []*snapshot.SparkApplication, unjudged []string) {
	apps, unjudged := decoded(s)
	var made []*snapshot.SparkApplication
	schedules, scheduled, bad := s.ScheduledSparkApplications(), map[snapshot.Key]bool{}, 0
	for i := range schedules {
		switch o := &schedules[i]; {
		case o.Malformed != "":
			bad++
		case !o.Suspended && !o.Terminating():
			scheduled[appKey(o.Namespace, o.Name)] = true
			made = append(made, o.Application())
		}
	}
	if bad > 0 {
		unjudged = append(unjudged, counted(bad, "ScheduledSparkApplication")+" could not be decoded")
	}
	for _, app := range apps {
		if schedule, of := app.Labels.Lookup(snapshot.ScheduledAppLabel); !of || !scheduled[appKey(app.Namespace, schedule)] {
			list = append(list, app)
		}
	}
	return append(list, made...), unjudged
}

// runsText says how many there are: "2 applications and 1 schedule".
func runsText(refs []snapshot.Ref) string {
	schedules := 0
	for _, ref := range refs {
		if ref.Kind == "ScheduledSparkApplication" {
			schedules++
		}
	}
	var parts []string
	if n := len(refs) - schedules; n > 0 {
		parts = append(parts, counted(n, "application"))
	}
	if schedules > 0 {
		parts = append(parts, counted(schedules, "schedule"))
	}
	return strings.Join(parts, " and ")
}

func refsOf(list []*snapshot.SparkApplication) []snapshot.Ref {
	var out []snapshot.Ref
	for _, app := range list {
		out = append(out, app.Ref)
	}
	return out
}
