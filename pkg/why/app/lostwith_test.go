package app_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
)

// TestNodeOfALostPod holds that a pod which is gone was on the node that was not ready then, where no other one was.
func TestNodeOfALostPod(t *testing.T) {
	event := func(kind, name, at string) unstructured.Unstructured {
		return unstructured.Unstructured{Object: map[string]any{"apiVersion": "v1", "kind": "Event", "reason": "NodeNotReady",
			"metadata":       map[string]any{"name": name + at, "namespace": "jobs"},
			"involvedObject": map[string]any{"kind": kind, "name": name, "namespace": "jobs"},
			"message":        "Node is not ready", "firstTimestamp": at, "lastTimestamp": at}}
	}
	asked := snapshot.Ref{APIVersion: "sparkoperator.k8s.io/v1beta2", Kind: "SparkApplication", Namespace: "jobs", Name: "etl"}
	pod := event("Pod", "etl-driver", "2026-06-03T11:00:05Z")
	for _, c := range []struct {
		says  string
		nodes []unstructured.Unstructured
		want  map[string]string
	}{
		{"one", []unstructured.Unstructured{event("Node", "n1", "2026-06-03T11:00:01Z")}, map[string]string{"etl-driver": "n1"}},
		{"two at once", []unstructured.Unstructured{event("Node", "n1", "2026-06-03T11:00:01Z"), event("Node", "n2", "2026-06-03T11:00:06Z")},
			map[string]string{}},
		{"one at another time", []unstructured.Unstructured{event("Node", "n1", "2026-06-03T10:40:00Z")}, map[string]string{}},
	} {
		e := app.FromObjects(append(c.nodes, pod), nil, asked, time.Time{})
		require.Equal(t, c.want, e.LostWith, c.says)
	}
}
