package check

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/helm"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// Upgrade is what the checks of area 7 are asked about: an operator goes from one release to another.
type Upgrade struct {
	From, To operator.Version   // applications; charts of 1.x have numbers of their own
	Chart    operator.Version   // that installed From; zero: not known
	Hops     []operator.Version // releases on the way, to which breaking changes belong, see operator.Path; the last is To

	// Installation is the one that is upgraded; nil if only its release is known, from a flag.
	Installation *operator.Installation
	// Applications is whether the question is about a repository of applications: plain files without an operator. Whoever asks does not
	// upgrade it.
	Applications bool
	// Target is what will be installed, of rendered manifests; nil: not given, so that only the chart's defaults are known.
	Target *snapshot.Snapshot
	// Chosen is what the chart makes with the values that the user gave; nil: not given.
	Chosen *operator.Chosen
	// Others are what the Helm release holds beside the operator's chart, as far as it was seen: see OthersInRelease.
	Others []snapshot.Ref
	// Release is what Helm keeps of the installation; nil: it was not asked for.
	Release *helm.Release
	// Compared is whether values were given, and compared with the installation.
	Compared bool
	// ForeignValues is whether values were given, and none of them is one of the operator's chart: no check uses them.
	ForeignValues bool
	// Contradictions are the values that the installation does not have: Chosen is then nil, since the values are of another one.
	Contradictions []Contradiction
	// Doubted is what the chart makes with such values: a check that would find other things with it has no answer.
	Doubted *operator.Chosen
}

// Contradiction is a value that says something else than an object of the installation.
type Contradiction struct {
	Value  string // its path
	Says   string
	Object snapshot.Ref
	Field  string // of the object; empty: that it exists
	Has    string
}

// Umbrella reports whether the operator's chart is a part of another one.
func (u *Upgrade) Umbrella() bool {
	return len(u.Others) > 0 || u.Release != nil && u.Release.Umbrella()
}

// doubt runs a check a second time with the values that contradict the installation. If it then finds something else, its answer depends
// on them, and it has none. The same holds if it fails with them.
func (p Params) doubt(k *known, c Check, a *Answer) {
	u := p.Upgrade
	if u == nil || u.Doubted == nil || !c.OfUpgrade() {
		return
	}
	other := *u
	other.Chosen, other.Doubted = u.Doubted, nil
	p.Upgrade = &other
	with, err := ask(k, c, p)
	if err != nil {
		a.Unjudged = append(a.Unjudged, fmt.Sprintf("with the values that were given the check fails (%v): pass --target-manifests", err))
		return
	}
	if slices.Equal(found(a.Findings), found(with.Findings)) {
		return
	}
	values := make([]string, 0, len(u.Contradictions))
	for _, one := range u.Contradictions {
		values = append(values, one.Value)
	}
	a.Values = append(a.Values, values...)
	a.Unjudged = append(a.Unjudged, fmt.Sprintf("the answer differs with the values that were given, which are not those of this "+
		"installation (%s): pass --target-manifests", strings.Join(values, ", ")))
}

// found identifies findings without their texts: severity, object and field, sorted.
func found(list []Finding) []string {
	out := make([]string, 0, len(list))
	for i := range list {
		f := &list[i]
		out = append(out, strings.Join([]string{f.Severity.String(), f.Object.Kind, f.Object.Namespace, f.Object.Name, f.Field}, " "))
	}
	slices.SortFunc(out, cmp.Compare)
	return out
}

// Open reports whether the question of a gate stays open where a check can decide nothing, even in files: they are everything there is,
// or the user gave what will be installed. Manifests of a repository do not hold the cluster.
func (u *Upgrade) Open(s *snapshot.Snapshot) bool { return !s.Excerpt() || u.Coming() != nil }

// Installed is what the installed release is called.
func (u *Upgrade) Installed() operator.Name {
	return operator.Name{Application: u.From, Chart: u.Chart}
}

// Brings reports whether the upgrade brings what a release began with, and returns the hop to which that belongs.
func (u *Upgrade) Brings(since operator.Version) (hop operator.Version, brings bool) {
	if since.Compare(u.From) <= 0 {
		return operator.Version{}, false
	}
	for _, h := range u.Hops {
		if since.Compare(h) <= 0 {
			return h, true
		}
	}
	return operator.Version{}, false
}

// Coming returns the installation that the rendered manifests hold, or that the chart makes with the values; nil without them.
func (u *Upgrade) Coming() *operator.Installation {
	switch {
	case u.Target == nil && u.Chosen != nil:
		return &u.Chosen.Installation
	case u.Target == nil:
		return nil
	}
	for _, in := range operator.Find(u.Target.Deployments()) {
		if in.Controller == nil {
			continue
		}
		if !in.Recognised { // such as a build of the branch: it is said to be the target
			in.Version, in.Recognised = u.To, true
		}
		return &in
	}
	return nil
}

// Basis says where Coming is from.
func (u *Upgrade) Basis() string {
	if u.Target == nil {
		return "the Helm values"
	}
	return "the rendered manifests"
}

// Restarts reports whether the upgrade leaves the 1.x line, whose values nothing carries over, and returns the hop.
func (u *Upgrade) Restarts() (hop operator.Version, yes bool) {
	return u.Brings(operator.Version{Major: 2})
}

// FirstHop returns the first hop that breaks something.
func (u *Upgrade) FirstHop(breaks func(operator.Version) bool) operator.Version {
	for _, h := range u.Hops {
		if breaks(h) {
			return h
		}
	}
	return operator.Version{}
}

// brings says why a check has nothing to say about the upgrade that is asked about, or on which hop it breaks what it finds.
func (p Params) brings(c Check) (hop operator.Version, reason string) {
	switch u := p.Upgrade; {
	case u == nil && c.OfUpgrade():
		return operator.Version{}, "asked of an upgrade only: kubectl sparkdoctor gate --to VERSION"
	case u != nil && c.OfManifests && u.Target == nil:
		return operator.Version{}, "judges what will be installed: --target-manifests, the output of helm template"
	case u != nil && c.OfValues && !u.Compared:
		return operator.Version{}, "compares Helm values with the 2.x that is installed: --helm-values or --helm-release"
	case u == nil || c.Break.IsZero():
		return operator.Version{}, ""
	default:
		hop, brings := u.Brings(c.Break)
		if !brings {
			return operator.Version{}, fmt.Sprintf("came with %s, which the upgrade from %s to %s does not bring", c.Break, u.Installed(), u.To)
		}
		return hop, ""
	}
}

// OfUpgrade reports whether the check is of area 7, which only a gate asks.
func (c Check) OfUpgrade() bool { return strings.HasPrefix(c.ID, "SD7") }

// Incoming is the installation to come: that of the rendered manifests, or the one that is there at the target's release,
// as if its values stayed; nil if neither is known.
func (u *Upgrade) Incoming() *operator.Installation {
	if in := u.Coming(); in != nil || u.Installation == nil {
		return in
	}
	in := *u.Installation
	in.Version = u.To
	in.Recognised = true
	in.Stated = u.To.String()
	return &in
}

// When is operator.When.
type When = operator.When

// The times of a step.
const (
	Before = operator.Before
	During = operator.During
	After  = operator.After

	Rollback = operator.Rollback
)
