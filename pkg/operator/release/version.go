// Package release is the type of what is known of a release of the Kubeflow Spark Operator: what it changes, compared with the
// one before it. Package releases holds the releases themselves.
package release

import (
	"cmp"
	"fmt"
	"regexp"
	"strconv"
)

// Version is a release of the operator. The 1.x line has application versions such as v1beta2-1.6.2-3.5.0, of
// which the middle part counts; from 2.0.0 on chart, application and tag agree (VERSION@v2.0.0).
type Version struct {
	Major, Minor, Patch int
	// Unreleased is what a branch has that will become this release. It comes before the release, and nothing that an image, a label or a
	// user states as a number is parsed as one.
	Unreleased bool
}

// Next is what people call what is not released yet, as in gate --to next.
const Next = "next"

// String returns "2.5.1", and of what is not released no number, which it may never have: "next".
func (v Version) String() string {
	if v.Unreleased {
		return Next
	}
	return fmt.Sprintf("%d.%d.%d", v.Major, v.Minor, v.Patch)
}

// IsZero reports whether the version is not known.
func (v Version) IsZero() bool { return v == Version{} }

// Compare orders versions by time of release within a line.
func (v Version) Compare(o Version) int {
	numbers := cmp.Or(cmp.Compare(v.Major, o.Major), cmp.Compare(v.Minor, o.Minor), cmp.Compare(v.Patch, o.Patch))
	switch {
	case numbers != 0 || v.Unreleased == o.Unreleased:
		return numbers
	case v.Unreleased:
		return -1
	default:
		return 1
	}
}

// Before reports whether v is older than major.minor.patch.
func (v Version) Before(major, minor, patch int) bool {
	return v.Compare(Version{Major: major, Minor: minor, Patch: patch}) < 0
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

// IsPlain reports whether a text is a version and nothing more, as chart versions are.
func IsPlain(text string) bool { return plainVersion.MatchString(text) }
