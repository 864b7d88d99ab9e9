package release

import "github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"

// Release is one release of the operator, as what it changes compared with the one before it in the list. Research says where each
// of these is found.
type Release struct {
	Version Version
	// Commit is where it was read, of what has no tag yet; empty for releases.
	Commit string
	// Compared is the tag of the release before, once all that Research names was compared with it. Empty: not yet, and a test fails.
	Compared string
	// Rewrite: nothing is granted or needed as before, and what its chart does not set is not set.
	Rewrite bool
	// Hop: what an upgrade breaks is told by this release. The last of each minor release is one, and each that lets other things pass.
	Hop bool
	// Set changes single facts.
	Set func(*Facts)

	Fields        Fields // that its CRDs have and earlier ones have not
	Mutates       []Mutation
	MutatesNoMore []snapshot.Field
	Flaws         []Flaw   // of the webhook, see SD4002
	Defects       []Defect // that it is the first to have
	Fixes         []string // IDs of defects, flaws and notes of earlier releases that it is the first to be without
	Grants        []Grant  // of its chart; without verbs: no longer
	Needs         Needs    // that are new
	NeedsNoMore   []Permission
	Notes         []Note // about an upgrade to it
	Fatal         *Fatal // nobody should install it
}

// Line is a minor line of the charts of 1.x. Its charts and the applications that they install have numbers of their own.
type Line struct {
	Charts   []Installs
	Fatal    []Fatal   // known by their charts
	Releases []Release // the applications that changed something
}

// Installs says which charts of 1.x install an application, oldest first: those that were released. Numbers between them were
// skipped. No chart at all: the application was tagged, and only an image of it was released.
type Installs struct {
	Application string // its tag: v1beta2-1.6.2-3.5.0, of which the last part is the version of Spark
	Charts      []Version
}

// Version is that of the application.
func (i Installs) Version() Version {
	v, _ := ParseVersion(i.Application)
	return v
}
