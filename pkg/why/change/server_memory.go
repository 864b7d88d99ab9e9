package change

import (
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// HoldsHeap is a limit for a heap, and for what a JVM needs beside it.
type HoldsHeap struct{ Heap string }

// serverMemory raises the memory limit of a server that exceeded it, where its template sets one: the operator makes the container of the
// template, and passes the heap to the JVM only (mutateServerPod in internal/controller/sparkconnect/reconciler.go@v2.5.2). The new limit
// also leaves the heap as much room as Spark leaves that of a driver (docs/running-on-kubernetes.md@v3.5.5, memoryOverheadFactor 0.1, at
// least 384 MiB).
func serverMemory(v *mechanism.View, c *cause.Cause) []Change {
	down, is := c.Detail.(mechanism.ServerDown)
	killed, ofMemory := down.How.(mechanism.ServerOOMKilled)
	object, prefix := owner(v)
	if !is || !ofMemory || object.Name == "" {
		return nil
	}
	list := v.Spec.Server.Template.Pod.Containers
	at := slices.IndexFunc(list, func(one corev1.Container) bool { return one.Name == killed.Container })
	if at < 0 || slices.ContainsFunc(list, withValues) {
		return nil
	}
	limit, has := list[at].Resources.Limits[corev1.ResourceMemory]
	if !has || limit.Cmp(killed.Limit) != 0 {
		return nil // another one decides: that of the pod when it was created
	}
	to, because := scaled(limit.Value()>>20), Reason(Scaled{Times: more, Of: OfPresent})
	if heap, known := app.Mebibytes(killed.Heap); known && to < heap+max(heap/10, leastOverhead) {
		to, because = heap+max(heap/10, leastOverhead), HoldsHeap{Heap: killed.Heap}
	}
	raised := resource.NewQuantity(to<<20, resource.BinarySI)
	next := slices.Clone(list)
	next[at] = *list[at].DeepCopy()
	next[at].Resources.Limits[corev1.ResourceMemory] = *raised
	return []Change{{Object: object, Path: below(prefix, "server", "template", "spec", "containers"), From: list, To: next,
		Item:    &Item{At: "[" + killed.Container + "].resources.limits.memory", From: limit.String(), To: raised.String()},
		Because: because}}
}

// leastOverhead is what Spark leaves to all but the heap at least, in MiB.
const leastOverhead = 384

// withValues reports whether a container has variables whose values are not kept, or words that are redacted, so that its list cannot be
// written in full.
func withValues(c corev1.Container) bool {
	return slices.ContainsFunc(c.Env, func(e corev1.EnvVar) bool { return e.ValueFrom == nil }) ||
		slices.ContainsFunc(slices.Concat(c.Command, c.Args), func(word string) bool { return strings.Contains(word, snapshot.Redacted) })
}
