package check

import (
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// Pass is what a check judges by: the views that it needs, the thresholds, and the facts that it requires.
type Pass struct {
	*snapshot.Snapshot // answers only for the views of the check
	Params

	facts    *known
	required []Requirement
	asked    map[string]bool // the facts that it asked for
}

// Fact is what several checks derive from records. It is made once a scan, when a check first asks for it, and never changes: checks
// that run side by side share it. It reads the views that it needs itself, whatever those of the check are.
type Fact[T any] struct {
	Name     string // in which no two are alike
	Needs    []snapshot.Need
	Requires []Requirement // facts of which it is made
	Make     func(*Pass) T // without thresholds: a fact is the same whatever the flags
}

// Requirement is a fact that a check requires, whatever its type, and the views by which it is made.
type Requirement interface {
	name() string
	needs() []snapshot.Need
	requires() []Requirement
}

func (f Fact[T]) name() string            { return f.Name }
func (f Fact[T]) needs() []snapshot.Need  { return withFacts(f.Needs, f.Requires) }
func (f Fact[T]) requires() []Requirement { return f.Requires }

// Of returns the fact to a check that requires it, or one that is made of it. Asking for another one is an undeclared read.
func (f Fact[T]) Of(p *Pass) T {
	if !requires(p.required, f.Name) {
		panic(fmt.Sprintf("undeclared fact %q", f.Name))
	}
	p.asked[f.Name] = true
	made, is := p.facts.get(f.Name, func() any {
		own := p.facts.pass(f.Needs, Params{}, f.Requires)
		defer p.facts.note(own)
		return f.Make(own)
	}).(T)
	if !is {
		panic(fmt.Sprintf("two facts are called %q", f.Name))
	}
	return made
}

func requires(list []Requirement, name string) bool {
	return slices.ContainsFunc(list, func(r Requirement) bool { return r.name() == name || requires(r.requires(), name) })
}

// inRole is a fact whose views have another role for a check.
type inRole struct {
	Requirement
	role snapshot.Role
}

// As requires a fact of which all views have a role.
func As(role snapshot.Role, r Requirement) Requirement { return inRole{r, role} }

func (i inRole) needs() []snapshot.Need {
	needs := slices.Clone(i.Requirement.needs())
	for k := range needs {
		needs[k].Role = i.role
	}
	return needs
}

// withFacts are needs, and those of facts about views of which they say nothing.
func withFacts(needs []snapshot.Need, facts []Requirement) []snapshot.Need {
	out := slices.Clone(needs)
	for _, r := range facts {
		for _, n := range r.needs() {
			if !slices.ContainsFunc(out, func(o snapshot.Need) bool { return o.View == n.View }) {
				out = append(out, n)
			}
		}
	}
	return out
}

// AllNeeds are what the check may read: the views that it names, and those of its facts.
func (c Check) AllNeeds() []snapshot.Need { return withFacts(c.Needs, c.Requires) }

// Facts are the names of the facts that the check requires.
func (c Check) Facts() []string {
	var out []string
	for _, r := range c.Requires {
		out = append(out, r.name())
	}
	return out
}

// known are the facts about a snapshot that were made.
type known struct {
	whole *snapshot.Snapshot
	mu    sync.Mutex
	made  map[string]func() any
	read  map[snapshot.View]bool // by all facts
}

func factsOf(s *snapshot.Snapshot) *known {
	return &known{whole: s, made: map[string]func() any{}, read: map[snapshot.View]bool{}}
}

func (k *known) get(name string, make func() any) any {
	k.mu.Lock()
	one, found := k.made[name]
	if !found {
		one = sync.OnceValue(make)
		k.made[name] = one
	}
	k.mu.Unlock()
	return one()
}

// note remembers what a fact read.
func (k *known) note(p *Pass) {
	k.mu.Lock()
	defer k.mu.Unlock()
	maps.Copy(k.read, p.Read())
}

func (k *known) pass(needs []snapshot.Need, p Params, required []Requirement) *Pass {
	return &Pass{Snapshot: k.whole.Restrict(needs), Params: p, facts: k, required: required, asked: map[string]bool{}}
}

// NewPass returns what a check is asked about in a snapshot.
func NewPass(s *snapshot.Snapshot, c Check, p Params) *Pass {
	return factsOf(s).pass(c.Needs, p, c.Requires)
}

// Uses returns the views that were read through the pass, by the check or by its facts, and the facts that were asked for.
func (p *Pass) Uses() (views map[snapshot.View]bool, facts map[string]bool) {
	views = maps.Clone(p.facts.read)
	maps.Copy(views, p.Read())
	return views, p.asked
}
