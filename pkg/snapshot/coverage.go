package snapshot

import "slices"

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
		return !slices.ContainsFunc(c.Unseen, func(u Unseen) bool { return u.Namespace == "" || u.Namespace == namespace })
	}
}

// Readable reports whether anything of the view was seen, or nothing was there to see.
func (c Coverage) Readable() bool {
	return c.State == Complete || c.State == Partial || c.State == NotServed
}

// in narrows coverage to some namespaces: what could not be seen elsewhere does not matter to whoever asks for these.
func (c Coverage) in(namespaces []string) Coverage {
	if c.State != Partial || slices.ContainsFunc(namespaces, func(ns string) bool { return !c.Covers(ns) }) {
		return c
	}
	return Coverage{State: Complete, Namespaces: namespaces, Resumed: c.Resumed}
}
