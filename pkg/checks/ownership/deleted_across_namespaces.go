package ownership

import (
	"fmt"
	"regexp"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func deletedAcrossNamespaces() check.Check {
	needs := []snapshot.Need{{View: snapshot.WarningEvents, Role: snapshot.Subject}}
	for _, n := range sparkObjectNeeds() {
		needs = append(needs, snapshot.Need{View: n.View, Role: snapshot.Optional})
	}
	return check.Check{
		ID: "SD2003", Slug: "deleted-across-namespaces", Since: "0.1.0", Consequence: check.LosesWork,
		Title:     "the garbage collector found a Spark object's owner in another namespace",
		Needs:     needs,
		Relations: check.Relations{CausedBy: []check.Cause{{Breaks: check.TemplateOwner, Where: submittedBy}}},
		Run: func(p *check.Pass) check.Answer {
			involved, present := map[snapshot.Key]bool{}, map[snapshot.Key]*snapshot.Object{}
			for _, e := range p.WarningEvents() {
				involved[e.Involved.Key()] = true
			}
			for o := range sparkObjects(p.Snapshot) {
				if involved[o.Key()] {
					present[o.Key()] = o
				}
			}
			var a check.Answer
			for _, series := range ownerEvents(p.WarningEvents(), present) {
				a.Judged++
				a.Findings = append(a.Findings, series.finding(p.Snapshot, present))
			}
			return a
		},
	}
}

// ownerRefText is the event's message since Kubernetes 1.20 (pkg/controller/garbagecollector/graph_builder.go). The
// namespace in it is that of the dependent: the event does not say where the owner is.
var ownerRefText = regexp.MustCompile(`ownerRef \[([^,\]]*)/([^,/\]]+), namespace: [^,\]]*, name: ([^,\]]+), uid: ([^,\]]+)\]`)

// ownerSeries is all events about one reference of one object.
type ownerSeries struct {
	event                                       snapshot.Event // the latest
	count                                       int
	ownerAPIVersion, ownerKind, owner, ownerUID string
}

// ownerEvents joins the events about Spark objects into series, in the order in which they come.
func ownerEvents(events []snapshot.Event, present map[snapshot.Key]*snapshot.Object) []*ownerSeries {
	at := map[[2]string]*ownerSeries{}
	var out []*ownerSeries
	for _, e := range events {
		m := ownerRefText.FindStringSubmatch(e.Message)
		if m == nil || !isSparkObject(e.Involved, m[1], present) {
			continue
		}
		key := [2]string{e.Involved.UID + e.Involved.Namespace + e.Involved.Name, m[4]}
		s := at[key]
		if s == nil {
			s = &ownerSeries{event: e, ownerAPIVersion: m[1], ownerKind: m[2], owner: m[3], ownerUID: m[4]}
			at[key] = s
			out = append(out, s)
		}
		s.count += e.Count
		if e.Last.After(s.event.Last) {
			s.event = e
		}
	}
	return out
}

// isSparkObject tells the objects of Spark from others of the same kinds: a pod that is gone is Spark's if a Spark
// object was to own it.
func isSparkObject(ref snapshot.Ref, ownerAPIVersion string, present map[snapshot.Key]*snapshot.Object) bool {
	return ref.Group() == snapshot.SparkGroup || present[ref.Key()] != nil ||
		snapshot.OwnerReference{APIVersion: ownerAPIVersion}.GroupKind().Group == snapshot.SparkGroup
}

func (e *ownerSeries) finding(s *snapshot.Snapshot, present map[snapshot.Key]*snapshot.Object) check.Finding {
	ref := e.event.Involved
	f := check.Finding{
		About: check.About{Object: ref, App: ref.Name, Seen: &e.event.Object}, Severity: check.Error,
		Identity: check.Identity{What: e.ownerKind + "/" + e.owner},
		Evidence: []check.Evidence{{Object: e.event.Ref, Field: "message", Value: e.event.Message}},
	}
	seen := fmt.Sprintf("%s, last %s", phrase.Counted(e.count, "event"), facts.When(e.event.Last, s.TakenAt))
	owner := fmt.Sprintf("owner %s %q is in another namespace", e.ownerKind, e.owner)
	now := present[ref.Key()]
	again := command.Do("submit it again without the ownerReference to %s %s", e.ownerKind, e.owner)
	switch {
	case now == nil && s.Covers(snapshot.ViewOf(ref.GroupKind()), ref.Namespace):
		f.Since, f.Brief = e.event.Last, "its "+owner+": gone"
		f.Message = fmt.Sprintf("this %s is gone: the garbage collector found that its %s (%s)", ref.Kind, owner, seen)
	case now == nil:
		f.Certainty = check.Likely
		f.Message = fmt.Sprintf("the garbage collector found that this %s's %s and deletes it (%s)", ref.Kind, owner, seen)
	case now.UID == ref.UID && now.Terminating():
		f.Since, f.Brief = e.event.Last, "its "+owner+": it is being deleted"
		f.Message = fmt.Sprintf("this %s is being deleted: the garbage collector found that its %s (%s)", ref.Kind, owner, seen)
	case now.UID == ref.UID:
		f.Severity = check.Info
		again = command.Do("see whether it still refers to %s %s", e.ownerKind, e.owner).
			On("get", f.Object, "-o jsonpath={.metadata.ownerReferences}")
		f.Message = fmt.Sprintf("this %s still exists, though the garbage collector found that its %s (%s)", ref.Kind, owner, seen)
	default:
		f.Severity = check.Info
		again = command.Do("see that the new one does not refer to %s %s", e.ownerKind, e.owner).
			On("get", f.Object, "-o jsonpath={.metadata.ownerReferences}")
		f.Message = fmt.Sprintf("an earlier %s of this name is gone: the garbage collector found that its %s (%s)", ref.Kind, owner, seen)
	}
	f.Then(again)
	return f
}

// submittedBy reports whether an owner, "Workflow/name", is a workflow or was made from a template: Argo appends a
// dash and a suffix to the template's name.
func submittedBy(deleted, template *check.Finding) bool {
	source := template.Object
	name, isWorkflow := strings.CutPrefix(deleted.What, "Workflow/")
	madeFrom := source.Kind != "Workflow" && strings.HasPrefix(name, source.Name+"-")
	return isWorkflow && (madeFrom || name == source.Name)
}
