package operator

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot/wire"
)

// TestDeniedSettingsAreKept: records hold only the settings that somebody asks about.
func TestDeniedSettingsAreKept(t *testing.T) {
	want, conf := []string{NamespaceSetting}, map[string]string{NamespaceSetting: "elsewhere", "spark.executor.memory": "1g"}
	for _, d := range DeniedSettings() {
		conf[d.Key] = "x"
		want = append(want, d.Key)
	}
	raw, err := json.Marshal(map[string]any{
		"apiVersion": "sparkoperator.k8s.io/v1beta2", "kind": "SparkApplication",
		"metadata": map[string]any{"namespace": "jobs", "name": "pi"}, "spec": map[string]any{"sparkConf": conf},
	})
	require.NoError(t, err)
	all := snapshot.ListedSources()
	i := slices.IndexFunc(all, func(src snapshot.Source) bool { return src.View == snapshot.SparkApplications })
	record, err := wire.Decode(all[i], wire.Item{Encoding: snapshot.JSON, Raw: raw})
	require.NoError(t, err)
	app, ok := record.(*snapshot.SparkApplication)
	require.True(t, ok)
	var got []string
	for _, s := range app.ReleaseDependentFields.Settings {
		got = append(got, s.Key)
	}
	for _, key := range want {
		require.Contains(t, got, key)
	}
	require.NotContains(t, got, "spark.executor.memory")
}
