package checks

import (
	"cmp"
	"fmt"
	"strings"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func orphanPod() Check {
	return Check{
		ID: "SD4001", Slug: "orphan-pod", Since: "0.1.0",
		Title:   "a Spark pod outlived its application",
		Next:    "find out what the job still writes, then delete the driver pod by name",
		Absence: true,
		Needs: []snapshot.Need{
			{View: snapshot.SparkPods, Role: snapshot.Subject},
			// An application of another namespace may run its pods here (sparkConf spark.kubernetes.namespace).
			{View: snapshot.SparkApplications, Role: snapshot.Compared, Scope: snapshot.Everywhere},
		},
		Repairs: deletesPods(),
		Run: func(s *snapshot.Snapshot, p Params) Answer {
			var found groups
			undated, lineage := 0, newLineage(s)
			pods := s.SparkPods()
			for _, pod := range pods {
				switch {
				case !lineage.orphan(pod, p) || pod.Terminating() || lineage.driverGoes(pod):
				case pod.Created.IsZero():
					undated++
				case s.TakenAt.Sub(pod.Created) >= p.NewAfter:
					found.add(pod, plight(pod))
				}
			}
			a := Answer{Judged: len(pods)}
			for _, g := range found.list {
				a.Findings = append(a.Findings, orphaned(s, p, lineage, g))
			}
			a.pass(undated, counted(undated, "pod")+" without an application and without a creationTimestamp")
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
func orphaned(s *snapshot.Snapshot, p Params, l *lineage, g *group) Finding {
	pod := g.pods[0]
	absent := snapshot.Ref{APIVersion: snapshot.SparkGroup + "/v1beta2", Kind: "SparkApplication", Namespace: pod.Namespace, Name: pod.App()}
	f := Finding{
		Object: pod.Ref, Location: pod.Location, Labels: pod.Labels, App: pod.App(), Severity: Warning, What: plight(pod),
		Field: "metadata.labels[" + snapshot.AppNameLabel + "]", Objects: g.refs(),
		Evidence: []Evidence{
			{Object: pod.Ref, Field: "status.phase", Value: phaseOf(pod)},
			{Object: pod.Ref, Field: "metadata.creationTimestamp", Value: pod.Created.Format(time.RFC3339)},
			{Object: absent, Field: "metadata.name", Value: "not found"},
		},
	}
	gone := fmt.Sprintf("SparkApplication %q does not exist", pod.App())
	if other := l.app(pod); other != nil {
		gone = fmt.Sprintf("its SparkApplication %q was deleted, and the one of that name is another", pod.App())
		f.Related = []snapshot.Ref{other.Ref}
		f.Evidence[2] = Evidence{Object: other.Ref, Field: "metadata.uid", Value: other.UID}
		absent.UID = refTo(pod).UID
	}
	f.Absent = []Absent{{View: snapshot.SparkApplications, Ref: absent}}
	f.Message = fmt.Sprintf("%s %s, made %s ago, but %s", strings.ToLower(phaseOf(pod)), pod.Role(), g.since(s.TakenAt), gone)
	others := ""
	if len(g.pods) > 1 {
		others = counted(len(g.pods)-1, "other pod")
	}
	switch {
	case pod.Alive() && others != "":
		f.Message += fmt.Sprintf("; it and %s hold %s", others, held(g.requests()))
	case pod.Alive():
		f.Message += "; it holds " + held(g.requests())
	case others != "":
		f.Message += "; " + others + " of it remain, too"
	}
	if pod.Alive() {
		f.Severity = Error
		f.Evidence = append(f.Evidence, Evidence{Object: pod.Ref, Field: "spec.containers[*].resources.requests", Value: held(pod.Requests)})
	}
	f.Fixes = deletePods(g, []snapshot.Ref{absent}, gone, s.TakenAt)
	if s.Live && len(pod.Owners) > 0 {
		f.Settles = p.SettleAfter // the garbage collector may be about to take it
	}
	return f
}

func phaseOf(pod *snapshot.Pod) string { return cmp.Or(pod.Phase, "Pending") }
