package checks

import (
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// decoded returns the applications whose spec and status could be read, and says how many could not.
func decoded(s *snapshot.Snapshot) (list []*snapshot.SparkApplication, unjudged []string) {
	all, malformed := s.SparkApplications(), func(app *snapshot.SparkApplication) bool { return app.Malformed != "" }
	if !slices.ContainsFunc(all, malformed) {
		return all, nil
	}
	list = slices.DeleteFunc(slices.Clone(all), malformed)
	bad := len(all) - len(list)
	if bad > 0 {
		unjudged = append(unjudged, counted(bad, "SparkApplication")+" could not be decoded")
	}
	return list, unjudged
}
