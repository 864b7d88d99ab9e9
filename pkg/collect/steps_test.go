package collect

import (
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// TestSmallViewsDoNotWaitForALargeOne holds the pods back until everything is asked for that Deployments name.
func TestSmallViewsDoNotWaitForALargeOne(t *testing.T) {
	server := newServer(t, installed()...)
	leases := make(chan struct{})
	early := false
	server.fault = func(_ http.ResponseWriter, r *http.Request) bool {
		switch r.URL.Path {
		case "/apis/coordination.k8s.io/v1/namespaces/spark-operator/leases/webhook-lock": // the last
			close(leases)
		case podsPath:
			select {
			case <-leases:
				early = true
			case <-time.After(time.Minute):
			}
		}
		return false
	}
	got := scan(t, server, ClusterOptions{Needs: need(snapshot.SparkPods, snapshot.Deployments, snapshot.OperatorPods, snapshot.Leases)})
	require.True(t, early)
	require.Empty(t, only(states(got), snapshot.SparkPods, snapshot.Deployments, snapshot.OperatorPods, snapshot.Leases))
	require.Len(t, got.OperatorPods(), 2)
	require.Len(t, got.Leases(), 1)
}

// TestWhatNamesObjectsIsReadFirst keeps back what names the others, and holds that nothing is said to be there of which no
// name was known.
func TestWhatNamesObjectsIsReadFirst(t *testing.T) {
	server := newServer(t, installed()...)
	server.fault = func(_ http.ResponseWriter, r *http.Request) bool {
		if r.URL.Path == "/apis/apps/v1/deployments" {
			time.Sleep(100 * time.Millisecond) // in which the others would begin, if they did not wait
		}
		return false
	}
	got := scan(t, server, ClusterOptions{Needs: need(snapshot.SparkPods, snapshot.Deployments, snapshot.OperatorPods, snapshot.Leases,
		snapshot.Owners)})
	require.Empty(t, only(states(got), snapshot.SparkPods, snapshot.Deployments, snapshot.OperatorPods, snapshot.Leases))
	require.Len(t, got.OperatorPods(), 2)
	require.Len(t, got.Leases(), 1)
}
