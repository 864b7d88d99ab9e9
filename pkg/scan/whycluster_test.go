package scan_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/scan"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
)

func gathered(t *testing.T, o scan.WhyOptions) *app.Evidence {
	t.Helper()
	e, err := scan.Evidence(t.Context(), o)
	require.NoError(t, err, o.Subject)
	return e
}

// saved writes an archive of a cluster and returns its path.
func saved(t *testing.T, cluster scan.Cluster) string {
	t.Helper()
	recording, err := scan.Record(t.Context(), scan.Options{Source: cluster})
	require.NoError(t, err)
	path := filepath.Join(t.TempDir(), "saved.tar.gz")
	file, err := os.Create(path) // #nosec G304 -- a test
	require.NoError(t, err)
	_, err = recording.Write(t.Context(), file)
	require.NoError(t, err)
	require.NoError(t, file.Close())
	return path
}

// TestArchiveWithoutFullRecords: an application that an archive knows only as a scan reads it is not called missing.
func TestArchiveWithoutFullRecords(t *testing.T) {
	tried := 0
	for _, c := range servedCases(t) {
		kind, name, _ := strings.Cut(c.Name, "/")
		if kind != "sparkapplication" || !c.holds("SparkApplication", name) {
			continue
		}
		cluster, _ := c.serve(t)
		source := scan.Files{Paths: []string{saved(t, cluster)}}
		why := func(subject string) error {
			_, err := scan.Why(t.Context(), scan.WhyOptions{Options: scan.Options{Source: source}, Subject: subject, Namespace: c.Namespace})
			return err
		}
		var part *scan.NotInFullError
		require.ErrorAs(t, why(name), &part, c.ID)
		require.Equal(t, "SparkApplication", part.Subject.Kind)
		require.ErrorAs(t, why(c.Name), &part)
		var none *app.NotFoundError
		require.ErrorAs(t, why(name+"-nosuch"), &none, "what the archive does not know either")
		require.ErrorAs(t, why("sparkconnect/"+name), &none)
		if tried++; tried == 3 {
			return
		}
	}
	require.Fail(t, "no case was tried")
}

// TestArchiveAnswersAsTheCluster asks the cluster and an archive of it about each case that is served.
func TestArchiveAnswersAsTheCluster(t *testing.T) {
	for _, c := range servedCases(t) {
		t.Run(c.ID, func(t *testing.T) {
			cluster, _ := c.serve(t)
			live := gathered(t, scan.WhyOptions{Options: scan.Options{Source: cluster}, Subject: c.Name, Namespace: c.Namespace})

			q, err := app.ParseQuery(c.Name, c.Namespace)
			require.NoError(t, err)
			cluster.Keep = []snapshot.Key{q.Ref().Key()}
			path := saved(t, cluster)
			saved := gathered(t, scan.WhyOptions{Options: scan.Options{Source: scan.Files{Paths: []string{path}}}, Subject: c.Name})

			require.Equal(t, live.Now, saved.Now)
			for _, resource := range []string{"pods", "events", "nodes", "serviceaccounts", "logs", "resourcequotas"} {
				require.Equal(t, live.Partial(resource), saved.Partial(resource), resource)
			}
			require.Equal(t, why.Open(live), why.Open(saved))
			live.Partial, saved.Partial = nil, nil
			require.Equal(t, live, saved)
		})
	}
}

// TestClusterHoldsTheEvidenceOfTheFiles: what lies in files is found in a cluster that has the same.
func TestClusterHoldsTheEvidenceOfTheFiles(t *testing.T) {
	for _, c := range servedCases(t) {
		t.Run(c.ID, func(t *testing.T) {
			cluster, server := c.serve(t)
			live := gathered(t, scan.WhyOptions{Options: scan.Options{Source: cluster}, Subject: c.Name, Namespace: c.Namespace})
			files := gathered(t, scan.WhyOptions{
				Options: scan.Options{Source: scan.Files{Paths: []string{c.files(t)}, AsOf: c.AsOf}}, Subject: c.Name, Namespace: c.Namespace,
			})
			require.Equal(t, files.Subject, live.Subject)
			require.Equal(t, files.Application, live.Application)
			require.Equal(t, files.Pods, live.Pods)
			require.Equal(t, files.Events, live.Events)
			require.Equal(t, files.Logs, live.Logs)
			require.Equal(t, files.Quotas, live.Quotas)
			require.Equal(t, files.Queued, live.Queued)
			require.Equal(t, files.Queues, live.Queues)
			require.Equal(t, files.ClusterQueues, live.ClusterQueues)
			require.Equal(t, files.Awaits, live.Awaits)
			require.Less(t, len(server.requests), 120)
			for _, request := range server.requests {
				require.False(t, strings.HasPrefix(request, "/api/v1/pods?") && !strings.Contains(request, "spec.nodeName"), request)
			}
		})
	}
}

func TestUnknownNames(t *testing.T) {
	c := caseNumbered(t, "1647") // which has its namespace
	cluster, _ := c.serve(t)
	_, name, _ := strings.Cut(c.Name, "/")
	for _, source := range []scan.Source{cluster, scan.Files{Paths: []string{c.files(t)}}} {
		_, err := scan.Why(t.Context(), scan.WhyOptions{Options: scan.Options{Source: source}, Subject: name + "x", Namespace: c.Namespace})
		var none *app.NotFoundError
		require.ErrorAs(t, err, &none)
		require.Contains(t, none.Near, name)
		require.ErrorContains(t, err, "did you mean "+name)
		var empty *scan.EmptyError
		for _, subject := range []string{name, ""} { // one application, and the list of all
			o := scan.WhyOptions{Options: scan.Options{Source: source}, Subject: subject, Namespace: "nope"}
			if subject != "" {
				_, err = scan.Why(t.Context(), o)
			} else {
				_, err = scan.WhyEach(t.Context(), o)
			}
			require.ErrorAs(t, err, &empty)
			require.ErrorContains(t, err, `namespace "nope"`)
		}
	}
	_, err := scan.Why(t.Context(), scan.WhyOptions{Options: scan.Options{Source: cluster}, Subject: "deployment/x", Namespace: c.Namespace})
	require.ErrorContains(t, err, `"deployment" is neither a type of an application`)
}
