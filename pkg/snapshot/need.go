package snapshot

// Role says what a check does with a view, and so what happens to the check when the view could not be read.
type Role int

const (
	Subject   Role = iota // findings are about its objects: without any readable subject the check is skipped
	Compared              // subjects are compared with it: unreadable, the check is skipped
	Optional              // it sharpens the verdict: unreadable, certainty is at most likely
	Consulted             // the check says itself what it can still tell without it: unreadable, the check is partial
)

// Scope says how far a listing must reach when the user asks for some namespaces only.
type Scope int

const (
	InNamespace Scope = iota // the check never compares across namespaces: the asked namespaces are enough
	Everywhere               // the check compares with other namespaces, or its subjects belong to none
)

// Need is one view that a check reads. A check reads nothing that it does not declare.
type Need struct {
	View  View
	Role  Role
	Scope Scope
}

// Needs merges the needs of several checks into one listing a view: the widest scope wins.
func Needs(lists ...[]Need) []Need {
	at := map[View]int{}
	var out []Need
	for _, list := range lists {
		for _, n := range list {
			i, seen := at[n.View]
			if !seen {
				at[n.View] = len(out)
				out = append(out, n)
				continue
			}
			out[i].Scope = max(out[i].Scope, n.Scope)
			out[i].Role = min(out[i].Role, n.Role)
		}
	}
	return out
}
