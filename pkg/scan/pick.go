package scan

import (
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix/plan"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// Pick selects what is repaired: a check, one object of it, or a finding by its fingerprint.
type Pick struct {
	Check           string             // id
	Namespace, Name string             // empty: any
	Kind            snapshot.GroupKind // where it may be TYPE/NAME, with the type as Namespace; zero: it is not
	Finding         string
}

// ParsePick reads CHECK, CHECK=NAME, CHECK=NAMESPACE/NAME, CHECK=TYPE/NAME or a fingerprint.
func ParsePick(text string) (Pick, error) {
	fingerprint := regexp.MustCompile(`^(sd[0-9]{4})-[0-9a-f]{12}$`)
	if m := fingerprint.FindStringSubmatch(text); m != nil {
		return Pick{Check: strings.ToUpper(m[1]), Finding: text}, nil
	}
	id, object, named := strings.Cut(text, "=")
	if c, err := check.Lookup(checks.OfUpgrades(), id); err == nil {
		return Pick{}, fmt.Errorf("%s is about an upgrade, and only gate asks it: what to do is in its runbook", c.ID)
	}
	found, err := check.Lookup(checks.All(), id)
	if err != nil {
		return Pick{}, err
	}
	p := Pick{Check: found.ID, Name: object}
	if namespace, name, both := strings.Cut(object, "/"); both {
		p.Namespace, p.Name = namespace, name
		if key, is := check.ParseObject(object, ""); is {
			p.Kind = key.GroupKind
		}
	}
	if named && (p.Name == "" || strings.Contains(p.Name, "/")) {
		return Pick{}, fmt.Errorf("%q is neither CHECK, CHECK=NAME, CHECK=NAMESPACE/NAME nor CHECK=TYPE/NAME", text)
	}
	return p, nil
}

// names reports whether the pick names an object.
func (p Pick) names(r snapshot.Ref) bool {
	typed := p.Kind != (snapshot.GroupKind{}) && p.Kind == r.GroupKind()
	return p.Name == r.Name && (p.Namespace == "" || p.Namespace == r.Namespace || typed)
}

// picked reports whether a finding is selected, and whether its object was named.
func picked(picks []Pick, f *check.Reported) (selected, named bool) {
	if len(picks) == 0 {
		return true, false
	}
	for _, p := range picks {
		switch {
		case p.Check != f.Check:
		case p.Finding != "":
			if p.Finding == f.Fingerprint() {
				return true, true
			}
		case p.Name == "":
			selected = true
		case slices.ContainsFunc(append([]snapshot.Ref{f.Object}, f.Objects...), p.names):
			return true, true
		}
	}
	return selected, false
}

// chosen keeps of the wishes for a selected finding those that the picks are about, and says which of them they name.
// A pick that names one of several objects of a finding selects that one only, unless the others are parts of it.
func chosen(picks []Pick, f *check.Reported, all []plan.Candidate) []plan.Candidate {
	whole, every := len(picks) == 0, false
	named := make([]bool, len(all))
	for _, p := range picks {
		switch {
		case p.Check != f.Check:
		case p.Finding != "":
			every = every || p.Finding == f.Fingerprint()
		case p.Name == "":
			whole = true
		case p.names(f.Object) && !f.FirstOfMany():
			every = true
		default:
			found := false
			for i, c := range all {
				if p.names(fix.TraitsOf(c.Intent).Target) {
					named[i], found = true, true
				}
			}
			// What is done to another object may repair the one that is named.
			every = every || !found && slices.ContainsFunc(f.Objects, p.names)
		}
	}
	out := make([]plan.Candidate, 0, len(all))
	for i, c := range all {
		if c.Named = every || named[i]; c.Named || whole {
			out = append(out, c)
		}
	}
	return out
}

// isIn reports whether a finding is about the object that the pick names.
func (p Pick) isIn(r check.Result) bool {
	return slices.ContainsFunc(r.Findings, func(f check.Reported) bool {
		return p.names(f.Object) || slices.ContainsFunc(f.Objects, p.names)
	})
}

// String is the pick as it is typed.
func (p Pick) String() string {
	switch {
	case p.Finding != "":
		return p.Finding
	case p.Name == "":
		return p.Check
	case p.Namespace == "":
		return p.Check + "=" + p.Name
	default:
		return p.Check + "=" + p.Namespace + "/" + p.Name
	}
}
