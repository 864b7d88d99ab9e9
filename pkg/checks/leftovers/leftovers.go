package leftovers

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func leftovers() check.Check {
	return check.Check{
		ID: "SD6011", Slug: "leftovers", Since: "0.1.0", Consequence: check.Wastes,
		Title:   "objects that the operator created for a deleted application are orphaned",
		Absence: true,
		Needs:   leftoverNeeds(),
		Repairs: []fix.Intent{deletesLeftover(snapshot.Services), deletesLeftover(snapshot.Ingresses), deletesLeftover(snapshot.ConfigMaps)},
		Run: func(p *check.Pass) check.Answer {
			made, undated := 0, 0
			at := map[string]*litter{}
			var list []*litter
			for _, v := range snapshot.DependentViews() {
				objects := p.Dependents(v)
				for i := range objects {
					o := &objects[i]
					if !madeByOperator(o) {
						continue
					}
					made++
					switch {
					case len(o.Owners) > 0 || o.Terminating() || stillThere(p.Snapshot, o.Namespace, o.Labels.Get(snapshot.AppNameLabel)):
					case o.Created.IsZero():
						undated++
					case p.TakenAt.Sub(o.Created) >= p.NewAfter:
						if at[o.Namespace] == nil {
							at[o.Namespace] = &litter{}
							list = append(list, at[o.Namespace])
						}
						at[o.Namespace].objects = append(at[o.Namespace].objects, o)
					}
				}
			}
			a := check.Answer{Judged: made}
			for _, l := range list {
				a.Findings = append(a.Findings, l.finding(p.TakenAt))
			}
			a.PassOver(undated, phrase.Counted(undated, "object")+" of applications that do not exist, without a creationTimestamp")
			return a
		},
	}
}

func deletesLeftover(v check.View) fix.DeleteObject {
	return fix.DeleteObject{Object: facts.KindOf(v), Absent: []snapshot.Ref{facts.KindOf(snapshot.SparkApplications)}, Ownerless: true}
}

func leftoverNeeds() []snapshot.Need {
	needs := []snapshot.Need{
		{View: snapshot.SparkApplications, Role: snapshot.Compared},
		{View: snapshot.SparkPods, Role: snapshot.Compared},
	}
	for _, v := range snapshot.DependentViews() {
		needs = append(needs, snapshot.Need{View: v, Role: snapshot.Subject})
	}
	return needs
}

// stillThere reports whether an application exists, or a pod of it: what outlived its application may be in use by a driver
// that did, too, which is SD4001's.
func stillThere(s *snapshot.Snapshot, namespace, app string) bool {
	return s.SparkApplication(namespace, app) != nil || len(s.PodsOf(namespace, app)) > 0
}

// madeByOperator reports whether the operator put its labels on an object: the application's name together with the
// submission, which nobody else knows (pkg/util/sparkapplication.go@v2.5.2, GetResourceLabels;
// pkg/controller/sparkapplication/sparkapp_util.go@v1beta2-1.6.2-3.5.0, getResourceLabels).
func madeByOperator(o *snapshot.Object) bool {
	return o.Labels.Get(snapshot.AppNameLabel) != "" && o.Labels.Get(snapshot.SubmissionIDLabel) != ""
}

// litter is what is left over in one namespace.
type litter struct{ objects []*snapshot.Object }

// minLeftoverAge is how old an object must be before it is deleted.
const minLeftoverAge = 24 * time.Hour

func (l *litter) finding(now time.Time) check.Finding {
	first := slices.MinFunc(l.objects, func(a, b *snapshot.Object) int { return a.Created.Compare(b.Created) })
	f := check.Finding{
		About:    check.About{Object: snapshot.Ref{APIVersion: "v1", Kind: "Namespace", Name: first.Namespace}, Seen: first},
		Severity: check.Warning,
		Field:    "metadata.labels[" + snapshot.AppNameLabel + "]",
		Evidence: []check.Evidence{
			{Object: first.Ref, Field: "metadata.creationTimestamp", Value: first.Created.Format(time.RFC3339)},
			{Object: first.Ref, Field: "metadata.ownerReferences", Value: "none"},
		},
	}
	apps, kinds := map[string]bool{}, map[string]int{}
	for _, o := range l.objects {
		absent := snapshot.Ref{APIVersion: snapshot.SparkGroup + "/v1beta2", Kind: "SparkApplication", Namespace: o.Namespace,
			Name: o.Labels.Get(snapshot.AppNameLabel)}
		if !apps[absent.Name] {
			f.Absent = append(f.Absent, check.Absent{View: snapshot.SparkApplications, Ref: absent})
			f.Saw(absent, "metadata.name", "not found")
		}
		apps[absent.Name] = true
		kinds[o.Kind]++
		f.Objects = append(f.Objects, o.Ref)
		if o.Kind != "PersistentVolumeClaim" && now.Sub(o.Created) > minLeftoverAge { // claims hold data
			f.Fixes = append(f.Fixes, fix.DeleteObject{
				Object: o.Ref, Why: "its application does not exist, and it has no owner, so the garbage collector keeps it",
				Absent:     []snapshot.Ref{absent},
				MadeBefore: now.Add(-minLeftoverAge), Ownerless: true, Turn: fix.Removal,
			})
		}
	}
	f.Evidence = f.Evidence[:min(len(f.Evidence), 2+facts.ShownApps)]
	var parts []string
	for _, kind := range []string{"Service", "Ingress", "ConfigMap", "PersistentVolumeClaim", "PodGroup"} {
		if kinds[kind] > 0 {
			parts = append(parts, countedKind(kinds[kind], kind))
		}
	}
	of := fmt.Sprintf("%d applications that do not exist", len(apps))
	if len(apps) == 1 {
		of = fmt.Sprintf("SparkApplication %q, which does not exist,", f.Absent[0].Ref.Name)
	}
	age := facts.Age(first.Created, now)
	f.Message = fmt.Sprintf("%s of %s have no owner, so the garbage collector keeps them; the oldest, %s, was created %s ago",
		strings.Join(parts, ", "), of, first.Name, age)
	if len(l.objects) == 1 {
		f.Message = fmt.Sprintf("%s %s of %s has no owner, so the garbage collector keeps it; it was created %s ago",
			first.Kind, first.Name, of, age)
	}
	l.advise(&f)
	return f
}

// advise deletes claims by name only: they hold data.
func (l *litter) advise(f *check.Finding) {
	if len(f.Fixes) > 0 {
		f.ThenRepair("delete them")
	}
	if claim, is := f.First("PersistentVolumeClaim"); is {
		text := "delete claim " + claim.Name
		if len(f.Objects) > len(f.Fixes)+1 {
			text = "delete claims such as " + claim.Name
		}
		f.Then(command.Do("%s, once nothing needs the data", text).On("delete", claim))
	}
	if first := f.Objects[0]; len(f.Next) == 0 {
		f.Then(command.Do("delete %s %s, if it is not needed", first.Kind, first.Name).On("delete", first))
	}
}

func countedKind(n int, kind string) string {
	if n > 1 && kind == "Ingress" {
		return fmt.Sprintf("%d Ingresses", n)
	}
	return phrase.Counted(n, kind)
}
