package checks

import (
	"fmt"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// Upgrade is what the checks of area 7 are asked about: an operator goes from one release to another.
type Upgrade struct {
	From, To operator.Version
	Hops     []operator.Version // by which breaks are told, see operator.Path; the last is To

	// Installation is the one that is upgraded; nil if only somebody said which release it is.
	Installation *operator.Installation
	// Target is what will be installed, of rendered manifests; nil: not given, so that only the chart's defaults are known.
	Target *snapshot.Snapshot
	// Others are what the Helm release holds beside the operator's chart, as far as it was seen: see OthersInRelease.
	Others []snapshot.Ref
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

// installed returns the installation that is upgraded, as the snapshot shows it; nil where nobody saw it.
func installed(s *snapshot.Snapshot, u *Upgrade) *operator.Installation {
	for _, in := range operator.Find(s.Deployments()) {
		if u.Installation != nil && in.Controller != nil && in.Controller.Ref == u.Installation.Controller.Ref {
			return &in
		}
	}
	return nil
}

// coming returns the installation that the rendered manifests hold; nil without them.
func (u *Upgrade) coming() *operator.Installation {
	if u.Target == nil {
		return nil
	}
	for _, in := range operator.Find(u.Target.Deployments()) {
		if in.Controller != nil {
			return &in
		}
	}
	return nil
}

// restarts reports whether the upgrade leaves the 1.x line, whose values nothing carries over, and returns the hop.
func (u *Upgrade) restarts() (hop operator.Version, yes bool) {
	return u.Brings(operator.Version{Major: 2})
}

// first returns the first hop that breaks something.
func (u *Upgrade) first(breaks func(operator.Version) bool) operator.Version {
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
	case u == nil || c.Break.IsZero():
		return operator.Version{}, ""
	default:
		hop, brings := u.Brings(c.Break)
		if !brings {
			return operator.Version{}, fmt.Sprintf("came with %s, which the upgrade from %s to %s does not bring", c.Break, u.From, u.To)
		}
		return hop, ""
	}
}

// OfUpgrade reports whether the check is of area 7, which only a gate asks.
func (c Check) OfUpgrade() bool { return strings.HasPrefix(c.ID, "SD7") }

// upgraded tells of which namespaces the operator that is upgraded looks after. Where nobody saw it, or the labels that
// decide, it may be any.
func upgraded(s *snapshot.Snapshot, u *Upgrade) func(namespace string) bool {
	k, in := newKeepers(s), u.Installation
	return func(namespace string) bool {
		if in == nil {
			return true
		}
		yes, known := in.Told(namespace, k.namespaces[namespace])
		return yes || !known
	}
}

// refuses tells how sure it is that the target judges objects: only its webhook does, which a chart can leave out. Without
// rendered manifests the values of the installation are taken to stay; those of 1.x cannot.
func refuses(s *snapshot.Snapshot, u *Upgrade) (c Certainty, yes bool) {
	in := u.Installation
	switch {
	case u.Target != nil:
		then := u.coming()
		return Proven, then != nil && then.Webhook != nil
	case in == nil || in.Legacy() && in.Webhook == nil:
		return Likely, true
	case in.Webhook != nil:
		return Proven, true
	default:
		return Likely, !s.Covers(snapshot.Deployments, in.Namespace)
	}
}

// incoming is the installation to come: that of the rendered manifests, or the one that is there at the target's release,
// as if its values stayed; nil if neither is known.
func (u *Upgrade) incoming() *operator.Installation {
	if in := u.coming(); in != nil || u.Installation == nil {
		return in
	}
	in := *u.Installation
	in.Version, in.Recognised, in.Stated = u.To, true, u.To.String()
	return &in
}

// Step is something to do about an upgrade.
type Step struct {
	When    When
	Do      string // imperative, lower case
	Command string // to copy; empty: there is none
}

// When is operator.When.
type When = operator.When

// The times of a step.
const (
	Before = operator.Before
	During = operator.During
	After  = operator.After
)

// commandf puts names into a command to copy. It is empty if one of them is not for a shell: an API server takes no such
// names, but in files is whatever somebody wrote.
func commandf(format string, names ...string) string {
	args := make([]any, 0, len(names))
	for _, name := range names {
		if !forShell(name) {
			return ""
		}
		args = append(args, name)
	}
	return fmt.Sprintf(format, args...)
}

func forShell(name string) bool {
	const harmless = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._:,"
	return name != "" && name[0] != '-' && !strings.ContainsFunc(name, func(r rune) bool { return !strings.ContainsRune(harmless, r) })
}
