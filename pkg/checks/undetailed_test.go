package checks_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check/checktest"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks"
)

// TestOlderArchivesAreNotJudgedByWhatTheyLack: without what snapshot.Deployment.Detailed stands for, a check that rests on it neither finds
// anything nor passes.
func TestOlderArchivesAreNotJudgedByWhatTheyLack(t *testing.T) {
	for path, id := range map[string]string{
		"changes/testdata/SD7026/changed.yaml":                 "SD7026",
		"changes/testdata/SD7024/own-volumes.yaml":             "SD7024",
		"installation/testdata/SD5012/rollout-stalled.yaml":    "SD5012",
		"installation/testdata/SD5012/a-pod-without-room.yaml": "SD5012",
	} {
		t.Run(path, func(t *testing.T) {
			f := checktest.Read(t, path)
			s := f.Snapshot(t)
			p := f.Asked(t, s)
			c, err := check.Lookup(checks.Catalogue(), id)
			require.NoError(t, err)
			before := check.Run(s, []check.Check{c}, p)[0]
			require.Equal(t, len(f.Want) > 0, before.Status == check.Failed)
			for i := range s.Deployments() {
				d := &s.Deployments()[i]
				d.Detailed, d.Traits, d.Old = false, nil, 0
				for k := range d.Containers {
					d.Containers[k].ReadOnlyRoot, d.Containers[k].MountPaths = false, nil
				}
			}
			r := check.Run(s, []check.Check{c}, p)[0]
			require.Empty(t, r.Findings)
			require.NotEqual(t, check.Passed, r.Status)
			require.Contains(t, r.Reason, "the archive of an older build does not tell")
		})
	}
}
