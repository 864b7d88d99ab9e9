package upgrade

import (
	"iter"
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// RunsNeeds are what runs reads.
func RunsNeeds(scope snapshot.Scope) []snapshot.Need {
	return []snapshot.Need{
		{View: snapshot.SparkApplications, Role: snapshot.Subject, Scope: scope},
		{View: snapshot.ScheduledSparkApplications, Role: snapshot.Subject, Scope: scope},
	}
}

// runsUnseen says of a check that judges more than applications that it judges none, since the input holds neither them nor schedules.
func runsUnseen(s *snapshot.Snapshot) (unjudged []string) {
	for _, v := range []snapshot.View{snapshot.SparkApplications, snapshot.ScheduledSparkApplications} {
		if s.Coverage(v).State != snapshot.NotInput {
			return nil
		}
	}
	return []string{"the needs of applications: the input holds none"}
}

// Runs returns the applications that could be read, and what schedules will make, and says how many could not be read. A run
// of a schedule is left to the schedule, unless that makes no more of them.
func Runs(s *snapshot.Snapshot) (list []*snapshot.SparkApplication, unjudged []string) {
	apps, unjudged := facts.Decoded(s)
	var made []*snapshot.SparkApplication
	schedules := s.ScheduledSparkApplications()
	scheduled := map[snapshot.Key]bool{}
	bad := 0
	for i := range schedules {
		switch o := &schedules[i]; {
		case o.Malformed != "":
			bad++
		case !o.Suspended && !o.Terminating():
			scheduled[check.AppKey(o.Namespace, o.Name)] = true
			made = append(made, o.Application())
		}
	}
	if bad > 0 {
		unjudged = append(unjudged, phrase.Counted(bad, "ScheduledSparkApplication")+" could not be decoded")
	}
	for _, app := range apps {
		if schedule, of := app.Labels.Lookup(snapshot.ScheduledAppLabel); !of || !scheduled[check.AppKey(app.Namespace, schedule)] {
			list = append(list, app)
		}
	}
	return append(list, made...), unjudged
}

// specFields is a specification that an operator judges, or will: of an application, in a schedule, of a SparkConnect
// server, or in a manifest that a workflow applies.
type specFields struct {
	*snapshot.Object        // that holds it
	Kind             string // of the object that it makes or is
	Namespace        string // in which that is or will be; empty where a template expression says so
	Path             string // of the specification within the object, such as "spec.template"
	Over             bool   // the operator does nothing more with it
	Part             bool   // of a patch: what is missing may be in the object already
	*snapshot.ReleaseDependentFields
}

// mayGoTo reports whether the namespace is one of those; one that only a template expression tells may be.
func (f *specFields) mayGoTo(mine func(namespace string) bool) bool {
	return f.Namespace == "" || mine(f.Namespace)
}

// specNeeds are what specsFields reads.
func specNeeds() []snapshot.Need {
	needs := []snapshot.Need{
		{View: snapshot.SparkApplications, Role: snapshot.Subject},
		{View: snapshot.ScheduledSparkApplications, Role: snapshot.Subject},
		{View: snapshot.SparkConnects, Role: snapshot.Subject},
	}
	for _, v := range workflowViews() {
		needs = append(needs, snapshot.Need{View: v, Role: snapshot.Consulted})
	}
	return needs
}

func workflowViews() []snapshot.View {
	return []snapshot.View{snapshot.Workflows, snapshot.WorkflowTemplates, snapshot.ClusterWorkflowTemplates, snapshot.CronWorkflows}
}

// knownToHaveEnded reports whether an application that could be read has ended.
func knownToHaveEnded(app *snapshot.SparkApplication) bool { return app.Malformed == "" && app.Ended() }

// specsFields yields those of the snapshot that could be read. A run of a schedule is left to the schedule.
func specsFields(s *snapshot.Snapshot) iter.Seq[specFields] {
	return func(yield func(specFields) bool) {
		schedules, scheduled := s.ScheduledSparkApplications(), map[snapshot.Key]bool{}
		for i := range schedules {
			o := &schedules[i]
			scheduled[check.AppKey(o.Namespace, o.Name)] = true
			if o.Malformed == "" && !yield(specFields{&o.Object, "ScheduledSparkApplication", o.Namespace, "spec.template", o.Terminating(),
				false, &o.Template.ReleaseDependentFields}) {
				return
			}
		}
		for _, o := range s.SparkApplications() {
			ofSchedule := scheduled[check.AppKey(o.Namespace, o.Labels.Get(snapshot.ScheduledAppLabel))]
			if o.Malformed == "" && !ofSchedule && !yield(specFields{&o.Object, "SparkApplication", o.Namespace, "spec", o.Ended() ||
				o.Terminating(), false, &o.ReleaseDependentFields}) {
				return
			}
		}
		connects := s.SparkConnects()
		for i := range connects {
			o := &connects[i]
			spec := specFields{&o.Object, "SparkConnect", o.Namespace, "spec", o.Terminating(), false, &o.ReleaseDependentFields}
			if o.Malformed == "" && !yield(spec) {
				return
			}
		}
		for _, spec := range workflowSpecs(s) {
			if !yield(spec) {
				return
			}
		}
	}
}

// workflowSpecs are those in manifests that workflows create or change, with the namespace where it can be told.
func workflowSpecs(s *snapshot.Snapshot) []specFields {
	var out []specFields
	for _, v := range workflowViews() {
		workflows := s.Workflows(v)
		for i := range workflows {
			w := &workflows[i]
			for _, t := range w.Templates {
				if !slices.Contains([]string{"", "create", "apply", "replace", "patch"}, t.Action) {
					continue
				}
				for j := range t.SparkObjects {
					m := &t.SparkObjects[j]
					if m.Unclear {
						continue
					}
					out = append(out, specFields{
						Object: &w.Object, Kind: m.Kind, Namespace: goesTo(w, &t, m), Path: t.Path + ".resource.manifest",
						Part: t.Action == "patch", ReleaseDependentFields: &m.ReleaseDependentFields,
					})
				}
			}
		}
	}
	return out
}

// goesTo returns where an object of a template goes, which is where the workflow of the template runs if it names no namespace.
func goesTo(w *snapshot.Workflow, t *snapshot.ResourceTemplate, m *snapshot.TemplateObject) string {
	if m.Namespace == "" {
		return facts.ManifestNamespace(w.Namespace, t.Namespace)
	}
	return facts.ManifestNamespace(w.Namespace, m.Namespace)
}
