package report

import (
	"cmp"
	"fmt"
	"slices"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
)

// Verdict is what matters first: the findings that no other one explains, worst first, each with what follows from it and what to do.
type Verdict struct {
	State string `json:"state"` // healthy, degraded, broken or unknown
	Roots []Root `json:"roots"` // in the order in which to work on them; none of severity info
	// Healthy says what was looked at as a whole and is well. What was skipped or seen in part is not in it.
	Healthy []string `json:"healthy,omitempty"`

	notes  []member // what the roots leave out
	failed *failed  // applications that failed, and that no finding explains; nil: none
}

// The states of a verdict.
const (
	StateHealthy  = "healthy"  // nothing but notes, and every check could look
	StateDegraded = "degraded" // warnings
	StateBroken   = "broken"   // errors
	StateUnknown  = "unknown"  // nothing found, and not all of it could be looked at
)

// Root is a finding that no other one explains, or all of one check and severity.
type Root struct {
	Finding     string     `json:"finding"` // fingerprint; of several, of the first
	Source      string     `json:"source,omitempty"`
	Check       string     `json:"check"`
	Severity    string     `json:"severity"` // the worst of it and its effects
	Consequence string     `json:"consequence,omitempty"`
	Message     string     `json:"message"`
	Since       *time.Time `json:"since,omitempty"`    // of several, of the oldest
	Findings    []string   `json:"findings,omitempty"` // all of them, if several
	Follows     string     `json:"follows,omitempty"`  // what it means, where no finding says so: who waits
	Effects     []string   `json:"effects"`            // fingerprints of what it causes, and of what that causes
	Next        []Next     `json:"next"`

	effects []effect
	objects int
	aged    *time.Time // Since, if Message leaves it out
	short   string     // of several: what they have in common
	members []member   // all findings that it stands for
}

// effect are the findings of one check that a root causes.
type effect struct {
	check, message string
	aged           *time.Time
	objects        int
}

// member is a finding as the verdict counts it.
type member struct{ severity, namespace string }

// failed are applications that failed for reasons of their own: nothing is wrong with the cluster, and somebody waits for their result.
type failed struct {
	check string
	n     int
	first string // what the finding about one of them says
	ask   string // the command that says why it failed, or lists them; empty: the answer is at hand
}

// Conclude recomputes the verdict, and is called after each change of what the report holds.
func (r *Report) Conclude() {
	r.Verdict = nil
	if r.Gate != nil {
		return
	}
	v := &Verdict{State: r.state(), Roots: []Root{}, Healthy: r.healthy()}
	for _, c := range r.causes() {
		if c.severity == check.Info.String() && r.Items[c.own[0]].Consequence == check.StopsJobs.String() {
			v.failed = r.failedOf(c.own)
			c.own = nil
		}
		if c.severity == check.Info.String() {
			v.notes = append(v.notes, r.members(c.own, c.below)...)
			continue
		}
		v.Roots = append(v.Roots, r.root(c.severity, c.own, c.below))
	}
	r.Verdict = v
}

// failedOf is what the verdict says of applications that failed, by their places among Items.
func (r *Report) failedOf(own []int) *failed {
	items := r.at(own)
	ref := items[0].Object
	out := &failed{check: items[0].Check, n: objects(items), first: ref.Namespace + "/" + ref.Name + " " + items[0].Message,
		ask: r.asked.In(fmt.Sprintf("kubectl sparkdoctor why %s -n %s", command.Quoted(ref.Name), command.Quoted(ref.Namespace)))}
	switch {
	case r.answered == ref.Key() && out.n == 1:
		out.ask = ""
	case out.n > 1:
		out.ask = r.asked.In("kubectl sparkdoctor why -A")
	}
	return out
}

// causes are all findings that count, by what no other finding explains: those of one check and severity with all that they cause, worst
// first. The severity is the worst of them.
func (r *Report) causes() []cause {
	effects, explained := r.chains()
	taken := map[int]bool{}
	var out []cause
	at := map[[2]string]int{}
	for i := range r.Items {
		if !r.Items[i].Judged() || explained[i] {
			continue
		}
		below := follow(effects, taken, i)
		severity := r.worst(append([]int{i}, below...))
		key := [2]string{r.Items[i].Check, severity}
		if _, seen := at[key]; !seen {
			at[key] = len(out)
			out = append(out, cause{severity: severity})
		}
		c := &out[at[key]]
		c.own, c.below = append(c.own, i), append(c.below, below...)
	}
	reach := func(c cause) int { return objects(r.at(c.own)) + objects(r.at(c.below)) }
	slices.SortStableFunc(out, func(a, b cause) int {
		return cmp.Or(cmp.Compare(Rank(a.severity), Rank(b.severity)),
			cmp.Compare(severe(r.Items[a.own[0]].Consequence), severe(r.Items[b.own[0]].Consequence)), cmp.Compare(reach(b), reach(a)))
	})
	return out
}

