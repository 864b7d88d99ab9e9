package ownership

import (
	"iter"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// sparkObjectNeeds are the views that hold Spark objects: what the operator reconciles, makes or launches.
func sparkObjectNeeds() []snapshot.Need {
	views := append([]check.View{snapshot.SparkApplications, snapshot.ScheduledSparkApplications, snapshot.SparkConnects, snapshot.SparkPods},
		snapshot.DependentViews()...)
	needs := make([]snapshot.Need, 0, len(views)+1)
	for _, v := range views {
		needs = append(needs, snapshot.Need{View: v, Role: snapshot.Subject})
	}
	return needs
}

// sparkObjects yields the metadata of every Spark object.
func sparkObjects(s *snapshot.Snapshot) iter.Seq[*snapshot.Object] {
	return func(yield func(*snapshot.Object) bool) {
		apps := s.SparkApplications()
		pods := s.SparkPods()
		schedules := s.ScheduledSparkApplications()
		for _, app := range apps {
			if !yield(&app.Object) {
				return
			}
		}
		for i := range schedules {
			if !yield(&schedules[i].Object) {
				return
			}
		}
		connects := s.SparkConnects()
		for i := range connects {
			if !yield(&connects[i].Object) {
				return
			}
		}
		for _, pod := range pods {
			if !yield(&pod.Object) {
				return
			}
		}
		for _, v := range snapshot.DependentViews() {
			if !each(s.Dependents(v), yield) {
				return
			}
		}
	}
}

func each(list []snapshot.Object, yield func(*snapshot.Object) bool) bool {
	for i := range list {
		if !yield(&list[i]) {
			return false
		}
	}
	return true
}

// appOf returns the name of the Spark object that an object belongs to: its label, or itself.
func appOf(o *snapshot.Object) string {
	for _, label := range []string{snapshot.AppNameLabel, snapshot.ConnectNameLabel} {
		if name := o.Labels.Get(label); name != "" {
			return name
		}
	}
	if o.Group() == snapshot.SparkGroup {
		return o.Name
	}
	return ""
}
