package checks

import (
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// lineage finds the application and the driver of Spark pods.
type lineage struct {
	s       *snapshot.Snapshot
	apps    map[snapshot.Key]*snapshot.SparkApplication
	uids    map[string]bool               // of all applications
	abroad  map[[2]string]bool            // namespace and name of applications that run in another namespace
	drivers map[string]*snapshot.Pod      // by UID
	runs    map[[3]string][]*snapshot.Pod // the drivers by namespace, application and submission
}

func newLineage(s *snapshot.Snapshot) *lineage {
	l := &lineage{
		s: s, apps: map[snapshot.Key]*snapshot.SparkApplication{}, uids: map[string]bool{}, abroad: map[[2]string]bool{},
		drivers: map[string]*snapshot.Pod{}, runs: map[[3]string][]*snapshot.Pod{},
	}
	list := s.SparkApplications()
	for i := range list {
		app := &list[i]
		l.apps[appKey(app.Namespace, app.Name)] = app
		l.uids[app.UID] = true
		if elsewhere(app) {
			l.abroad[[2]string{app.SparkConf.Namespace, app.Name}] = true
		}
	}
	pods := s.SparkPods()
	for _, pod := range pods {
		if pod.Role() == driverRole {
			l.drivers[pod.UID] = pod
			run := [3]string{pod.Namespace, pod.App(), pod.SubmissionID()}
			l.runs[run] = append(l.runs[run], pod)
		}
	}
	return l
}

// orphan reports whether the application that a pod belongs to does not exist any more. Pods of SparkConnect have
// no application, and neither has what is started without the operator.
func (l *lineage) orphan(pod *snapshot.Pod, p Params) bool {
	if pod.App() == "" || pod.Labels.Has(snapshot.ConnectNameLabel) || pod.Role() != driverRole && pod.Role() != executorRole {
		return false
	}
	ref := refTo(pod)
	app := l.apps[appKey(pod.Namespace, pod.App())]
	switch {
	case ref.UID != "" && l.uids[ref.UID]:
		return false // here, or in another namespace, which is SD2001's
	case app == nil:
		return !l.abroad[[2]string{pod.Namespace, pod.App()}]
	case app.UID == "" || app.Terminating() || l.s.TakenAt.Sub(app.Created) < p.NewAfter:
		return false // what was there before a new application of that name may just be going
	case ref.UID != "":
		return true
	case pod.Role() == executorRole:
		driver := l.drivers[ownerPod(pod).UID]
		return driver != nil && l.orphan(driver, p)
	default:
		return false
	}
}

// driverGoes reports whether the driver of an executor is terminating: its executors follow.
func (l *lineage) driverGoes(pod *snapshot.Pod) bool {
	driver := l.drivers[ownerPod(pod).UID]
	return driver != nil && driver.Terminating()
}

// refTo returns the reference of a pod to the application that its label names, or none. The operator gives it to
// drivers, and from 2.4.0 to 2.5.2 to executors (internal/controller/sparkapplication/submission.go@v2.4.0).
func refTo(pod *snapshot.Pod) snapshot.OwnerReference {
	for _, ref := range pod.Owners {
		if ref.Kind == "SparkApplication" && ref.GroupKind().Group == snapshot.SparkGroup && ref.Name == pod.App() {
			return ref
		}
	}
	return snapshot.OwnerReference{}
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
