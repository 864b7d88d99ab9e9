package casefile

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/change"
)

// TestNamesakesAreToldApart: of two with the same name, the headline and the command of the patch have the group.
func TestNamesakesAreToldApart(t *testing.T) {
	etl := snapshot.Ref{APIVersion: "sparkoperator.k8s.io/v1beta2", Kind: "SparkApplication", Namespace: "a", Name: "etl"}
	other := etl
	other.APIVersion = "spark.apache.org/v1"
	file := why.CaseFile{Subject: etl, State: why.State{Word: "FAILED"}, Causes: []why.Cause{{Cause: cause.Cause{Class: cause.Image},
		Message: "m", Change: []why.Change{{Change: change.Change{Object: etl, Path: []string{"spec", "image"}, To: "b"}}}}}}
	patched := func() (name, first string) {
		d := New(file, report.Tool{}, command.Asked{})
		var b strings.Builder
		require.NoError(t, d.Patch(&b))
		first, _, _ = strings.Cut(b.String(), " -n ")
		return d.Name(), first
	}
	name, first := patched()
	require.Equal(t, "a/etl", name)
	require.Equal(t, "# kubectl patch sparkapplication etl", first)
	file.Namesake = &other
	name, first = patched()
	require.Equal(t, "sparkapplication.sparkoperator.k8s.io a/etl", name)
	require.Equal(t, "# kubectl patch sparkapplication.sparkoperator.k8s.io etl", first)
}
