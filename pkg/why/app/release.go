package app

import (
	"strconv"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
)

// Release is a release of Spark by its number, as versions of it begin: "3.5.1", "3.5.1-amzn-0". Zero: it is not known.
type Release struct{ Major, Minor int }

// releaseNumber matches the beginning of a version.
var releaseNumber = lazyregexp.New(`^(\d{1,4})\.(\d{1,4})(?:\D|$)`)

// ReleaseOf reads a version.
func ReleaseOf(version string) Release {
	m := releaseNumber.FindStringSubmatch(version)
	if m == nil {
		return Release{}
	}
	major, _ := strconv.Atoi(m[1]) // four digits fit
	minor, _ := strconv.Atoi(m[2])
	return Release{major, minor}
}

// String is the number; empty: it is not known.
func (r Release) String() string {
	if r == (Release{}) {
		return ""
	}
	return strconv.Itoa(r.Major) + "." + strconv.Itoa(r.Minor)
}
