package e2e

import (
	"context"
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/controlplane"
)

// awaited follows applications until they end, as a pipeline does, and lists those that did not end well.
func awaited(t *testing.T, s situation) {
	ns := s.namespace(t, "awaited")
	defer func() {
		all := s.cp.Dynamic.Resource(controlplane.Applications()).Namespace(ns)
		require.NoError(t, all.DeleteCollection(context.Background(), metav1.DeleteOptions{}, metav1.ListOptions{}))
	}()
	s.ends(t, ns, "good")
	o := s.doctor.run(t, "why", "good", "-n", ns, "--wait=1m")
	require.Equal(t, 0, o.code, o.stdout+o.stderr)
	require.Contains(t, o.stdout, "awaited/good  COMPLETED")

	s.application(t, ns, "bad")
	type ended struct {
		outcome
		err error
	}
	result := make(chan ended, 1)
	go func() {
		o, err := s.doctor.exec(t.Context(), "why", "bad", "-n", ns, "--wait=2m")
		result <- ended{o, err}
	}()
	time.Sleep(time.Second) // it is seen while it runs, most likely; if not, the answer is the same
	require.NoError(t, s.cp.EndPod(t.Context(), ns, "bad-driver", corev1.PodFailed))
	end := <-result
	require.NoError(t, end.err)
	require.Equal(t, 1, end.code, end.stdout+end.stderr)
	require.Contains(t, end.stderr, "awaited/bad FAILED")
	require.Contains(t, end.stdout, "awaited/bad  FAILED")

	s.application(t, ns, "endless")
	o = s.doctor.run(t, "why", ns+"/endless", "--wait=1s")
	require.Equal(t, 3, o.code, o.stdout+o.stderr)
	require.Contains(t, o.stderr, "it has not ended after 1 s")
	require.Contains(t, o.stdout, "awaited/endless  RUNNING")
	require.Equal(t, 2, s.doctor.run(t, "why", "absent", "-n", ns, "--wait=1s").code)

	o = s.doctor.run(t, "why", "-n", ns, "-o", "json")
	var list struct {
		Kind      string
		Completed int
		Items     []struct{ Subject struct{ Name string } }
	}
	require.NoError(t, json.Unmarshal([]byte(o.stdout), &list), o.stdout+o.stderr)
	require.Equal(t, "CaseFileList", list.Kind)
	require.Equal(t, 1, list.Completed)
	var names []string
	for _, i := range list.Items {
		names = append(names, i.Subject.Name)
	}
	require.Contains(t, names, "bad", o.stdout)
	require.NotContains(t, names, "good")
	require.Contains(t, s.doctor.run(t, "why", "-A").stdout, "awaited/bad ")
}
