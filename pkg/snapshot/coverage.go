package snapshot

import (
	"cmp"
	"fmt"
	"slices"
)

// State says how much of a view could be looked at.
type State int

const (
	NotAsked  State = iota // nobody needed it
	Complete               // everything in scope was read
	Partial                // a part was read, see Unseen
	Unseeable              // nothing could be read, see Unseen
	NotServed              // the cluster does not serve the kind: it is empty by definition
	NotInput               // files that hold no object of the kind and are not declared to be everything
)

// String returns the state as one or two words.
func (s State) String() string {
	return [...]string{"not asked", "complete", "partial", "unreadable", "not served", "not in the input"}[s]
}

// Coverage is how much of a view was seen. Namespaces, when not nil, are the only ones that were looked into.
type Coverage struct {
	State      State
	Namespaces []string
	Unseen     []Unseen
	// Resumed says that the listing expired and went on at a newer moment: what existed all along was seen once, but
	// its parts were not seen at the same time.
	Resumed bool
}

// Covers reports whether everything of the view in a namespace was seen, so that what is not there is absent.
func (c Coverage) Covers(namespace string) bool {
	switch {
	case c.State == NotServed:
		return true
	case c.State != Complete && c.State != Partial:
		return false
	case c.Namespaces != nil:
		return slices.Contains(c.Namespaces, namespace)
	default:
		return !c.refuses(namespace)
	}
}

// Readable reports whether anything of the view was seen, or nothing was there to see.
func (c Coverage) Readable() bool {
	return c.State == Complete || c.State == Partial || c.State == NotServed
}

// refuses reports whether something could not be seen that may be in a namespace.
func (c Coverage) refuses(namespace string) bool {
	return slices.ContainsFunc(c.Unseen, func(u Unseen) bool { return u.Namespace == "" || u.Namespace == namespace })
}

// in narrows coverage to some namespaces: what could not be seen elsewhere does not matter to whoever asks for these, and neither does
// what was seen elsewhere. holds reports whether any object of a namespace was seen.
func (c Coverage) in(namespaces []string, holds func(namespace string) bool) Coverage {
	if c.State != Partial {
		return c
	}
	covered, blind := 0, 0
	for _, ns := range namespaces {
		switch {
		case c.Covers(ns):
			covered++
		case c.refuses(ns) && !holds(ns):
			blind++
		}
	}
	switch len(namespaces) {
	case covered:
		return Coverage{State: Complete, Namespaces: namespaces, Resumed: c.Resumed}
	case blind:
		return Coverage{State: Unseeable, Unseen: c.Unseen}
	default:
		return c
	}
}

// Unseen is one thing that could not be looked at: the request that would be needed, and why it failed.
type Unseen struct {
	Verb      string `json:"verb"`
	Resource  string `json:"resource"`
	Namespace string `json:"namespace,omitempty"` // empty: cluster-wide
	Name      string `json:"name,omitempty"`
	Reason    string `json:"reason"`
	Count     int    `json:"count,omitempty"` // how many objects of the namespace it stands for, if it names none of them
	// Obstacle is what kind of reason it is, from which follows what would help. Reports have the reason only, archives both: SavedUnseen.
	Obstacle Obstacle `json:"-"`
}

// Obstacle is what kept something from being read.
type Obstacle string

// The obstacles; none for what is of no kind that is known.
const (
	Refused  Obstacle = "refused"  // the user lacks a permission
	LoggedIn Obstacle = "loggedIn" // the credentials are not accepted
	TimedOut Obstacle = "timedOut"
	Busy     Obstacle = "busy"     // the API server has too many requests
	Expired  Obstacle = "expired"  // what was being read changed too much meanwhile
	CutShort Obstacle = "cutShort" // the answer ended in the middle
	Gone     Obstacle = "gone"
	TooLarge Obstacle = "tooLarge" // more than sparkdoctor reads
	Unsaved  Obstacle = "unsaved"  // not in the archive
)

// Forbidden is the reason of what the user may not read.
const Forbidden = "forbidden"

// Objects is how many things an entry stands for.
func (u Unseen) Objects() int { return max(1, u.Count) }

// Unseens is how many things the entries of a list stand for.
func Unseens(list []Unseen) int {
	n := 0
	for _, u := range list {
		n += u.Objects()
	}
	return n
}

// DecodeVerb is the verb of an object that was read and could not be decoded.
const DecodeVerb = "decode"

// namedUndecodable is how many objects of a kind and a namespace that could not be decoded are named: every check that needs the
// kind repeats them, and one wrong template makes thousands.
const namedUndecodable = 10

// listUnseen brings a list in the form that is kept: without secrets, since servers and decoders quote, in order, nothing twice, and
// with many objects that could not be decoded counted. An archive has been through it before.
func listUnseen(list []Unseen) []Unseen {
	list = slices.Clone(list)
	for i := range list {
		list[i].Reason = Redact(list[i].Reason)
	}
	slices.SortFunc(list, func(a, b Unseen) int {
		return cmp.Or(cmp.Compare(a.Resource, b.Resource), cmp.Compare(a.Namespace, b.Namespace), cmp.Compare(a.Count, b.Count),
			cmp.Compare(a.Name, b.Name), cmp.Compare(a.Verb, b.Verb), cmp.Compare(a.Reason, b.Reason))
	})
	return countUndecodable(slices.Compact(list))
}

// countUndecodable names the first objects of each kind and namespace and counts the rest.
func countUndecodable(list []Unseen) []Unseen {
	type group struct{ resource, namespace string }
	named, rest := map[group]int{}, map[group]int{}
	for _, u := range list {
		if g := (group{u.Resource, u.Namespace}); u.Verb == DecodeVerb {
			if named[g]++; u.Count > 0 || named[g] > namedUndecodable {
				rest[g] += u.Objects()
			}
		}
	}
	if len(rest) == 0 {
		return list
	}
	out := make([]Unseen, 0, len(named)*(namedUndecodable+1))
	clear(named)
	for i, u := range list {
		g := group{u.Resource, u.Namespace}
		if u.Verb != DecodeVerb {
			out = append(out, u)
		} else if named[g]++; u.Count == 0 && named[g] <= namedUndecodable {
			out = append(out, u)
		}
		last := i+1 == len(list) || g != group{list[i+1].Resource, list[i+1].Namespace}
		if n := rest[g]; last && n > 0 {
			out = append(out, Unseen{
				Verb: DecodeVerb, Resource: u.Resource, Namespace: u.Namespace, Count: n, Reason: fmt.Sprintf("%d more could not be decoded", n),
			})
		}
	}
	return out
}
