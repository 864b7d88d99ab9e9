package release

import "strings"

// When says at which time of an upgrade something is done.
type When int

// The times of an upgrade.
const (
	Before When = iota
	During
	After
	Rollback // if it goes wrong
)

// String returns before, during, after or rollback.
func (w When) String() string { return [...]string{"before", "during", "after", "rollback"}[w] }

// Note is what to do about an upgrade that nothing in a cluster shows: it is about values, dashboards and clients.
type Note struct {
	ID    string  // by which a later release says that it is true no more; empty: none has
	Since Version // what brought it, filled in by Fold
	Until Version // first release of which it is not true any more, filled in by Fold; zero: none
	When  When
	Do    string // imperative, lower case
	Why   string // a fact, to go on after the version: "2.1.0 …"
	// Command is to be copied; "{to}" stands for the target, "{chart}" for its chart where there is one, "{namespace}" and "{deployments}"
	// for those of the installation.
	Command string
	// Clients says that it is about applications and what writes them: also who does not upgrade the operator has to do it.
	Clients bool
	Source  string
}

// Fill puts values into the blanks of a command: names and values in turn, without braces.
func (n Note) Fill(pairs ...string) string {
	blanks := make([]string, len(pairs))
	for i := range pairs {
		if blanks[i] = pairs[i]; i%2 == 0 {
			blanks[i] = "{" + pairs[i] + "}"
		}
	}
	return strings.NewReplacer(blanks...).Replace(n.Command)
}

// Fatal is a release that no cluster should get, because it fails at what most do with it.
type Fatal struct {
	Version Version // filled in by Fold; zero for one that is known by its chart alone
	Chart   Version
	Why     string // goes on after "release 2.0.0"
	Next    string // the next good one, as somebody would ask for it
	Source  string
}
