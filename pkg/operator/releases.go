package operator

import (
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// Release is a release of the 2.x line and what is known to be wrong with it.
type Release struct {
	Version Version
	Defects []Defect
}

// Releases returns the releases that this build knows, oldest first.
func Releases() []Release {
	versions := known()
	out := make([]Release, 0, len(versions))
	for _, v := range versions {
		out = append(out, Release{v, DefectsOf(v)})
	}
	return out
}

// DefectsOf returns the defects of one version, 1.x too.
func DefectsOf(v Version) []Defect {
	var out []Defect
	for _, d := range Defects() {
		if d.In(v) {
			out = append(out, d)
		}
	}
	return out
}

// Defect is a fault of some releases that shows only where something is used.
type Defect struct {
	ID    string
	Since Version // first release with it
	Until Version // first release without it; zero: it is in every known one
	Fix   string  // in words, what brings the fix, where Until does not say it
	Does  string  // a fact to go on after "operator 2.0.1", about applications that Uses finds or about the installation
	Harm  Harm
	// Check is the check that finds what it did; empty: SD5009 finds that what it needs is used.
	Check string

	// Installation says whether the installation is set up so that it can show, and by what; nil: any is.
	Installation func(*Installation) (Use, bool)
	// Application says whether an application asks for what goes wrong; nil: it is not about applications.
	Application func(*snapshot.SparkApplication) (Use, bool)
	// Spared says whether the status of an application shows that it went well all the same; nil: never.
	Spared func(app *snapshot.SparkApplication, now time.Time, patience time.Duration) bool

	// Connect says whether a SparkConnect has run into it, as its own status shows; nil: it is not about these.
	Connect func(c *snapshot.SparkConnect, now time.Time, patience time.Duration) (Use, bool)
	// Unsure: what shows may come from something else, too.
	Unsure bool

	Source string
}

// Harm is how much a defect hurts where it shows.
type Harm int

const (
	Spoils Harm = iota // something is not as it was asked for
	Stops              // applications do not run
)

// Use is what a defect needs, and where it was seen.
type Use struct{ Field, Value string }

// In reports whether a version has the defect.
func (d *Defect) In(v Version) bool {
	return !v.IsZero() && v.Compare(d.Since) >= 0 && (d.Until.IsZero() || v.Compare(d.Until) < 0)
}

// FixedIn says for people which release is without it.
func (d *Defect) FixedIn() string {
	switch {
	case d.Fix != "":
		return d.Fix
	case d.Until.IsZero():
		return "no release yet"
	default:
		return d.Until.String()
	}
}