// cause are findings by their places among Items, and those that they cause.
type cause struct {
	severity   string
	own, below []int
}

// Cause are findings of one check that no other one explains, with all that they cause. What does not count has no effects.
type Cause struct {
	Severity   string // the worst of all
	Own, Below []*Item
}

// ByCause has every finding of Items once: what counts as the verdict has it, then what does not, by check and word.
func (r *Report) ByCause() []Cause {
	list := r.causes()
	out := make([]Cause, 0, len(list))
	for _, c := range list {
		slices.Sort(c.below)
		out = append(out, Cause{c.severity, r.at(c.own), r.at(c.below)})
	}
	for i := range r.Items {
		item := &r.Items[i]
		if item.Judged() {
			continue
		}
		if r.Begins(i) {
			out = append(out, Cause{Severity: item.Severity})
		}
		last := &out[len(out)-1]
		last.Own = append(last.Own, item)
	}
	return out
}

// state judges by what counts.
func (r *Report) state() string {
	switch f := r.JudgedCounts(); {
	case f.Error > 0:
		return StateBroken
	case f.Warning > 0:
		return StateDegraded
	case r.Judged() == 0 || r.Incomplete():
		return StateUnknown
	default:
		return StateHealthy
	}
}

// chains are the effects of each finding that counts, by their places among Items, and the findings that have a cause there. Of
// findings that cause each other the first has none.
func (r *Report) chains() (effects map[int][]int, explained map[int]bool) {
	effects, explained = map[int][]int{}, map[int]bool{}
	for _, e := range r.edges() {
		if r.Items[e.cause].Judged() && r.Items[e.effect].Judged() && e.cause < e.effect {
			effects[e.cause], explained[e.effect] = append(effects[e.cause], e.effect), true
		}
	}
	return effects, explained
}

// follow returns all effects of a finding, and theirs, but for those that a root before has.
func follow(effects map[int][]int, taken map[int]bool, from int) []int {
	var out []int
	for _, i := range effects[from] {
		if !taken[i] {
			taken[i] = true
			out = append(append(out, i), follow(effects, taken, i)...)
		}
	}
	slices.Sort(out)
	return out
}

func (r *Report) worst(list []int) string {
	rank := len(Severities()) - 1
	for _, i := range list {
		rank = min(rank, Rank(r.Items[i].Severity))
	}
	return Severities()[rank]
}

// root says of findings, by their places among Items, what they have in common, and what those below them say.
func (r *Report) root(severity string, own, below []int) Root {
	slices.Sort(below)
	items := r.at(own)
	first := items[0]
	t := Root{
		Finding: first.Metadata.Name, Source: first.cluster, Check: first.Check, Severity: severity, Consequence: first.Consequence,
		Message: sentence(items), Since: oldest(items), Effects: []string{}, Next: r.nextOf(items), objects: objects(items), aged: aged(items),
	}
	if len(items) > 1 {
		t.short = fmt.Sprintf("%s%s: %s", phrase.Counted(len(items), "finding"), across(items), r.CheckOf(first.Check).Title)
		for _, item := range items {
			t.Findings = append(t.Findings, item.Metadata.Name)
		}
	}
	for _, item := range items {
		t.Follows = cmp.Or(t.Follows, item.follows)
	}
	byCheck := map[string][]*Item{}
	for _, item := range r.at(below) {
		t.Effects = append(t.Effects, item.Metadata.Name)
		byCheck[item.Check] = append(byCheck[item.Check], item)
	}
	for _, item := range r.at(below) {
		if list := byCheck[item.Check]; list[0] == item {
			t.effects = append(t.effects, effect{item.Check, sentence(list), aged(list), objects(list)})
		}
	}
	t.members = r.members(own, below)
	return t
}

func (r *Report) at(places []int) []*Item {
	out := make([]*Item, 0, len(places))
	for _, i := range places {
		out = append(out, &r.Items[i])
	}
	return out
}

// members are findings and those below them as the verdict counts them.
func (r *Report) members(own, below []int) []member {
	var out []member
	for _, item := range r.at(slices.Concat(own, below)) {
		out = append(out, member{item.Severity, of(item.cluster) + check.NamespaceOf(item.Object)})
	}
	return out
}
