package mechanism

import (
	"slices"
	"strings"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// ApplicationDeleted is an application, or a SparkConnect, that is being deleted. The API server sets metadata.deletionTimestamp, and
// removes the object with its last finalizer (staging/src/k8s.io/apimachinery/pkg/apis/meta/v1/types.go@v1.36.3).
type ApplicationDeleted struct {
	Connect    bool          // it is a SparkConnect
	Ago        time.Duration // when it was deleted
	Finalizers []string      // that it waits for
	Pod        string        // driver that is being deleted, too, and that a foreground deletion waits for; empty: it waits for none
	Holds      []string      // finalizers of that pod
	Writers    []Writer
}

// Mechanism names what was found.
func (ApplicationDeleted) Mechanism() cause.ID { return "application-deleted" }

// Writer is who wrote the object itself, not its status.
type Writer struct {
	Manager string // field manager
	At      time.Time
}

// String is how a writer is named in evidence.
func (w Writer) String() string { return w.Manager + " (" + w.At.UTC().Format(time.RFC3339) + ")" }

func applicationDeleted(v *View) []cause.Cause {
	if v.Application == nil || v.Application.DeletionTimestamp == nil {
		return nil
	}
	at, writers := v.Application.DeletionTimestamp.UTC(), v.writers()
	d := ApplicationDeleted{Connect: v.IsConnect(), Ago: v.Now.Sub(at), Finalizers: v.Application.Finalizers, Writers: writers}
	seen := []cause.Proof{{Object: v.AppRef(), Field: "metadata.deletionTimestamp", Value: at.Format(time.RFC3339), At: at}}
	if p := v.Driver; p != nil && p.DeletionTimestamp != nil && slices.Contains(d.Finalizers, metav1.FinalizerDeleteDependents) {
		d.Pod, d.Holds = p.Name, p.Finalizers
		if len(d.Holds) > 0 {
			seen = append(seen, cause.Proof{Object: Ref(p), Field: "metadata.finalizers", Value: strings.Join(d.Holds, ", ")})
		}
	}
	return []cause.Cause{{Class: cause.StoppedByUser, Role: cause.SubmissionRole, Trust: cause.ByCondition, Subject: v.AppRef(), At: at,
		Detail: d, Evidence: v.writtenBy(writers, seen...)}}
}

// writers are who wrote the object itself, not its status, the last first.
func (v *View) writers() []Writer {
	var out []Writer
	for _, m := range v.Application.ManagedFields {
		if written(m) {
			out = append([]Writer{{Manager: m.Manager, At: m.Time.UTC()}}, out...)
		}
	}
	return out
}

// written reports whether fields were written by another than the operator.
func written(m metav1.ManagedFieldsEntry) bool {
	return m.Subresource == "" && m.Time != nil && !strings.HasPrefix(m.Manager, "spark-operator")
}

// writtenBy adds the writers to what was seen.
func (v *View) writtenBy(writers []Writer, seen ...cause.Proof) []cause.Proof {
	if len(writers) == 0 {
		return seen
	}
	all := make([]string, 0, len(writers))
	for _, w := range writers {
		all = append(all, w.String())
	}
	return append(seen, cause.Proof{Object: v.AppRef(), Field: "metadata.managedFields", Value: strings.Join(all, ", ")})
}
