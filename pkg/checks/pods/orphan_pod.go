package pods

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func orphanPod() check.Check {
	return check.Check{
		ID: "SD4001", Slug: "orphan-pod", Since: "0.1.0", Consequence: check.Wastes,
		Title:   "a Spark pod outlived its application",
		Absence: true,
		Needs: []snapshot.Need{
			{View: snapshot.SparkPods, Role: snapshot.Subject},
			// An application of another namespace may run its pods here (sparkConf spark.kubernetes.namespace).
			{View: snapshot.SparkApplications, Role: snapshot.Compared, Scope: snapshot.Everywhere},
		},
		Requires: []check.Requirement{allApplications()},
		Repairs:  deletesPods(),
		Run: func(p *check.Pass) check.Answer {
			var found groups
			undated, lineage := 0, newLineage(p)
			pods := p.SparkPods()
			for _, pod := range pods {
				switch {
				case !lineage.orphan(pod, p.Params) || pod.Terminating() || lineage.driverGoes(pod):
				case pod.Created.IsZero():
					undated++
				case p.TakenAt.Sub(pod.Created) >= p.NewAfter:
					found.add(pod, plight(pod))
				}
			}
			a := check.Answer{Judged: len(pods)}
			for _, g := range found.list {
				a.Findings = append(a.Findings, orphaned(p.Snapshot, p.Params, lineage, g))
			}
			a.PassOver(undated, phrase.Counted(undated, "pod")+" without an application and without a creationTimestamp")
			return a
		},
	}
}

// plight tells pods that hold cores, and may write, from those that only remain.
func plight(pod *snapshot.Pod) string {
	if pod.Alive() {
		return "running"
	}
	return "finished"
}

// orphaned states the finding: about the driver, with its executors, if it is among the pods.
func orphaned(s *snapshot.Snapshot, p check.Params, l *lineage, g *group) check.Finding {
	pod := g.pods[0]
	absent := snapshot.Ref{APIVersion: snapshot.SparkGroup + "/v1beta2", Kind: "SparkApplication", Namespace: pod.Namespace, Name: pod.App()}
	f := check.Finding{
		About: check.Of(pod).PartOf(pod.App()).Among(g.refs()), Severity: check.Warning, Identity: check.Identity{What: plight(pod)},
		Field: "metadata.labels[" + snapshot.AppNameLabel + "]",
		Evidence: []check.Evidence{
			{Object: pod.Ref, Field: "status.phase", Value: phaseOf(pod)},
			{Object: pod.Ref, Field: "metadata.creationTimestamp", Value: pod.Created.Format(time.RFC3339)},
			{Object: absent, Field: "metadata.name", Value: "not found"},
		},
	}
	gone := fmt.Sprintf("SparkApplication %q does not exist", pod.App())
	if other := l.app(pod); other != nil {
		gone = fmt.Sprintf("its SparkApplication %q was deleted and re-created", pod.App())
		f.Related = []snapshot.Ref{other.Ref}
		f.Evidence[2] = check.Evidence{Object: other.Ref, Field: "metadata.uid", Value: other.UID}
		absent.UID = facts.RefTo(pod).UID
	}
	f.Absent = []check.Absent{{View: snapshot.SparkApplications, Ref: absent}}
	f.Message = fmt.Sprintf("%s %s, created %s ago, but %s", strings.ToLower(phaseOf(pod)), pod.Role(), g.since(s.TakenAt), gone)
	others := ""
	if len(g.pods) > 1 {
		others = phrase.Counted(len(g.pods)-1, "other pod")
	}
	switch {
	case pod.Alive():
		f.Message += facts.Holding(others, g.requests())
	case others != "":
		f.Message += "; " + others + " of it remain too"
	}
	if pod.Alive() {
		f.Severity = check.Error
		f.Saw(pod.Ref, "spec.containers[*].resources.requests", facts.RequestsText(pod.Requests))
	}
	f.Fixes = deletePods(g, []snapshot.Ref{absent}, gone, s.TakenAt)
	if s.Live && len(pod.Owners) > 0 {
		f.Settles = p.SettleAfter // the garbage collector may be about to take it
	}
	them := "the pod"
	if len(g.pods) > 1 {
		them = "the pods"
	}
	switch {
	case pod.Alive():
		f.Then(check.Logs("see what the job still writes", pod.Ref, "", false))
		f.ThenRepair("delete " + them + ", once nothing needs what the job writes")
	case len(f.Fixes) == 0:
		f.Then(command.Do("read the log, and delete the pod").On("delete", pod.Ref))
	default:
		f.ThenRepair("delete " + them)
	}
	return f
}

func phaseOf(pod *snapshot.Pod) string { return cmp.Or(pod.Phase, "Pending") }
