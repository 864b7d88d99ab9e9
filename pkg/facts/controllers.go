// Package facts is what several checks derive from records: which controller takes an application, what a webhook sees, what an
// account lacks, why a pod is pending. A fact of one area of checks only stays in that area.
package facts

import (
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// Assignment are the controllers that move applications from state to state, and which of them takes what.
type Assignment struct {
	List       []*operator.Installation // with a controller, be it scaled to zero
	Namespaces map[string]*snapshot.Object

	mu          sync.Mutex
	controllers map[string][]Controller // by namespace, as they were asked for
}

// Controller is an installation whose controller takes a namespace, or may.
type Controller struct {
	In       *operator.Installation
	sure     bool
	filtered bool // it takes the labels of an application to tell
}

// Installations are the operators that the Deployments show.
func Installations() check.Fact[[]operator.Installation] {
	return check.Fact[[]operator.Installation]{
		Name:  "installations",
		Needs: []snapshot.Need{{View: snapshot.Deployments, Role: snapshot.Optional, Scope: snapshot.Everywhere}},
		Make:  func(p *check.Pass) []operator.Installation { return operator.Find(p.Deployments()) },
	}
}

// OrOnly returns an installation, or where there is none the only one that was found: its log, and its release, may tell.
func OrOnly(in *operator.Installation, installations []operator.Installation) *operator.Installation {
	if in == nil && len(installations) == 1 {
		return &installations[0]
	}
	return in
}

// Controllers tell which controller an application has.
func Controllers() check.Fact[*Assignment] {
	return check.Fact[*Assignment]{
		Name:     "controllers",
		Needs:    []snapshot.Need{{View: snapshot.Namespaces, Role: snapshot.Optional, Scope: snapshot.Everywhere}},
		Requires: []check.Requirement{Installations()},
		Make:     newAssignment,
	}
}

// Consulted makes needs those of a check that tells what it tells without them, too.
func Consulted(needs []snapshot.Need) []snapshot.Need {
	for i := range needs {
		needs[i].Role = snapshot.Consulted
	}
	return needs
}

func newAssignment(p *check.Pass) *Assignment {
	k := &Assignment{Namespaces: map[string]*snapshot.Object{}, controllers: map[string][]Controller{}}
	installations, namespaces := Installations().Of(p), p.AllNamespaces()
	for i := range installations {
		if installations[i].Controller != nil {
			k.List = append(k.List, &installations[i])
		}
	}
	for i := range namespaces {
		k.Namespaces[namespaces[i].Name] = &namespaces[i]
	}
	return k
}

// Of returns the installation whose controller takes an application, nil if none does. sure is false if that depends on
// labels of the namespace that were not seen.
func (k *Assignment) Of(app *snapshot.SparkApplication) (in *operator.Installation, sure bool) {
	for _, one := range k.In(app.Namespace) {
		switch {
		case one.filtered && !one.In.Picks(app.Labels):
		case one.sure:
			return one.In, true
		case in == nil:
			in = one.In
		}
	}
	return in, in == nil
}

// Watching returns the installation whose controller watches a namespace, nil if none does, whatever applications it picks there: a
// SparkConnect is never filtered by label (SetupWithManager in internal/controller/sparkconnect/reconciler.go@v2.5.2). sure is false if
// that depends on labels of the namespace that were not seen.
func (k *Assignment) Watching(namespace string) (in *operator.Installation, sure bool) {
	for _, one := range k.In(namespace) {
		if one.sure {
			return one.In, true
		}
		in = one.In
	}
	return in, in == nil
}

// In returns the controllers that take a namespace, or may.
func (k *Assignment) In(namespace string) []Controller {
	k.mu.Lock()
	defer k.mu.Unlock()
	known, asked := k.controllers[namespace]
	if asked {
		return known
	}
	for _, one := range k.List {
		if yes, sure := one.Told(namespace, k.Namespaces[namespace]); yes || !sure {
			known = append(known, Controller{one, sure, one.LabelFilter() != ""})
		}
	}
	k.controllers[namespace] = known
	return known
}

// Unclaimed returns the applications of a namespace that no controller was told to take, be it scaled to zero. known is false
// if that depends on what was not seen.
func (k *Assignment) Unclaimed(name string, apps []*snapshot.SparkApplication) (left []*snapshot.SparkApplication, known bool) {
	left = apps
	for _, in := range k.List {
		switch yes, known := in.Told(name, k.Namespaces[name]); {
		case !known, !in.FilterKnown():
			return nil, false
		case yes:
			left = slices.DeleteFunc(slices.Clone(left), func(app *snapshot.SparkApplication) bool { return in.Picks(app.Labels) })
		}
	}
	return left, true
}

// Waiting counts applications that wait for a controller which has no ready replica: that is the controller's fault, and
// one, however many wait.
type Waiting map[string]int

// Add counts an application.
func (w Waiting) Add(in *operator.Installation) { w[in.Controller.String()]++ }

// Leave passes over them: what becomes of them can be told once a replica is ready.
func (w Waiting) Leave(a *check.Answer) {
	for _, name := range slices.Sorted(maps.Keys(w)) {
		a.PassOver(w[name], fmt.Sprintf("%s for %s, which has no ready replica", Waits(w[name]), name))
	}
}

// Waits returns "1 application waits" or "2 applications wait".
func Waits(n int) string {
	if n == 1 {
		return "1 application waits"
	}
	return fmt.Sprintf("%d applications wait", n)
}
