package fix

import (
	"fmt"
	"slices"
	"time"

	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// DeleteObject deletes one object, if what made it superfluous still holds.
type DeleteObject struct {
	Object snapshot.Ref `json:"object"`
	Why    string       `json:"why"`
	// Absent must not be there, or not with these UIDs: the application of a pod, the Services of a configuration.
	Absent []snapshot.Ref `json:"absent,omitempty"`
	// MadeBefore is when it must have been made at the latest.
	MadeBefore time.Time `json:"madeBefore,omitzero"`
	// Ownerless objects must have no owner, and the applications among Absent no pods.
	Ownerless bool `json:"ownerless,omitempty"`
	// EndedBefore, of an application, is when it must have ended at the latest. One that has not ended is never deleted.
	EndedBefore time.Time `json:"endedBefore,omitzero"`
	// Running pods are deleted only when the user names them.
	Running bool `json:"running,omitempty"`
	// Services, of a webhook configuration, are all that it may call.
	Services []string `json:"services,omitempty"`
	Turn     Order    `json:"turn"`
}

func (i DeleteObject) traits() Traits {
	title := "delete the " + i.Object.Kind
	if i.Running {
		title = "delete the running " + i.Object.Kind
	}
	reads := []Read{{Ref: i.Object}}
	for _, ref := range i.Absent {
		reads = append(reads, Read{Ref: ref})
	}
	if i.Ownerless {
		for _, ref := range i.Absent {
			reads = append(reads, podsOf(ref))
		}
	}
	consent := Consent{Named: i.Running}
	if i.isApplication() {
		reads = append(reads, podsOf(i.Object))
		consent = Consent{Named: true, Because: "that also deletes its status, its pods and their logs"}
	}
	return Traits{
		Title: title, Reads: reads,
		Target:  i.Object,
		Risk:    Destructive,
		Order:   i.Turn,
		Consent: consent,
		Alone:   i.isApplication() || i.Ownerless,
	}
}

func (i DeleteObject) resolve(f Fresh) ([]Step, error) {
	o, err := f.Target(i.Object)
	switch {
	case f.Object(i.Object) == nil:
		return nil, done("%s is gone", i.Object)
	case err != nil:
		return nil, err
	case o.GetDeletionTimestamp() != nil:
		return nil, done("%s is being deleted", i.Object)
	}
	for _, ref := range i.Absent {
		if other := f.Object(ref); other != nil && (ref.UID == "" || string(other.GetUID()) == ref.UID) {
			return nil, stale("%s exists after all", ref)
		}
	}
	if i.Object.Kind == "Pod" {
		if err := i.pod(o); err != nil {
			return nil, err
		}
	}
	if i.isApplication() {
		if err := i.ended(f, o); err != nil {
			return nil, err
		}
	}
	if i.Ownerless {
		if err := i.unused(f, o); err != nil {
			return nil, err
		}
	}
	if i.Services != nil && !slices.Equal(calledBy(o), i.Services) {
		return nil, stale("%s calls %v, no longer %v", i.Object, calledBy(o), i.Services)
	}
	return []Step{{Target: i.Object, Delete: true, Why: i.Why, version: o.GetResourceVersion()}}, nil
}

func (i DeleteObject) pod(o *Object) error {
	phase, _, _ := unstructured.NestedString(o.Object, "status", "phase")
	finished := phase == "Succeeded" || phase == "Failed"
	if !finished && !i.Running {
		return stale("%s is %s", i.Object, phase)
	}
	if made := o.GetCreationTimestamp(); !i.MadeBefore.IsZero() && made.After(i.MadeBefore) {
		return &Refused{Reason: fmt.Sprintf("it was made at %s, and only pods older than an hour are deleted",
			made.UTC().Format(time.RFC3339))}
	}
	return nil
}

// calledBy returns "namespace/name" of the Services that a webhook configuration calls, sorted, each once.
func calledBy(o *Object) []string {
	list, _, _ := unstructured.NestedSlice(o.Object, "webhooks")
	var out []string
	for _, one := range list {
		w, _ := one.(map[string]any)
		namespace, _, _ := unstructured.NestedString(w, "clientConfig", "service", "namespace")
		name, _, _ := unstructured.NestedString(w, "clientConfig", "service", "name")
		out = append(out, namespace+"/"+name)
	}
	slices.Sort(out)
	return slices.Compact(out)
}

// unused refuses to delete what somebody owns, applies or may use.
func (i DeleteObject) unused(f Fresh, o *Object) error {
	if owners := o.GetOwnerReferences(); len(owners) > 0 {
		return stale("%s has an owner, %s %s", i.Object, owners[0].Kind, owners[0].Name)
	}
	if made := o.GetCreationTimestamp(); made.IsZero() || made.After(i.MadeBefore) {
		return &Refused{Reason: fmt.Sprintf("it was made at %s, and only what is older than a day is deleted", timeText(made.Time))}
	}
	if tools := toolsOf(o); len(tools) > 0 {
		return &Refused{Reason: fmt.Sprintf("field manager %s applies it and would make it again", tools[0].manager),
			Advice: "delete it where " + tools[0].manager + " takes it from"}
	}
	for _, ref := range i.Absent {
		if pods := f.List(podsOf(ref)); len(pods) > 0 {
			return &Refused{Reason: fmt.Sprintf("%s may use it", refOf(pods[0])), Advice: "delete the pod first"}
		}
	}
	return nil
}
