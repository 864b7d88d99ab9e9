package operator

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func TestTelltalesAreLookedFor(t *testing.T) {
	var fields []string
	for _, one := range TelltalesOf(Newest(), "sparkapplications.sparkoperator.k8s.io") {
		fields = append(fields, one.Field)
	}
	require.ElementsMatch(t, snapshot.PrunableFields(), fields)
	require.Len(t, TelltalesOf(version(2, 1, 1), "sparkapplications.sparkoperator.k8s.io"), 5)
	require.Len(t, TelltalesOf(version(2, 5, 2), "scheduledsparkapplications.sparkoperator.k8s.io"), 10)
	require.Empty(t, TelltalesOf(version(1, 6, 2), "sparkapplications.sparkoperator.k8s.io"))
}
