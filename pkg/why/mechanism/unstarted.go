package mechanism

import (
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// Unstarted is why executors of a run that is over had not started: by their pods, or, where these are gone, by their events.
func (v *View) Unstarted() []cause.Cause {
	var waiting []*corev1.Pod
	for _, name := range slices.Sorted(maps.Keys(v.Names())) {
		p := v.Pod(name)
		if p == nil && neverStarted(v, name) {
			p = &corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: name, Namespace: v.AppRef().Namespace}}
			p.Status.Phase = corev1.PodPending
		}
		if p != nil {
			waiting = append(waiting, p)
		}
	}
	var out []cause.Cause
	for _, pods := range alike(v, waiting) {
		if c, is := pendingAs(v, pods[0], Waiting{Who: Who{Role: cause.ExecutorRole, N: len(pods), Of: max(v.Spec.Asked(), len(waiting))},
			Over: true}); is {
			out = append(out, c)
		}
	}
	return out
}

// neverStarted reports whether events about a pod that is gone tell that it could not start, and none tells that it did.
func neverStarted(v *View, name string) bool {
	failed := func(e app.Event) bool { return strings.HasPrefix(e.Reason, "Failed") }
	started := func(e app.Event) bool { return e.Reason == "Started" }
	events := v.eventsOn("Pod", name)
	return v.Pod(name) == nil && slices.ContainsFunc(events, failed) && !slices.ContainsFunc(events, started)
}
