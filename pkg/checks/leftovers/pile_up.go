package leftovers

import (
	"fmt"
	"slices"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// pileUp is applications of one namespace that ended and are still there for one reason: a finding.
type pileUp struct {
	namespace string
	kind      check.Kind
	all       *int // applications of the namespace
	apps      []*snapshot.SparkApplication
	drivers   int // pods of theirs that ended, too
}

// pileUps are in order of namespace, for applications are.
type pileUps struct {
	at    map[[2]string]*pileUp
	total map[string]*int
	list  []*pileUp
}

// add counts an application, and puts it into a pile if there is a reason.
func (h *pileUps) add(app *snapshot.SparkApplication, kind check.Kind) {
	if h.at == nil {
		h.at, h.total = map[[2]string]*pileUp{}, map[string]*int{}
	}
	if h.total[app.Namespace] == nil {
		h.total[app.Namespace] = new(int)
	}
	*h.total[app.Namespace]++
	if kind == "" {
		return
	}
	key := [2]string{app.Namespace, string(kind)}
	one := h.at[key]
	if one == nil {
		one = &pileUp{namespace: app.Namespace, kind: kind, all: h.total[app.Namespace]}
		h.at[key], h.list = one, append(h.list, one)
	}
	one.apps = append(one.apps, app)
}

// countDrivers counts the driver pods that stay as long as their application.
func (h *pileUps) countDrivers(pods []*snapshot.Pod) {
	of := map[snapshot.Key]*pileUp{}
	for _, one := range h.list {
		for _, app := range one.apps {
			of[check.AppKey(app.Namespace, app.Name)] = one
		}
	}
	for _, pod := range pods {
		if pod.Role() == facts.DriverRole && !pod.Alive() {
			if one := of[check.AppKey(pod.Namespace, pod.App())]; one != nil {
				one.drivers++
			}
		}
	}
}

// muchToList is from how many bytes on a listing is worth a word.
const muchToList = 1 << 20

// listed is how many bytes each listing of the pile moves, such as at every start of the operator.
func (h *pileUp) listed() int {
	sum := 0
	for _, app := range h.apps {
		sum += app.Sizes.Object + app.Sizes.ManagedFields
	}
	return sum
}

// oldest is the application that ended first, or was submitted first where no end is known.
func (h *pileUp) oldest() *snapshot.SparkApplication {
	return slices.MinFunc(h.apps, func(a, b *snapshot.SparkApplication) int { return facts.EndOf(a).Compare(facts.EndOf(b)) })
}

// finding states what is left over in a namespace.
func (h *pileUp) finding(now time.Time, p check.Params, in *operator.Installation) check.Finding {
	first := h.oldest()
	ago := facts.Age(facts.EndOf(first), now)
	f := check.Finding{
		About:    check.About{Object: snapshot.Ref{APIVersion: "v1", Kind: "Namespace", Name: h.namespace}, Seen: &first.Object},
		Severity: check.Warning, Identity: check.Identity{Kind: h.kind}, Field: "spec.timeToLiveSeconds",
		Evidence: []check.Evidence{
			{Object: first.Ref, Field: "status.applicationState.state", Value: first.State},
			{Object: first.Ref, Field: "status.terminationTime", Value: timeOrNone(first.Terminated)},
			{Object: first.Ref, Field: "spec.timeToLiveSeconds", Value: lifeText(first.Lifetime)},
		},
	}
	n := phrase.Counted(len(h.apps), "application")
	switch h.kind {
	case outlived:
		f.Message = fmt.Sprintf("%s outlived %s time to live: %s finished %s ago and was to stay %s",
			phrase.Counted(len(h.apps), "finished application"), phrase.Verb(len(h.apps), "its", "their"), first.Name, ago,
			phrase.Span(first.Lifetime.Span()))
		if in == nil {
			f.Certainty = check.Likely // nobody was seen who would delete them
		} else {
			f.Related = append(f.Related, in.Controller.Ref)
			f.Saw(in.Controller.Ref, "status.readyReplicas", fmt.Sprintf("%d of %d", in.Controller.Ready, in.Controller.Replicas))
		}
	case neverExpires:
		f.Message = fmt.Sprintf("%s finished without status.terminationTime, such as %s, so the time to live never expires", n, first.Name)
		f.Field = "status.terminationTime"
		if in == nil || !in.Recognised {
			f.Certainty = check.Likely
		}
	default:
		f.Message = fmt.Sprintf("%d of %s %s no timeToLiveSeconds and finished more than %s ago, the first %s ago", len(h.apps),
			phrase.Counted(*h.all, "application"),
			phrase.Verb(len(h.apps), "has", "have"), phrase.Span(p.FinishedAfter), ago)
	}
	if h.listed() >= muchToList {
		f.Message += "; listing them transfers " + facts.BytesText(h.listed())
	}
	f.Saw(f.Object, "sparkapplications", fmt.Sprintf("%d bytes of JSON", h.listed()))
	if h.drivers > 0 {
		f.Message += "; " + phrase.Counted(h.drivers, "driver pod") + phrase.Verb(h.drivers, " remains", " remain")
		f.Saw(f.Object, "pods", phrase.Counted(h.drivers, "driver pod")+" that finished")
	}
	for _, app := range h.apps {
		f.Objects = append(f.Objects, app.Ref)
		f.Fixes = append(f.Fixes, fix.DeleteObject{Object: app.Ref, Why: "it has finished, and nothing else deletes it",
			EndedBefore: h.deadline(now, p),
			Turn:        fix.Removal})
	}
	return f
}

// deadline is when an application must have ended to be deleted.
func (h *pileUp) deadline(now time.Time, p check.Params) time.Time {
	if h.kind == noTimeToLive {
		return now.Add(-p.FinishedAfter)
	}
	return now
}

// advise is about no one application.
func (h *pileUp) advise(f *check.Finding, in *operator.Installation) {
	if h.kind == outlived && in != nil && in.Controller != nil {
		f.Then(command.Do("read why the controller does not delete them").
			With("kubectl -n %s logs deployment/%s --since 1h", in.Controller.Namespace, in.Controller.Name))
	}
	f.ThenRepair("delete the finished ones")
	if h.kind == noTimeToLive {
		f.Then(command.Do("set spec.timeToLiveSeconds in the manifest of the applications"))
	}
}

func timeOrNone(t time.Time) string {
	if t.IsZero() {
		return "none"
	}
	return t.Format(time.RFC3339)
}

func lifeText(l snapshot.Lifetime) string {
	if !l.Limited {
		return "none"
	}
	return fmt.Sprint(l.Seconds)
}
