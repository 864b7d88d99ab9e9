package facts

import (
	"fmt"
	"strings"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/spark"
)

// KindOf is a reference to any object that a view holds.
func KindOf(v check.View) snapshot.Ref {
	src, _ := snapshot.SourceOf(v)
	return snapshot.Ref{APIVersion: src.APIVersion(), Kind: src.Kind}
}

// RunsText says how many there are: "2 applications and 1 schedule".
func RunsText(refs []snapshot.Ref) string {
	schedules := 0
	for _, ref := range refs {
		if ref.Kind == "ScheduledSparkApplication" {
			schedules++
		}
	}
	var parts []string
	if n := len(refs) - schedules; n > 0 {
		parts = append(parts, phrase.Counted(n, "application"))
	}
	if schedules > 0 {
		parts = append(parts, phrase.Counted(schedules, "schedule"))
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

// NameUsers adds the applications that set what their pods do not get.
func NameUsers(f *check.Finding, using []*snapshot.SparkApplication) {
	for i, app := range using {
		f.Related = append(f.Related, app.Ref)
		if i < ShownApps {
			f.Saw(app.Ref, app.Path("spec"), strings.Join(spark.WebhookFields(app), ", "))
		}
	}
	if len(using) > 0 {
		first := using[0]
		f.Message += fmt.Sprintf("; %s %s fields that only the webhook puts on pods, such as %s/%s with %s",
			RunsText(refsOf(using)), phrase.Verb(len(using), "sets", "set"), first.Namespace, first.Name,
			strings.Join(spark.WebhookFields(first)[:min(MaxNamed, len(spark.WebhookFields(first)))], ", "))
	}
}

// ManifestNamespace returns where an object of a manifest goes; empty where a template expression says so.
func ManifestNamespace(workflow, manifest string) string {
	switch {
	case manifest == "" || manifest == "{{workflow.namespace}}":
		return workflow
	case strings.Contains(manifest, "{{"):
		return ""
	default:
		return manifest
	}
}

// EndOf is when an application ended, or was submitted last where no end is known.
func EndOf(app *snapshot.SparkApplication) time.Time {
	if app.Terminated.IsZero() {
		return app.LastSubmissionAttempt
	}
	return app.Terminated
}
