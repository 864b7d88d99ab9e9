// Package releases holds the releases of the Kubeflow Spark Operator, one a file, each as what it changes compared with the one
// before it.
package releases

import (
	"sync"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator/release"
)

// AsOf is the day up to which releases were looked for: the day of the last commit of kubeflow/spark-operator's master that was read,
// NextCommit. The newest tag there was v2.5.2. Change it with each release that is added.
const AsOf = "2026-08-21"

// All returns the releases, oldest first: of 1.x those that changed something, of 2.x each (tags of kubeflow/spark-operator up to
// v2.5.2, 2026-07-31). A new one is a file and a line.
func All() []release.Release {
	var out []release.Release
	for _, line := range Lines() {
		out = append(out, line.Releases...)
	}
	return append(out,
		v2_0_0(),
		v2_0_1(),
		v2_0_2(),
		v2_1_0(),
		v2_1_1(),
		v2_2_0(),
		v2_2_1(),
		v2_3_0(),
		v2_4_0(),
		v2_5_0(),
		v2_5_1(),
		v2_5_2(),
	)
}

// Lines returns the minor lines of the charts of 1.x. There will be no more.
func Lines() []release.Line { return []release.Line{v1_0(), v1_1(), v1_2(), v1_3(), v1_4()} }

// Known returns the releases that this build knows one by one, those of 2.x, oldest first.
func Known() []release.Version {
	var out []release.Version
	for i := range Table().Facts {
		if v := Table().Facts[i].Version; v.Major > 1 && !v.Unreleased {
			out = append(out, v)
		}
	}
	return out
}

// Newest returns the newest release: an unknown, forked or master build is judged as this one. What is not released is none.
func Newest() release.Version {
	known := Known()
	return known[len(known)-1]
}

// IsKnown reports whether the version is a release that this build has facts about. All of 1.x counts: its last release is out, and
// what differs within it is told by chart labels. A release is not known by what its branch had before it.
func IsKnown(v release.Version) bool { return v.Major == 1 || v.Major > 1 && Of(v).Version == v }

// Of returns the facts of a version, which must not be changed.
func Of(v release.Version) *release.Facts { return Table().Of(v) }

// Table returns all that is known, which must not be changed.
func Table() *release.Table { return table() }

// Facts are asked of every application and pod of a fleet.
var table = sync.OnceValue(func() *release.Table { return release.Fold(append(All(), next())) }) //nolint:gochecknoglobals // made once, never changed

func version(major, minor, patch int) release.Version {
	return release.Version{Major: major, Minor: minor, Patch: patch}
}

// patches are charts of one minor line.
func patches(major, minor int, list ...int) []release.Version {
	out := make([]release.Version, 0, len(list))
	for _, patch := range list {
		out = append(out, version(major, minor, patch))
	}
	return out
}
