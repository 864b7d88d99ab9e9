// Package operator holds what is known of the releases of the Kubeflow Spark Operator, as data, and finds the
// installations in a snapshot.
package operator

import (
	"cmp"
	"fmt"
	"regexp"
	"strconv"
)

// Version is a release of the operator. The 1.x line has application versions such as v1beta2-1.6.2-3.5.0, of
// which the middle part counts; from 2.0.0 on chart, application and tag agree (VERSION@v2.0.0).
type Version struct{ Major, Minor, Patch int }

// String returns "2.5.1".
func (v Version) String() string { return fmt.Sprintf("%d.%d.%d", v.Major, v.Minor, v.Patch) }

// IsZero reports whether the version is not known.
func (v Version) IsZero() bool { return v == Version{} }

// Compare orders versions by time of release within a line.
func (v Version) Compare(o Version) int {
	return cmp.Or(cmp.Compare(v.Major, o.Major), cmp.Compare(v.Minor, o.Minor), cmp.Compare(v.Patch, o.Patch))
}

// Before reports whether v is older than major.minor.patch.
func (v Version) Before(major, minor, patch int) bool {
	return v.Compare(Version{major, minor, patch}) < 0
}

// Newest returns the newest release that this build knows: an unknown, forked or master build is judged as this one.
func Newest() Version { return Version{2, 5, 2} }

// known lists the 2.x releases (tags of kubeflow/spark-operator up to v2.5.2, 2026-07-31).
func known() []Version {
	return []Version{
		{2, 0, 0}, {2, 0, 1}, {2, 0, 2}, {2, 1, 0}, {2, 1, 1}, {2, 2, 0}, {2, 2, 1}, {2, 3, 0}, {2, 4, 0},
		{2, 5, 0}, {2, 5, 1}, {2, 5, 2},
	}
}

var (
	plainVersion = regexp.MustCompile(`^v?(\d+)\.(\d+)\.(\d+)$`)
	appVersion   = regexp.MustCompile(`^v1beta\d-(\d+)\.(\d+)\.(\d+)(?:-.*)?$`)
)

// ParseVersion reads an image tag or an app.kubernetes.io/version label. It fails for anything but a release, such
// as "latest", a digest or a release candidate.
func ParseVersion(text string) (Version, bool) {
	m := plainVersion.FindStringSubmatch(text)
	if m == nil {
		m = appVersion.FindStringSubmatch(text)
	}
	if m == nil {
		return Version{}, false
	}
	var v Version
	for i, field := range []*int{&v.Major, &v.Minor, &v.Patch} {
		n, err := strconv.Atoi(m[i+1])
		if err != nil {
			return Version{}, false
		}
		*field = n
	}
	return v, true
}

// IsKnown reports whether the version is a release that this build has facts about. All of 1.x counts: its last
// release is out, and what differs within it is told by chart labels.
func IsKnown(v Version) bool {
	if v.Major == 1 {
		return true
	}
	for _, k := range known() {
		if k == v {
			return true
		}
	}
	return false
}
