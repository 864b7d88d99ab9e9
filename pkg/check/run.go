package check

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"sync"

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

// judged reports whether the check looked at anything and came to an answer.
func (s Status) judged() bool { return s == Passed || s == Failed }

// Result is the outcome of one check.
type Result struct {
	Check    Check
	Status   Status
	Partial  bool // did not see all that it needs, see Unseen, or could not judge some of its subjects, see Reason
	Unseen   []snapshot.Unseen
	Reason   string // why skipped or not applicable, or what could not be judged
	Findings []Reported
	Values   []string // of the target's chart, see Answer
}

// parallelChecks bounds how many checks run at once: each makes indexes of its own over the fleet.
const parallelChecks = 2

// Run asks every check and returns one result each, in the order given. A check that panics is skipped.
func Run(s *snapshot.Snapshot, list []Check, p Params) []Result {
	results, facts := make([]Result, len(list)), factsOf(s)
	slots := make(chan struct{}, parallelChecks)
	var wg sync.WaitGroup
	for i, c := range list {
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			results[i] = runOne(facts, c, p)
		})
	}
	wg.Wait()
	return results
}

func runOne(k *known, c Check, p Params) Result {
	s := k.whole
	hop, reason := p.brings(c)
	if reason != "" {
		return Result{Check: c, Status: NotApplicable, Reason: reason}
	}
	r := admit(s, c)
	if r.Status != Passed {
		return r
	}
	answer, err := ask(k, c, p)
	if err != nil {
		return Result{Check: c, Status: Skipped, Reason: fmt.Sprintf("internal error in %s: %v", c.ID, err)}
	}
	p.doubt(k, c, &answer)
	r.Findings = c.report(answer.Findings)
	answer.PassOver(r.dropUncovered(s), "what is missing may be where nothing was read")
	capped := optionalUnseen(s, c)
	for i := range r.Findings {
		f := &r.Findings[i]
		if f.Hop.IsZero() {
			f.Hop = hop
		}
		if capped && !f.Alone {
			f.Certainty = Likely
		}
	}
	sortFindings(r.Findings)
	r.conclude(s, p, answer)
	return r
}

// report are findings of a check as the engine has them.
func (c Check) report(list []Finding) []Reported {
	out := make([]Reported, len(list))
	for i, f := range list {
		out[i] = Reported{Finding: f, Check: c.ID, Slug: c.Slug}
	}
	return out
}

// conclude sets the status. A check that found nothing passed if it judged all of its subjects, be there none: in files that
// may not be everything there must be one. If it could judge none it could not look, or the files are not for it. Where none was seen
// and some may be in what could not be read, it could not look either.
func (r *Result) conclude(s *snapshot.Snapshot, p Params, a Answer) {
	r.Reason, r.Values = strings.Join(a.Unjudged, "; "), a.Values
	r.Partial = r.Partial || len(a.Unjudged) > 0
	switch {
	case len(r.Findings) > 0:
		r.Status = Failed
	case a.Judged > 0:
		r.Status = Passed
	case a.NotApplicable != "":
		r.Status = NotApplicable
		r.Partial = false
		r.Reason = a.NotApplicable
	case len(a.Unjudged) > 0 && s.Files && !(r.Check.OfUpgrade() && p.Upgrade.Open(s)):
		r.Status, r.Partial = NotApplicable, false
	case len(a.Unjudged) > 0:
		r.Status, r.Partial = Skipped, false
	case !s.Excerpt() && r.unreadSubject(s) != "":
		*r = skipped(*r, r.unreadSubject(s), s.Namespaces)
	case s.Excerpt() && !r.Check.OfUpgrade(): // whose subject is the upgrade
		r.Status, r.Reason = NotApplicable, "the input holds nothing that it judges"
		r.Partial = false
	default:
		r.Status = Passed
	}
}

// unreadSubject returns a view in which there may be subjects that could not be read; empty: there is none. Which objects of some views
// are read others tell: what could not be read of those may name more of them.
func (r *Result) unreadSubject(s *snapshot.Snapshot) View {
	for _, n := range r.Check.AllNeeds() {
		if n.Role != snapshot.Subject {
			continue
		}
		cover := s.CoverageFor(n)
		src, _ := snapshot.SourceOf(n.View)
		if cover.State == snapshot.Unseeable || cover.State == snapshot.Partial && len(cover.Unseen) > 0 || src.ByName && len(r.Unseen) > 0 {
			return n.View
		}
	}
	return ""
}

// ask runs a check and turns a panic into an error, so that one author's mistake does not take the scan down.
func ask(k *known, c Check, p Params) (a Answer, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%v", r)
		}
	}()
	return c.Run(k.pass(c.Needs, p, c.Requires)), nil
}

// dropUncovered removes findings that rest on the absence of something in a place that was not read, and returns how many.
func (r *Result) dropUncovered(s *snapshot.Snapshot) int {
	before := len(r.Findings)
	r.Findings = slices.DeleteFunc(r.Findings, func(f Reported) bool {
		return slices.ContainsFunc(f.Absent, func(a Absent) bool {
			return a.View != snapshot.Owners && !s.Covers(a.View, a.Ref.Namespace)
		})
	})
	return before - len(r.Findings)
}

func optionalUnseen(s *snapshot.Snapshot, c Check) bool {
	return slices.ContainsFunc(c.AllNeeds(), func(n snapshot.Need) bool {
		state := s.CoverageFor(n).State
		return n.Role == snapshot.Optional && (state == snapshot.Unseeable || state == snapshot.Partial)
	})
}

func dedupUnseen(list []snapshot.Unseen) []snapshot.Unseen {
	seen := make(map[snapshot.Unseen]bool, len(list)) // thousands, where no application could be decoded
	var out []snapshot.Unseen
	for _, u := range list {
		if !seen[u] {
			seen[u] = true
			out = append(out, u)
		}
	}
	return out
}

func sortFindings(list []Reported) {
	slices.SortFunc(list, func(a, b Reported) int {
		return cmp.Or(cmp.Compare(b.Severity, a.Severity), cmp.Compare(a.Check, b.Check), a.Object.Compare(b.Object),
			cmp.Compare(a.Field, b.Field), cmp.Compare(a.name(), b.name()), cmp.Compare(a.Message, b.Message))
	})
}
