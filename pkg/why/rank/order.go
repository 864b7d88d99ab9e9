package rank

import (
	"cmp"
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// criterion is one question that ranks answers: the lower its number, the earlier an answer comes.
type criterion struct {
	name string
	why  string // why it comes where it comes
	of   func(s *standing, a *Answer) int
	// final says that answers which it puts first are not compared any further.
	final bool
}

// standing is what answers are ranked by beside themselves.
type standing struct {
	v    *mechanism.View
	good *cause.Cause // the outcome of no fault that holds whatever logs say; nil: there is none
	// restarted says that the log of a server tells why it ended before it restarted.
	restarted bool
}

// criteria are asked in this order; the next one only where two answers are equal in all before it. What is equal in all stays in the order
// in which mechanisms found it.
func criteria() []criterion {
	return []criterion{
		{name: "outcome", why: "a run that came to a good end did so whatever its log complains of", final: true,
			of: func(s *standing, a *Answer) int { return below(s.good != nil && a.Class == s.good.Class && !a.Effect) }},
		{name: "cause-before-effect", why: "what follows from something else is no answer while anything stands",
			of: func(_ *standing, a *Answer) int { return above(a.Effect || a.Class == cause.Unknown) }},
		{name: "fault-before-health", why: "that pods run does not explain what is wrong",
			of: func(_ *standing, a *Answer) int { return above(Stands(&a.Cause) && !a.Class.Fault()) }},
		{name: "own-words", why: "a process that ended by itself says why; what befell executors meanwhile counts if its log blames that",
			of: func(s *standing, a *Answer) int {
				return below(Logged(&a.Cause) && a.Certainty == check.Proven && s.v.ExitedByItself() && !a.Effect)
			}},
		{name: "certainty", why: "what is proven comes before what is likely",
			of: func(_ *standing, a *Answer) int { return above(a.Certainty == check.Likely) }},
		{name: "losses-end-no-job", why: "a few executors that were lost end no job: what the log says, even if it is not sure, comes first",
			of: func(s *standing, a *Answer) int {
				return above(a.Certainty == check.Likely && s.v.ExitedByItself() && !Logged(&a.Cause) && s.ofExecutor(a))
			}},
		{name: "directness", why: "what a kubelet recorded comes before what a log says of it, and both before a team's own signature",
			of: func(_ *standing, a *Answer) int { return directness(a) }},
	}
}

// directness is how directly a cause was seen. What only the spec or an exit code says comes last.
func directness(a *Answer) int {
	if a.SignatureFile != "" {
		return 2*int(cause.ByExecutorLog) + 1
	}
	return 2 * int(a.Trust)
}

// ofExecutor reports whether an answer is about an executor's pod.
func (s *standing) ofExecutor(a *Answer) bool {
	return a.Role == cause.ExecutorRole && a.Subject.Kind == "Pod" && a.Subject.Name != s.v.DriverName
}

func below(is bool) int {
	if is {
		return 0
	}
	return 1
}

func above(is bool) int { return 1 - below(is) }

// compare asks the criteria in turn.
func (s *standing) compare(a, b *Answer) int {
	for _, c := range criteria() {
		x, y := c.of(s, a), c.of(s, b)
		decided := c.final && x == 0
		if n := cmp.Compare(x, y); n != 0 || decided {
			return n
		}
	}
	return 0
}

func (s *standing) sort(all []Answer) {
	slices.SortStableFunc(all, func(a, b Answer) int { return s.compare(&a, &b) })
}
