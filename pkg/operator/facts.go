package operator

import (
	"fmt"
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator/release"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator/releases"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// Next returns what is not released yet, as far as it was read. It is no release: nothing advises it, and only a gate that names it, and
// builds that are not older, are judged as it.
func Next() Version { return releases.Next() }

// NextText says what next is: "next (unreleased: master at 38082f33, 2026-08-21)".
func NextText() string {
	return fmt.Sprintf("%s (unreleased: master at %s, %s)", Next(), releases.NextCommit, releases.AsOf)
}

// Marked names a release, and says of what is none that it is unreleased.
func Marked(v Version) string {
	if v.Unreleased {
		return NextText()
	}
	return v.String()
}

// Newest returns the newest release that this build knows: an unknown, forked or master build is judged as this one.
func Newest() Version { return releases.Newest() }

// Known says how far the facts of this build go: "facts as of 2026-08-21, operator up to 2.5.2".
func Known() string { return fmt.Sprintf("facts as of %s, operator up to %s", releases.AsOf, Newest()) }

// AsOf is the day up to which this build knows releases.
func AsOf() string { return releases.AsOf }

// NewerBuilds is where a build that knows newer releases may be.
const NewerBuilds = "https://github.com/sparkdoctor/kubectl-sparkdoctor/releases"

// IsNewer reports whether a version is of a release after those that this build knows.
func IsNewer(v Version) bool { return v.Compare(Newest()) > 0 }

// StatesNewer reports whether a text is the version of a release after those that this build knows.
func StatesNewer(text string) bool {
	v, ok := release.ParseVersion(text)
	return ok && IsNewer(v)
}

// IsKnown reports whether the version is a release that this build has facts about.
func IsKnown(v Version) bool { return releases.IsKnown(v) }

// Releases returns the releases of the 2.x line that this build knows, oldest first.
func Releases() []Version { return releases.Known() }

// Since returns the first release of which something holds.
func Since(holds func(*Facts) bool) Version { return releases.Table().First(holds) }

// DefectsOf returns the defects of one version, 1.x too.
func DefectsOf(v Version) []Defect { return slices.Clone(releases.Of(v).Defects) }

// Mutates reports whether the webhook of a release carries a field to a pod whose Spark container was found by name or not.
func Mutates(v Version, field snapshot.Field, named bool) bool {
	return releases.Of(v).Mutates(field, named)
}

// FlawOf returns what a release gets wrong about a field of a role.
func FlawOf(v Version, field snapshot.Field, role string) (Flaw, bool) {
	return releases.Of(v).FlawOf(field, role)
}

// MutatorVersions are the releases from which on the webhook treats a pod differently from the one before: all others do as one
// of these.
func MutatorVersions() []Version {
	var out []Version
	all := releases.Table().Facts
	for i := range all {
		if i == 0 || !all[i].MutatesAs(&all[i-1]) {
			out = append(out, all[i].Version)
		}
	}
	return out
}

// PriorityClassMoved is the first release whose webhook puts spec.driver.priorityClassName and spec.executor.priorityClassName
// on pods, fields that it brings, and no longer batchSchedulerOptions.priorityClassName.
func PriorityClassMoved() Version {
	return Since(func(f *Facts) bool { return f.Mutates(snapshot.PriorityClassName, true) })
}

// QueueLabelsSince is the first release that keeps the labels of Kueue, those below kueue.x-k8s.io/, from the pods of an
// application that has them; before it, pods have all labels of their application.
func QueueLabelsSince() Version { return Since(func(f *Facts) bool { return f.KeepsQueueLabels }) }

// QueueLabel is the label by which Kueue knows in which queue something waits (kueue.sigs.k8s.io/docs/reference/labels-and-annotations).
const QueueLabel = "kueue.x-k8s.io/queue-name"

// FatalAs returns what is fatal about a release as a target.
func FatalAs(v Version) (Fatal, bool) {
	if f := releases.Of(v); f.Fatal != nil && f.Version == v {
		return *f.Fatal, true
	}
	return Fatal{}, false
}
