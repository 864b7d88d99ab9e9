package facts

import (
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// ShownApps bounds how many applications are evidence.
const ShownApps = 10

// DriverElsewhere reports whether Spark puts the driver into another namespace: sparkConf comes after the operator's own
// spark.kubernetes.namespace on spark-submit's command line (internal/controller/sparkapplication/
// submission.go@v2.5.2), and only the 2.5.2 webhook refuses it (#3043). The operator looks in the application's.
func DriverElsewhere(app *snapshot.SparkApplication) bool {
	return app.SparkConf.Namespace != "" && app.SparkConf.Namespace != app.Namespace
}

// Decoded returns the applications whose spec and status could be read, and says how many could not.
func Decoded(s *snapshot.Snapshot) (list []*snapshot.SparkApplication, unjudged []string) {
	all, malformed := s.SparkApplications(), func(app *snapshot.SparkApplication) bool { return app.Malformed != "" }
	if !slices.ContainsFunc(all, malformed) {
		return all, nil
	}
	list = slices.DeleteFunc(slices.Clone(all), malformed)
	bad := len(all) - len(list)
	if bad > 0 {
		unjudged = append(unjudged, phrase.Counted(bad, "SparkApplication")+" could not be decoded")
	}
	return list, unjudged
}
