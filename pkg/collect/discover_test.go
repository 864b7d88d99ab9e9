package collect

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func TestKindsThatAreNotServed(t *testing.T) {
	server := newServer(t, fleet(4)...)
	server.without("argoproj.io", "scheduling.volcano.sh", "scheduling.x-k8s.io")
	s := scan(t, server, ClusterOptions{})
	require.Equal(t, map[snapshot.View]string{
		snapshot.Workflows: "not served", snapshot.WorkflowTemplates: "not served", snapshot.ClusterWorkflowTemplates: "not served",
		snapshot.CronWorkflows:    "not served",
		snapshot.VolcanoPodGroups: "not served", snapshot.SchedulerPodGroups: "not served",
	}, states(s))
	a := s.SparkApplications()[0]
	require.Equal(t, snapshot.Unservable, s.Ownership().Resolve(&a.Object, a.Owners[0]).Verdict)

	server = newServer(t)
	server.without("sparkoperator.k8s.io")
	s = scan(t, server, ClusterOptions{Needs: need(snapshot.SparkApplications)})
	require.Equal(t, snapshot.NotServed, s.Coverage(snapshot.SparkApplications).State)
}

// TestGroupsThatCannotBeDiscovered holds that a broken aggregated API is unreadable, never "not served", and that
// everything else is read.
func TestGroupsThatCannotBeDiscovered(t *testing.T) {
	for name, legacy := range map[string]bool{"aggregated discovery": false, "legacy discovery": true} {
		t.Run(name, func(t *testing.T) {
			server := newServer(t, fleet(4)...)
			server.legacy, server.stale = legacy, []string{"argoproj.io", "metrics.k8s.io"}
			s := scan(t, server, ClusterOptions{})
			require.Equal(t, map[snapshot.View]string{
				snapshot.Workflows: "unreadable", snapshot.WorkflowTemplates: "unreadable", snapshot.ClusterWorkflowTemplates: "unreadable",
				snapshot.CronWorkflows: "unreadable",
				snapshot.Owners:        "partial",
			}, states(s))
			unseen := s.Coverage(snapshot.Workflows).Unseen
			require.Len(t, unseen, 1)
			require.Equal(t, "workflows.argoproj.io", unseen[0].Resource)
			require.Contains(t, unseen[0].Reason, "discovery of API group argoproj.io/v1alpha1 failed: ")
			a := s.SparkApplications()[0]
			require.Equal(t, snapshot.Unjudged, s.Ownership().Resolve(&a.Object, a.Owners[0]).Verdict)
		})
	}
}

func TestKindsOfAnotherVersion(t *testing.T) {
	server := newServer(t)
	for i, k := range server.kinds {
		if k.Group == "sparkoperator.k8s.io" || k.Group == "scheduling.volcano.sh" {
			server.kinds[i].Version = "v2"
		}
	}
	s := scan(t, server, ClusterOptions{Needs: need(snapshot.SparkApplications, snapshot.VolcanoPodGroups)})
	require.Equal(t, snapshot.Complete, s.Coverage(snapshot.VolcanoPodGroups).State, "metadata is the same in all versions")
	require.Equal(t, snapshot.Coverage{State: snapshot.Unseeable, Unseen: []snapshot.Unseen{{
		Verb: "list", Resource: "sparkapplications.sparkoperator.k8s.io", Reason: "the server has it as v2 only, not as v1beta2",
	}}}, s.Coverage(snapshot.SparkApplications))

	// The version that is read could not be discovered, another one could.
	server.kinds = append(server.kinds, servedKind{GroupVersionKind: schema.GroupVersionKind{Group: "sparkoperator.k8s.io", Version: "v1beta2",
		Kind: "SparkApplication"}, resource: "sparkapplications"})
	server.legacy = true
	server.fault = func(w http.ResponseWriter, r *http.Request) bool {
		if r.URL.Path != "/apis/sparkoperator.k8s.io/v1beta2" {
			return false
		}
		fail(w, apierrors.NewServiceUnavailable("down"))
		return true
	}
	s = scan(t, server, ClusterOptions{Needs: need(snapshot.SparkApplications)})
	require.Equal(t, "discovery of API group sparkoperator.k8s.io/v1beta2 failed: down",
		s.Coverage(snapshot.SparkApplications).Unseen[0].Reason)
}

// TestDiscoveryFails holds that a scan which cannot begin is one clear line.
func TestDiscoveryFails(t *testing.T) {
	all := func(err *apierrors.StatusError) func(http.ResponseWriter, *http.Request) bool {
		return func(w http.ResponseWriter, _ *http.Request) bool { fail(w, err); return true }
	}
	for name, c := range map[string]struct {
		fault func(http.ResponseWriter, *http.Request) bool
		want  string
	}{
		"expired token": {all(apierrors.NewUnauthorized("Unauthorized")),
			"you must be logged in to the server (Unauthorized): the token may have expired"},
		"forbidden": {all(apierrors.NewForbidden(schema.GroupResource{}, "", nil)),
			"error from server (Forbidden): not allowed to discover what it serves (get /api and /apis; ClusterRole system:discovery)"},
		"no API server": {func(w http.ResponseWriter, _ *http.Request) bool { _, _ = w.Write([]byte("<html>")); return true },
			"unable to read from the server HOST: invalid character '<' looking for beginning of value"},
		"hangs": {func(_ http.ResponseWriter, r *http.Request) bool { <-r.Context().Done(); return true },
			"unable to connect to the server HOST: timed out"},
	} {
		t.Run(name, func(t *testing.T) {
			server := newServer(t)
			server.fault = c.fault
			config := server.config()
			if name == "hangs" {
				config.Timeout = 50 * time.Millisecond
			}
			_, _, err := Cluster(t.Context(), connected(t, config), ClusterOptions{Needs: everything(), Now: time.Now})
			require.Error(t, err)
			explained := Explain(err, config.Host).Error()
			require.Equal(t, strings.ReplaceAll(c.want, "HOST", config.Host), explained)
		})
	}
	t.Run("nobody listens", func(t *testing.T) {
		server := newServer(t)
		server.Close()
		_, _, err := scanErr(t.Context(), server, ClusterOptions{})
		require.Equal(t, "the connection to the server "+server.URL+
			" failed: connect: connection refused - did you specify the right host or port?", Explain(err, server.URL).Error())
	})
}
