package release

import (
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// Defect is a fault of some releases that shows only where something is used.
type Defect struct {
	ID    string
	Since Version // first release with it, filled in by Fold
	Until Version // first release without it, filled in by Fold; zero: it is in every known one
	Fix   string  // in words, what brings the fix, where Until does not say it
	Does  string  // a fact to go on after "operator 2.0.1", about applications that Uses finds or about the installation
	Harm  Harm
	// Check is the check that finds what it did; empty: SD5009 finds that what it needs is used.
	Check string

	// Installation says whether the installation is set up so that it can show, and by what; nil: any is.
	Installation func(*Setup) (Use, bool)
	// Application says whether an application asks for what goes wrong; nil: it is not about applications.
	Application func(*snapshot.SparkApplication) (Use, bool)
	// Unused says that it shows without any application, too: the next one meets it, unless its specification says otherwise.
	Unused bool
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

// Setup is what of an installation a defect may need.
type Setup struct {
	Controller       *snapshot.Deployment
	ControllerFlags  map[string]string // by their names without dashes
	WebhookFlags     map[string]string
	ControllerElects bool // its replicas compete for a lease
	WebhookElects    bool
}

// In reports whether a version has the defect.
func (d *Defect) In(v Version) bool {
	if v.IsZero() || v.Compare(d.Since) < 0 {
		return false
	}
	return d.Until.IsZero() || v.Compare(d.Until) < 0
}

// Mended reports whether there is a release without it, to which an installation can be upgraded.
func (d *Defect) Mended() bool { return !d.Until.IsZero() && !d.Until.Unreleased }

// FixedIn says for people which release is without it.
func (d *Defect) FixedIn() string {
	switch {
	case d.Fix != "":
		return d.Fix
	case d.Until.Unreleased:
		return "no release yet; the main branch is without it"
	case d.Until.IsZero():
		return "no release yet"
	default:
		return d.Until.String()
	}
}
