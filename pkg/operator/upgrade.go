package operator

import (
	"fmt"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator/release"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator/releases"
)

// Hops are the releases by which what an upgrade breaks is told, oldest first: the last of each minor release, and each that lets
// other things pass than the one before.
func Hops() []Version {
	var out []Version
	for i := range releases.Table().Facts {
		if f := &releases.Table().Facts[i]; f.Hop {
			out = append(out, f.Version)
		}
	}
	return out
}

// Path returns the hops of an upgrade in order; the last is the target. What a release changes belongs to the first hop
// that is not older. An error says which version cannot be judged, and why.
func Path(from, to Version) ([]Version, error) {
	switch {
	case !IsKnown(to) || to.Major < 2:
		return nil, fmt.Errorf("nothing is known of an upgrade to %s; known targets are %s", to, list(Releases()))
	case !IsKnown(from):
		return nil, fmt.Errorf("nothing is known of an upgrade from %s; known are 1.x and %s", from, list(Releases()))
	case from == to:
		return nil, fmt.Errorf("%s is installed already", to)
	case from.Compare(to) > 0:
		return nil, fmt.Errorf("%s is older than %s, which is installed; only upgrades are judged", to, from)
	}
	path := slices.DeleteFunc(Hops(), func(v Version) bool { return v.Compare(from) <= 0 || v.Compare(to) >= 0 })
	return append(path, to), nil
}

// ReleaseNamed reads a release as somebody names it: "2.5.2", "v2.5.2", the application version "v1beta2-1.6.2-3.5.0" or,
// for 1.x, the chart's "1.4.6". An error says why it is none: a branch, a release candidate, a release that this build
// does not know.
func ReleaseNamed(text string) (Version, error) {
	v, ok := release.ParseVersion(text)
	switch {
	case !ok && release.IsPlain(strings.SplitN(text, "-", 2)[0]):
		return Version{}, fmt.Errorf("%q is a pre-release or a build of somebody's own; known releases are %s, and charts 1.x", text,
			list(Releases()))
	case !ok:
		return Version{}, fmt.Errorf("%q is no release; known are %s, and charts 1.x", text, list(Releases()))
	case v.Major == 1 && release.IsPlain(text):
		app, known := ApplicationOfChart(v)
		if !known {
			return Version{}, fmt.Errorf("there is no chart %s; those of 1.x go from 1.0.2 to 1.4.6", v)
		}
		return app, nil
	case !IsKnown(v):
		return Version{}, fmt.Errorf("this build does not know release %s; known are %s, and charts 1.x", v, list(Releases()))
	default:
		return v, nil
	}
}

func list(versions []Version) string {
	words := make([]string, 0, len(versions))
	for _, v := range versions {
		words = append(words, v.String())
	}
	return strings.Join(words, ", ")
}

// NotesOf are those of an upgrade: what it brings, unless the target has it no more.
func NotesOf(from, to Version) []Note {
	var out []Note
	for _, n := range releases.Table().Notes {
		brings := n.Since.Compare(from) > 0 && n.Since.Compare(to) <= 0
		if brings && (n.Until.IsZero() || to.Compare(n.Until) < 0) {
			out = append(out, n)
		}
	}
	return out
}
