package operator

import "slices"

// Fatal is a release that no cluster should get, because it fails at what most do with it.
type Fatal struct {
	Version Version // zero for one that is known by its chart alone
	Chart   Version
	Why     string // goes on after "release 2.0.0"
	Next    string // the next good one, as somebody would ask for it
	Source  string
}

// FatalReleases lists them, oldest first.
func FatalReleases() []Fatal {
	const retries = "reconcileFailedSubmissionSparkApplication in internal/controller/sparkapplication/controller.go@v2.0.2 and @v2.1.0, #2241"
	return []Fatal{
		{
			Chart: Version{1, 3, 0}, Next: "chart 1.3.2", Why: "brings application v1beta2-1.4.2, which is older than that of chart 1.2.15, and does not start with more than one replica",
			Source: "charts/spark-operator-chart/Chart.yaml@spark-operator-chart-1.3.0, #2039",
		},
		{
			Chart: Version{1, 3, 1}, Next: "chart 1.3.2", Why: "brings application v1beta2-1.4.2, which is older than that of chart 1.2.15",
			Source: "charts/spark-operator-chart/Chart.yaml@spark-operator-chart-1.3.1",
		},
		{
			Version: Version{2, 0, 0}, Chart: Version{2, 0, 0}, Next: "2.1.1",
			Why:    "does not grant its controller list and watch of ConfigMaps, nor anything on PersistentVolumeClaims, and never comes back to a failed submission",
			Source: "#2185, #2187; " + retries,
		},
		{
			Version: Version{2, 0, 1}, Chart: Version{2, 0, 1}, Next: "2.1.1",
			Why:    "cannot download deps.packages and never comes back to a failed submission",
			Source: "Dockerfile@v2.0.1 and @v2.0.2, #2171, #2223; " + retries,
		},
		{
			Version: Version{2, 0, 2}, Chart: Version{2, 0, 2}, Next: "2.1.1",
			Why:    "never comes back to a failed submission, and its webhook refuses the executors of Spark 3 that have a lifecycle",
			Source: retries + "; addPodLifeCycleConfig in internal/webhook/sparkpod_defaulter.go@v2.0.2, #2457",
		},
	}
}

// FatalAs returns what is fatal about a release as a target.
func FatalAs(v Version) (Fatal, bool) {
	all := FatalReleases()
	i := slices.IndexFunc(all, func(f Fatal) bool { return !v.IsZero() && f.Version == v })
	if i < 0 {
		return Fatal{}, false
	}
	return all[i], true
}
