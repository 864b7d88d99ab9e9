package changes_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check/checktest"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks/changes"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/collect/manifests"
)

// TestUsersOfLostFields names each object once, with the fields that it sets, and lists with kubectl what was not compared.
func TestUsersOfLostFields(t *testing.T) {
	f := checktest.Read(t, "testdata/SD7026/fields-in-use.yaml")
	s := f.Snapshot(t)
	c := checktest.Lookup(t, changes.Checks(), "SD7026")
	found := check.Run(s, []check.Check{c}, f.Asked(t, s))[0].Findings
	require.Len(t, found, 3)
	var messages []string
	for i := range found {
		messages = append(messages, found[i].Message)
		require.Len(t, found[i].Next, 1)
		require.Empty(t, found[i].Next[0].Command)
	}
	const crd = "the CRD in the manifests of 2.5.2 has no "
	require.ElementsMatch(t, []string{
		crd + "spec.claims.*.mode, spec.ours, spec.volumes.[].csi: the API server will hide and then drop what 2 SparkApplications set there, " +
			"such as team-a/report",
		crd + "spec.template.ours: the API server will hide and then drop what 1 ScheduledSparkApplication sets there, such as team-a/nightly",
		crd + "spec.server.ours: the API server will hide and then drop what 1 SparkConnect sets there, such as team-a/shell",
	}, messages)

	// An archive holds no whole objects.
	plain, _, err := manifests.Read(t.Context(), manifests.Options{Paths: []string{f.Path}, Complete: true, Now: time.Now()})
	require.NoError(t, err)
	found = check.Run(plain, []check.Check{c}, f.Asked(t, plain))[0].Findings
	require.Len(t, found, 1)
	require.Equal(t, check.Info, found[0].Severity)
	require.Contains(t, found[0].Message, "; stored objects were not compared")
	require.Len(t, found[0].Next, 4)
	require.Contains(t, found[0].Next[2].Command, "kubectl get sparkapplications.sparkoperator.k8s.io -A -o jsonpath=")
}
