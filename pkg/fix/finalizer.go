package fix

import (
	"fmt"
	"slices"
	"strings"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// RemoveFinalizer removes one finalizer from an object that was deleted.
type RemoveFinalizer struct {
	Object snapshot.Ref `json:"object"`
	Name   string       `json:"name"`
	App    snapshot.Ref `json:"app,omitzero"`    // of a pod: the application that must have its result
	Proof  string       `json:"proof,omitempty"` // why no controller will ever remove it; empty: not proven
}

// reads are the object and what the finalizer may guard: the application's pods, Services, Ingresses and claims.
func (i RemoveFinalizer) reads() []Read {
	out := []Read{{Ref: i.Object}}
	if i.App != (snapshot.Ref{}) {
		return append(out, Read{Ref: i.App})
	}
	if i.Object.Kind == "SparkApplication" {
		out = append(out, i.guarded()...)
	}
	return out
}

func (i RemoveFinalizer) guarded() []Read {
	var out []Read
	for _, kind := range []snapshot.Ref{
		{APIVersion: "v1", Kind: "Pod"}, {APIVersion: "v1", Kind: "Service"},
		{APIVersion: "networking.k8s.io/v1", Kind: "Ingress"}, {APIVersion: "v1", Kind: "PersistentVolumeClaim"},
	} {
		kind.Namespace = i.Object.Namespace
		out = append(out, Read{Ref: kind, Selector: snapshot.AppNameLabel + "=" + i.Object.Name})
	}
	return out
}

// losesData names finalizers that guard something outside of the object, which nobody would then clean up: disks, load
// balancers, dependents that were to be orphaned (kubernetes.io/docs/concepts/overview/working-with-objects/finalizers).
func losesData(name string) bool {
	names := []string{
		"orphan", "kubernetes", "kubernetes.io/pvc-protection", "kubernetes.io/pv-protection", "service.kubernetes.io/load-balancer-cleanup",
	}
	prefixes := []string{"external-attacher/", "external-provisioner", "snapshot.storage.kubernetes.io/"}
	return slices.Contains(names, name) || slices.ContainsFunc(prefixes, func(p string) bool { return strings.HasPrefix(name, p) })
}

// Guards refuses to remove a finalizer that guards something outside of its object; nil: it does not.
func (i RemoveFinalizer) Guards() *Refused {
	if !losesData(i.Name) {
		return nil
	}
	return &Refused{Reason: fmt.Sprintf("finalizer %s guards something outside of the object, which would be lost", i.Name),
		Advice: "find out why its controller does not remove it"}
}

func (i RemoveFinalizer) traits() Traits {
	var consent Consent // asks for --finalizer where a controller may still be about to do its work
	if i.Proof == "" {
		consent.Finalizer = i.Name
	}
	return Traits{
		Reads: i.reads(), Consent: consent,
		Target: i.Object,
		Title:  "remove the finalizer " + i.Name,
		Risk:   Destructive,
		Order:  Release,
	}
}

func (i RemoveFinalizer) resolve(f Fresh) ([]Step, error) {
	if refused := i.Guards(); refused != nil {
		return nil, refused
	}
	o, err := f.Target(i.Object)
	switch {
	case f.Object(i.Object) == nil:
		return nil, done("%s is gone", i.Object)
	case err != nil:
		return nil, err
	case o.GetDeletionTimestamp() == nil:
		return nil, stale("%s is not being deleted", i.Object)
	case !slices.Contains(o.GetFinalizers(), i.Name):
		return nil, done("%s does not have finalizer %s any more", i.Object, i.Name)
	}
	if err := i.nothingLeft(f); err != nil {
		return nil, err
	}
	if err := i.recorded(f); err != nil {
		return nil, err
	}
	why := i.Proof
	if why == "" {
		why = "it was named on the command line"
	}
	return []Step{{
		Target: i.Object, Why: why,
		Changes: []Change{{Path: Path{"metadata", "finalizers", element("", i.Name)}, Old: i.Name}},
	}}, nil
}

// nothingLeft refuses while something of the application is there that the garbage collector would not take after it.
func (i RemoveFinalizer) nothingLeft(f Fresh) error {
	if i.Object.Kind != "SparkApplication" {
		return nil
	}
	var left []snapshot.Ref
	for _, read := range i.guarded() {
		for _, o := range f.lists[read] {
			owned := slices.ContainsFunc(o.GetOwnerReferences(), func(r ownerReference) bool { return string(r.UID) == i.Object.UID })
			phase, _, _ := unstructured.NestedString(o.Object, "status", "phase")
			running := o.GetKind() == "Pod" && phase != "Succeeded" && phase != "Failed"
			if running || !owned && !isExecutor(o) {
				left = append(left, refOf(o))
			}
		}
	}
	if len(left) == 0 {
		return nil
	}
	return StillThere(left)
}

// StillThere refuses to remove a finalizer before the parts of its application are gone.
func StillThere(parts []snapshot.Ref) *Refused {
	var names []string
	for _, one := range parts {
		names = append(names, one.String())
	}
	return &Refused{Reason: "what the finalizer may guard is still there: " + firstFew(names),
		Advice: "delete these first, or let their owner do it"}
}

// recorded refuses to let a driver go before its application has its result (#2054).
func (i RemoveFinalizer) recorded(f Fresh) error {
	if i.App == (snapshot.Ref{}) {
		return nil
	}
	app := f.Object(i.App)
	if app == nil || i.App.UID != "" && string(app.GetUID()) != i.App.UID {
		return nil
	}
	state, _, _ := unstructured.NestedString(app.Object, "status", "applicationState", "state")
	if state == "COMPLETED" || state == "FAILED" {
		return nil
	}
	return i.NotRecorded(state)
}

// NotRecorded refuses to let a driver go whose application is in a state without a result.
func (i RemoveFinalizer) NotRecorded(state string) *Refused {
	return &Refused{Reason: fmt.Sprintf("%s is %s: its result is not recorded yet, and is lost with the pod", i.App, orNone(state)),
		Advice: "save the driver's log first; the page of SD2005 says how to remove the finalizer by hand"}
}

// isExecutor reports whether a pod is an executor, whose owner is its driver.
func isExecutor(o *Object) bool { return o.GetLabels()[snapshot.RoleLabel] == "executor" }

func orNone(state string) string {
	if state == "" {
		return "in no state"
	}
	return state
}

func firstFew(list []string) string {
	slices.Sort(list)
	if rest := len(list) - 3; rest > 0 {
		list = append(list[:3], fmt.Sprintf("%d more", rest))
	}
	return strings.Join(list, ", ")
}
