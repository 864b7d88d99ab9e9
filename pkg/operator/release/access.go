package release

import (
	"slices"
	"strings"
)

// Account is a service account that the chart makes.
type Account int

const (
	ToController Account = iota // in 1.x the operator, which is its own webhook
	ToWebhook
	ToDrivers
)

// Place says where a permission is needed.
type Place int

const (
	InJobNamespaces    Place = iota // informers in each watched namespace, or cluster-wide if all are watched
	WhereJobsRun                    // in each namespace that has applications
	WhenFirstRead                   // an informer that starts when the first application needs it, where that is
	InLockNamespace                 // of the lease
	InReleaseNamespace              // where the chart is installed
	InSecretNamespace
	ClusterWide
)

// Grant is what the chart of a release lets an account do with a resource. In JobNamespaces, a Role in each of them
// grants it, or a ClusterRole if all are watched; 1.x has a ClusterRole in any case. A release replaces the grant of an earlier
// one that differs only in its verbs; without verbs it takes it away.
type Grant struct {
	To       Account
	Place    Place
	Group    string
	Resource string // with the subresource: "sparkapplications/status"
	Suffix   string // of the one object that is concerned, behind the full name of the release; empty: all
	Verbs    string // with blanks between, sorted; "*" is any

	SelectNamespaces bool // only with spark.jobNamespaceSelector
}

// Allows reports whether a verb is among those of the grant.
func (g *Grant) Allows(verb string) bool {
	return slices.ContainsFunc(g.VerbList(), func(granted string) bool { return granted == "*" || granted == verb })
}

// VerbList returns the verbs one by one.
func (g *Grant) VerbList() []string { return strings.Fields(g.Verbs) }

// key is the grant without its verbs.
func (g Grant) key() Grant {
	g.Verbs = ""
	return g
}

// Feature is what only some installations and applications use.
type Feature string

// The features.
const (
	NoFeature        Feature = ""
	LeaderElection   Feature = "leader election"
	SelectNamespaces Feature = "--namespace-selector"
	UIIngresses      Feature = "ingresses"
	Monitoring       Feature = "spec.monitoring"
	DriverClaims     Feature = "claims of drivers"
	OwnCertificates  Feature = "certificates of its own" // not those of cert-manager
	DriverBudgets    Feature = "--enable-driver-pdb"
)

// Permission is something that a release's process does with the API server, so that its service account must be allowed
// to.
type Permission struct {
	Verbs       []string
	Group       string
	Resource    string
	Subresource string
	Name        string // of the one object that is concerned
	Place       Place
	Since       Version // first release that does it, filled in by Fold; zero: every one of its line
	When        Feature // only where this is used
	Breaks      string  // what happens without it, in words
	Degrades    bool    // it goes on without
	Source      string
}

// Needs are the permissions that processes need.
type Needs struct {
	Controller []Permission // in 1.x of the one process
	Webhook    []Permission
}

// same reports whether two permissions are for the same verbs on the same resource, for the same feature.
func (p *Permission) same(o Permission) bool {
	return slices.Equal(p.Verbs, o.Verbs) && p.Group == o.Group && p.Resource == o.Resource && p.Subresource == o.Subresource &&
		p.When == o.When
}

// add puts a permission behind those of earlier features, and of its own feature behind those of the same place, so that lists are
// read in one order whichever release brought what.
func add(list []Permission, p Permission) []Permission {
	rank := func(p *Permission) int {
		features := []Feature{NoFeature, LeaderElection, SelectNamespaces, UIIngresses, Monitoring, DriverClaims, OwnCertificates,
			DriverBudgets}
		return slices.Index(features, p.When)*int(ClusterWide+1) + int(p.Place)
	}
	at := len(list)
	for at > 0 && rank(&list[at-1]) > rank(&p) {
		at--
	}
	return slices.Insert(list, at, p)
}
