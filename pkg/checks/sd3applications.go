package checks

import (
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// decoded returns the applications whose spec and status could be read, and says how many could not.
func decoded(s *snapshot.Snapshot) (list []*snapshot.SparkApplication, unjudged []string) {
	all, bad := s.SparkApplications(), 0
	list = make([]*snapshot.SparkApplication, 0, len(all))
	for _, app := range all {
		if app.Malformed != "" {
			bad++
			continue
		}
		list = append(list, app)
	}
	if bad > 0 {
		unjudged = append(unjudged, counted(bad, "SparkApplication")+" could not be decoded")
	}
	return list, unjudged
}
