package checks

import (
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// watch knows which controller takes which application.
type watch struct {
	controllers []*operator.Installation
	namespaces  map[string]*snapshot.Object
}

func newWatch(s *snapshot.Snapshot) *watch {
	w := &watch{namespaces: map[string]*snapshot.Object{}}
	installations, namespaces := operator.Find(s.Deployments()), s.AllNamespaces()
	for i := range installations {
		if installations[i].Controller != nil {
			w.controllers = append(w.controllers, &installations[i])
		}
	}
	for i := range namespaces {
		w.namespaces[namespaces[i].Name] = &namespaces[i]
	}
	return w
}

// left returns the applications of a namespace that no controller was told to take, be it scaled to zero. known is false
// if that depends on what was not seen.
func (w *watch) left(name string, apps []*snapshot.SparkApplication) (left []*snapshot.SparkApplication, known bool) {
	left = apps
	for _, in := range w.controllers {
		switch yes, known := in.Told(name, w.namespaces[name]); {
		case !known, !in.FilterKnown():
			return nil, false
		case yes:
			left = slices.DeleteFunc(slices.Clone(left), func(app *snapshot.SparkApplication) bool { return in.Picks(app.Labels) })
		}
	}
	return left, true
}
