package pods

import (
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// applications are those to which pods can belong, wherever these run.
type applications struct {
	uids   map[string]bool    // of all
	abroad map[[2]string]bool // namespace and name of those that run in another namespace
}

// allApplications is asked for by both checks of orphans.
func allApplications() check.Fact[*applications] {
	return check.Fact[*applications]{
		Name: "applications of pods", Needs: []snapshot.Need{{View: snapshot.SparkApplications, Role: snapshot.Compared}},
		Make: func(p *check.Pass) *applications {
			list := p.SparkApplications()
			all := &applications{uids: make(map[string]bool, len(list)), abroad: map[[2]string]bool{}}
			for _, app := range list {
				all.uids[app.UID] = true
				if facts.DriverElsewhere(app) {
					all.abroad[[2]string{app.SparkConf.Namespace, app.Name}] = true
				}
			}
			return all
		},
	}
}

// lineage finds the application and the driver of Spark pods.
type lineage struct {
	*applications
	s      *snapshot.Snapshot
	runs   map[[3]string][]*snapshot.Pod // what drivers returns, once somebody asked
	driver *snapshot.Pod                 // that was found last: executors of an application follow each other
	named  named                         // the application that was looked for last
	judged *snapshot.Pod                 // by orphan, last
	isGone bool                          // what it said
	only   [1]*snapshot.Pod              // what driversOf returned last
}

// named is what was found under a name.
type named struct {
	namespace, name string
	app             *snapshot.SparkApplication
}

func newLineage(p *check.Pass) *lineage {
	return &lineage{applications: allApplications().Of(p), s: p.Snapshot}
}

// app returns the application that a pod's label names, or nil.
func (l *lineage) app(pod *snapshot.Pod) *snapshot.SparkApplication {
	if name := pod.App(); l.named.namespace != pod.Namespace || l.named.name != name {
		l.named = named{pod.Namespace, name, l.s.SparkApplication(pod.Namespace, name)}
	}
	return l.named.app
}

// orphan reports whether the application that a pod belongs to does not exist any more. Pods of SparkConnect have
// no application, and neither has what is started without the operator.
func (l *lineage) orphan(pod *snapshot.Pod, p check.Params) bool {
	if l.judged == nil || !pod.Alike(l.judged) {
		is := l.isOrphan(pod, p)
		l.judged, l.isGone = pod, is
	}
	return l.isGone
}

func (l *lineage) isOrphan(pod *snapshot.Pod, p check.Params) bool {
	hasRole := pod.Role() == facts.DriverRole || pod.Role() == facts.ExecutorRole
	if pod.App() == "" || pod.Labels.Has(snapshot.ConnectNameLabel) || !hasRole {
		return false
	}
	ref := facts.RefTo(pod)
	app := l.app(pod)
	switch {
	case ref.UID != "" && l.uids[ref.UID]:
		return false // here, or in another namespace, which is SD2001's
	case app == nil:
		return !l.abroad[[2]string{pod.Namespace, pod.App()}]
	case app.UID == "" || app.Terminating() || l.s.TakenAt.Sub(app.Created) < p.NewAfter:
		return false // what was there before a new application of that name may just be going
	case ref.UID != "":
		return true
	case pod.Role() == facts.ExecutorRole:
		driver := l.driverOf(pod)
		return driver != nil && l.isOrphan(driver, p)
	default:
		return false
	}
}

// driverGoes reports whether the driver of an executor is terminating: its executors follow.
func (l *lineage) driverGoes(pod *snapshot.Pod) bool {
	driver := l.driverOf(pod)
	return driver != nil && driver.Terminating()
}

// driverOf returns the driver that an executor refers to, or nil.
func (l *lineage) driverOf(pod *snapshot.Pod) *snapshot.Pod {
	ref := ownerPod(pod)
	switch {
	case ref.Name == "":
		return nil
	case l.driver != nil && l.driver.Name == ref.Name && l.driver.Namespace == pod.Namespace && l.driver.UID == ref.UID:
		return l.driver
	}
	driver := facts.DriverPod(l.s, snapshot.Ref{APIVersion: "v1", Kind: "Pod", Namespace: pod.Namespace, Name: ref.Name})
	if driver == nil || driver.UID != ref.UID {
		return nil
	}
	l.driver = driver
	return driver
}

// drivers returns those of a submission of an application.
func (l *lineage) drivers(namespace, app, submission string) []*snapshot.Pod {
	if l.runs == nil {
		l.runs = map[[3]string][]*snapshot.Pod{}
		pods := l.s.SparkPods()
		for _, pod := range pods {
			if pod.Role() == facts.DriverRole {
				run := [3]string{pod.Namespace, pod.App(), pod.SubmissionID()}
				l.runs[run] = append(l.runs[run], pod)
			}
		}
	}
	return l.runs[[3]string{namespace, app, submission}]
}

// ownerPod returns the reference of an executor to its driver, which Spark sets, or none.
func ownerPod(pod *snapshot.Pod) snapshot.OwnerReference {
	for _, ref := range pod.Owners {
		if ref.Kind == "Pod" && ref.APIVersion == "v1" {
			return ref
		}
	}
	return snapshot.OwnerReference{}
}
