package checks

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// Status is how a check ended.
type Status int

const (
	Passed        Status = iota
	Failed               // at least one finding
	Skipped              // could not look
	NotApplicable        // the input is not of the kind that the check can judge
)

// String returns the status as in the report.
func (s Status) String() string {
	return [...]string{"passed", "failed", "skipped", "notApplicable"}[s]
}

// Result is the outcome of one check.
type Result struct {
	Check    Check
	Status   Status
	Partial  bool // ran on a part of what it needs, see Unseen
	Unseen   []snapshot.Unseen
	Reason   string // why skipped or not applicable, or what could not be judged
	Findings []Finding
}

// Run asks every check and returns one result each, in the order given. A check that panics is skipped.
func Run(s *snapshot.Snapshot, list []Check, p Params) []Result {
	results := make([]Result, 0, len(list))
	for _, c := range list {
		results = append(results, runOne(s, c, p))
	}
	return results
}

func runOne(s *snapshot.Snapshot, c Check, p Params) Result {
	r := admit(s, c)
	if r.Status != Passed {
		return r
	}
	answer, err := ask(s.Restrict(c.Needs), c, p)
	if err != nil {
		return Result{Check: c, Status: Skipped, Reason: fmt.Sprintf("internal error in %s: %v", c.ID, err)}
	}
	r.Findings, r.Reason = answer.Findings, strings.Join(answer.Unjudged, "; ")
	r.dropUncovered(s)
	capped := optionalUnseen(s, c)
	for i := range r.Findings {
		f := &r.Findings[i]
		f.Check, f.Slug = c.ID, c.Slug
		if capped {
			f.Certainty = Likely
		}
	}
	sortFindings(r.Findings)
	if len(r.Findings) > 0 {
		r.Status = Failed
	}
	return r
}

// ask runs a check and turns a panic into an error, so that one author's mistake does not take the scan down.
func ask(s *snapshot.Snapshot, c Check, p Params) (a Answer, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%v", r)
		}
	}()
	return c.Run(s, p), nil
}

// admit decides from the coverage of its needs whether a check can run at all.
func admit(s *snapshot.Snapshot, c Check) Result {
	r := Result{Check: c}
	subjects, readable, present := 0, 0, 0
	var missing []View
	for _, n := range c.Needs {
		cover := s.Coverage(n.View)
		if n.Role == snapshot.Optional {
			continue
		}
		if cover.State == snapshot.Partial || cover.State == snapshot.Unseeable {
			r.Partial = true
			r.Unseen = append(r.Unseen, cover.Unseen...)
		}
		if n.Role == snapshot.Subject {
			subjects++
			if cover.Readable() {
				readable++
			}
			if cover.State != snapshot.NotInput {
				present++
			} else {
				missing = append(missing, n.View)
			}
			continue
		}
		switch cover.State {
		case snapshot.Unseeable, snapshot.NotAsked:
			return skipped(r, n.View)
		case snapshot.NotInput:
			return notApplicable(c, []View{n.View})
		default:
		}
	}
	switch {
	case present == 0:
		return notApplicable(c, missing)
	case readable == 0:
		return skipped(r, "")
	case c.Absence && s.Files && !s.Whole:
		return Result{Check: c, Status: NotApplicable, Reason: "concludes from what is not there, and the input may not be everything (--complete declares that it is)"}
	}
	r.Unseen = dedupUnseen(r.Unseen)
	return r
}

func skipped(r Result, v View) Result {
	r.Status, r.Partial = Skipped, false
	r.Unseen = dedupUnseen(r.Unseen)
	switch {
	case len(r.Unseen) > 0:
		u := r.Unseen[0]
		r.Reason = fmt.Sprintf("could not %s %s: %s", u.Verb, u.Resource, u.Reason)
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

// dropUncovered removes findings that rest on the absence of something where nobody could look.
func (r *Result) dropUncovered(s *snapshot.Snapshot) {
	r.Findings = slices.DeleteFunc(r.Findings, func(f Finding) bool {
		return slices.ContainsFunc(f.Absent, func(a Absent) bool {
			return a.View != snapshot.Owners && !s.Covers(a.View, a.Ref.Namespace)
		})
	})
}

func optionalUnseen(s *snapshot.Snapshot, c Check) bool {
	return slices.ContainsFunc(c.Needs, func(n snapshot.Need) bool {
		state := s.Coverage(n.View).State
		return n.Role == snapshot.Optional && (state == snapshot.Unseeable || state == snapshot.Partial)
	})
}

func dedupUnseen(list []snapshot.Unseen) []snapshot.Unseen {
	var out []snapshot.Unseen
	for _, u := range list {
		if !slices.Contains(out, u) {
			out = append(out, u)
		}
	}
	return out
}

func sortFindings(list []Finding) {
	slices.SortFunc(list, func(a, b Finding) int {
		return cmp.Or(cmp.Compare(b.Severity, a.Severity), cmp.Compare(a.Check, b.Check), a.Object.Compare(b.Object),
			cmp.Compare(a.Field, b.Field), cmp.Compare(a.What, b.What), cmp.Compare(a.Message, b.Message))
	})
}
