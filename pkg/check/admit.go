package check

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// admit decides from the coverage of its needs whether a check can run at all, and on how much of them.
func admit(s *snapshot.Snapshot, c Check) Result {
	r := Result{Check: c}
	subjects := map[snapshot.State][]View{}
	for _, n := range c.AllNeeds() {
		if n.Role == snapshot.Optional || n.Role == snapshot.Advised {
			continue
		}
		cover := s.CoverageFor(n)
		if cover.State == snapshot.Partial || cover.State == snapshot.Unseeable {
			r.Partial = true
			r.Unseen = append(r.Unseen, cover.Unseen...)
		}
		if n.Role == snapshot.Consulted {
			continue
		}
		switch {
		case n.Role == snapshot.Subject:
			subjects[cover.State] = append(subjects[cover.State], n.View)
		case cover.State == snapshot.Unseeable, cover.State == snapshot.NotAsked:
			return skipped(r, n.View, s.Namespaces)
		case cover.State == snapshot.NotInput:
			return notApplicable(c, []View{n.View})
		}
	}
	seen := len(subjects[snapshot.Complete]) + len(subjects[snapshot.Partial])
	switch blind := subjects[snapshot.Unseeable]; {
	case seen == 0 && len(blind) > 0:
		return skipped(r, blind[0], s.Namespaces)
	case seen == 0 && len(subjects[snapshot.NotInput]) > 0:
		return notApplicable(c, subjects[snapshot.NotInput])
	case c.Absence && s.Excerpt():
		return Result{Check: c, Status: NotApplicable,
			Reason: "concludes from what is not there, and the input may not be everything (--complete declares that it is)"}
	}
	r.Unseen = askedFirst(dedupUnseen(r.Unseen), s.Namespaces)
	return r
}

// askedFirst puts what was not seen of the namespaces that the user asks about before the rest: reasons tell the first.
func askedFirst(list []snapshot.Unseen, namespaces []string) []snapshot.Unseen {
	elsewhere := func(u snapshot.Unseen) int {
		if slices.Contains(namespaces, u.Namespace) {
			return 0
		}
		return 1
	}
	slices.SortStableFunc(list, func(a, b snapshot.Unseen) int { return cmp.Compare(elsewhere(a), elsewhere(b)) })
	return list
}

func skipped(r Result, v View, namespaces []string) Result {
	r.Status, r.Partial = Skipped, false
	r.Unseen = askedFirst(dedupUnseen(r.Unseen), namespaces)
	switch {
	case len(r.Unseen) > 0:
		u := r.Unseen[0]
		r.Reason = fmt.Sprintf("could not %s %s: %s", u.Verb, u.Resource, u.Reason)
		if u.Verb == snapshot.DecodeVerb { // Unseen has what is wrong with it, and where
			r.Reason = strings.TrimSpace("could not decode " + u.Resource + " " + strings.Trim(u.Namespace+"/"+u.Name, "/"))
		}
	default:
		r.Reason = fmt.Sprintf("could not look at %s", v)
	}
	return r
}

func notApplicable(c Check, views []View) Result {
	names := make([]string, 0, len(views))
	for _, v := range views {
		names = append(names, string(v))
	}
	if len(names) > 3 {
		names = append(names[:3], "…")
	}
	return Result{Check: c, Status: NotApplicable, Reason: "the input holds no " + strings.Join(names, ", ")}
}
