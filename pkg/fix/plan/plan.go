// Package plan is what people and files see of repairs: plans in an order, with what is left, plan files, and records with what
// takes them back. Files are not trusted: what they say is held against the table of pkg/fix.
package plan

import (
	"cmp"
	"errors"
	"slices"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// APIVersion of plans and records.
const APIVersion = "sparkdoctor.io/v1alpha1"

// Plan is what would be done, and what would be left.
type Plan struct {
	APIVersion string    `json:"apiVersion"`
	Kind       string    `json:"kind"` // FixPlan
	Cluster    Cluster   `json:"cluster"`
	Made       time.Time `json:"made"`
	Fixes      []Fix     `json:"fixes"` // in the order in which they are applied
	Skipped    []Skipped `json:"left,omitempty"`
	// ClusterRead are the checks that are told in one line: the user may not read what they need beyond the namespaces.
	ClusterRead *ClusterRead `json:"clusterRead,omitempty"`

	Files   []string `json:"files,omitempty"`   // that it was made from, instead of a cluster: it is never applied
	Unknown []string `json:"unknown,omitempty"` // what they do not tell
}

// ClusterRead are checks that could not look, and the command that prints the roles which they need.
type ClusterRead struct {
	Checks  []string `json:"checks"`
	Command string   `json:"command"`
}

// Remains reports whether there is something for which nothing is planned, or that could not be read.
func (p Plan) Remains() bool {
	return p.ClusterRead != nil || slices.ContainsFunc(p.Skipped, func(l Skipped) bool { return !l.Aside })
}

// Cluster is the one that a plan was made for: another is refused.
type Cluster struct {
	UID string `json:"uid"` // of a namespace
	// Namespace is the one whose UID it is, where the user may not read that of kube-system: then nothing is written beyond it. Empty:
	// kube-system.
	Namespace string `json:"namespace,omitempty"`
	Server    string `json:"server,omitempty"`
	Context   string `json:"context,omitempty"`
}

// Fix is one intent with the requests that it takes.
type Fix struct {
	ID       int            `json:"id"` // from 1
	Findings []Finding      `json:"findings"`
	Title    string         `json:"title"`
	Risk     fix.Risk       `json:"risk"`
	Undo     fix.Undo       `json:"undo"`
	Spec     fix.IntentSpec `json:"wish"`
	After    []int          `json:"after,omitempty"`   // ids of fixes that must have succeeded
	Blocked  string         `json:"blocked,omitempty"` // why it cannot pass, and nothing chosen changes that
	Fallback string         `json:"else,omitempty"`    // title of what is tried if the finding is still there
	Steps    []fix.Step     `json:"steps"`
}

// Intent returns the intent of the fix, held to what the fix shows. Of an object that others write all the time only the fields that are
// written are tested, however many these are.
func (f Fix) Intent(busy bool) fix.Intent {
	return fix.Limit(f.Spec.Intent(), f.Steps, busy)
}

// Traits are those of the intent. The fields that the fix shows change nothing about them.
func (f Fix) Traits() fix.Traits { return fix.TraitsOf(f.Spec.Intent()) }

// Finding is what a fix is for, as far as people and the check afterwards need it.
type Finding struct {
	Name     string       `json:"name"` // fingerprint
	Check    string       `json:"check"`
	Object   snapshot.Ref `json:"object"`
	Severity string       `json:"severity"`
	Message  string       `json:"message"`
}

// Skipped is a finding, or a part of one, for which nothing is planned.
type Skipped struct {
	Finding
	Title  string `json:"title,omitempty"` // of the fix that is not planned
	Reason string `json:"reason"`
	Advice string `json:"advice,omitempty"`
	Stale  bool   `json:"stale,omitempty"` // the object moved while the plan was made
	Aside  bool   `json:"aside,omitempty"` // it is told, and does not count: an info that was not asked about
	Next   []Next `json:"next,omitempty"`  // what a scan says to do about the finding
}

// Next is something for a person to do.
type Next struct {
	Text    string `json:"text"`
	Command string `json:"command,omitempty"` // to copy; empty: there is none
}

// NewPlan orders what was resolved. Intents that are the same become one fix for several findings.
func NewPlan(cluster Cluster, made time.Time, resolved []Resolved, left []Skipped) Plan {
	p := Plan{APIVersion: APIVersion, Kind: "FixPlan", Cluster: cluster, Made: made, Fixes: []Fix{}, Skipped: slices.Clone(left)}
	for _, r := range resolved {
		var done *fix.Done
		if r.Err != nil && !errors.As(r.Err, &done) {
			p.Skipped = append(p.Skipped, leftOver(r))
		}
	}
	resolved = slices.DeleteFunc(slices.Clone(resolved), func(r Resolved) bool { return r.Err != nil })
	slices.SortStableFunc(resolved, func(a, b Resolved) int {
		return cmp.Compare(fix.TraitsOf(a.Intent).Order, fix.TraitsOf(b.Intent).Order)
	})
	chains := map[string]int{} // of each finding: its last fix
	for _, r := range resolved {
		id := p.add(r)
		f := &p.Fixes[id-1]
		if before, ok := chains[r.Finding.Name]; ok && before != id && !fix.TraitsOf(r.Intent).Alone && !slices.Contains(f.After, before) {
			f.After = append(f.After, before)
		}
		chains[r.Finding.Name] = id
	}
	p.block(resolved, chains)
	slices.SortStableFunc(p.Skipped, func(a, b Skipped) int {
		return cmp.Or(cmp.Compare(a.Check, b.Check), a.Object.Compare(b.Object), cmp.Compare(a.Title, b.Title))
	})
	return p
}

// add puts a fix at the end, or a finding to the fix that does the same, and returns its id.
func (p *Plan) add(r Resolved) int {
	t := fix.TraitsOf(r.Intent)
	for i := range p.Fixes {
		f := &p.Fixes[i]
		if f.Title == t.Title && f.Traits().Target.Key() == t.Target.Key() {
			if !slices.ContainsFunc(f.Findings, func(o Finding) bool { return o.Name == r.Finding.Name }) {
				f.Findings = append(f.Findings, r.Finding)
			}
			return f.ID
		}
	}
	f := Fix{
		ID: len(p.Fixes) + 1, Findings: []Finding{r.Finding}, Title: t.Title, Risk: t.Risk, Undo: fix.UndoOf(r.Intent),
		Spec: fix.SpecOf(r.Intent), Steps: r.Steps,
	}
	if t.Otherwise != nil {
		f.Fallback = fix.TraitsOf(t.Otherwise).Title
	}
	p.Fixes = append(p.Fixes, f)
	return f.ID
}

// block puts what admission stands in the way of after the fix that heals it, or stops it where none is chosen.
func (p *Plan) block(resolved []Resolved, chains map[string]int) {
	for _, r := range resolved {
		for _, o := range r.Obstacles {
			f := &p.Fixes[p.add(r)-1]
			if healer, chosen := chains[o.Name]; chosen && healer < f.ID {
				if !slices.Contains(f.After, healer) {
					f.After = append(f.After, healer)
				}
				continue
			}
			f.Blocked = "the webhook that must admit it does not work: " + o.Check + " " + o.Object.String() + ": " + o.Message
			if o.Choose != "" {
				f.Blocked += "; choose its repair, too: " + o.Choose
			}
		}
	}
}

func leftOver(r Resolved) Skipped {
	l := Skipped{Finding: r.Finding, Title: fix.TraitsOf(r.Intent).Title, Reason: r.Err.Error()}
	var stale *fix.Stale
	l.Stale = errors.As(r.Err, &stale)
	var refused *fix.Refused
	if errors.As(r.Err, &refused) {
		l.Advice = refused.Advice
	}
	return l
}

// Applicable returns the fixes that are not blocked, nor wait for one that is.
func (p Plan) Applicable() []Fix {
	blocked := map[int]bool{}
	var out []Fix
	for _, f := range p.Fixes {
		if f.Blocked != "" || slices.ContainsFunc(f.After, func(id int) bool { return blocked[id] }) {
			blocked[f.ID] = true
			continue
		}
		out = append(out, f)
	}
	return out
}

// Objects returns how many objects the applicable fixes write.
func (p Plan) Objects() int {
	set := map[snapshot.Key]bool{}
	for _, f := range p.Applicable() {
		for _, s := range f.Steps {
			set[s.Target.Key()] = true
		}
	}
	return len(set)
}
