package releases

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks/upgrade"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/collect/manifests"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/helm"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
)

// TestValuesOfAnInstallation: what a chart makes of values contradicts none of them, and none of its defaults; other values
// contradict it one by one.
func TestValuesOfAnInstallation(t *testing.T) {
	settings := map[string][2]string{ // as --set, and as it is not
		"fullnameOverride":                 {"fullnameOverride=mine", "fullnameOverride: other"},
		"webhook.enable":                   {"webhook.enable=true", "webhook: {enable: false}"},
		"webhook.port":                     {"webhook.port=9553", "webhook: {port: 9443}"},
		"spark.jobNamespaces":              {"spark.jobNamespaces={b,a}", "spark: {jobNamespaces: [a, c]}"},
		"controller.uiService.enable":      {"controller.uiService.enable=false", "controller: {uiService: {enable: true}}"},
		"controller.batchScheduler.enable": {"controller.batchScheduler.enable=true", "controller: {batchScheduler: {enable: false}}"},
		"controller.serviceAccount.name":   {"controller.serviceAccount.name=op", "controller: {serviceAccount: {name: another}}"},
		"webhook.serviceAccount.name":      {"webhook.serviceAccount.name=hook", "webhook: {serviceAccount: {name: another}}"},
	}
	each(t, func(t *testing.T, r release) {
		if r.legacy() || r.Version == operator.Releases()[len(operator.Releases())-1] {
			return // the values of 1.x are not compared, and no release follows the newest
		}
		require.Empty(t, r.contradictions(t, r.values(t)), "its own defaults")
		var all []string
		for _, one := range settings {
			all = append(all, one[0])
		}
		same, err := helm.ParseValues([]byte(`{"fullnameOverride": "mine",
			"webhook": {"enable": true, "port": 9553, "serviceAccount": {"name": "hook"}},
			"spark": {"jobNamespaces": ["a", "b"]}, "controller": {"uiService": {"enable": false}, "batchScheduler": {"enable": true},
			"serviceAccount": {"name": "op"}}}`))
		require.NoError(t, err)
		require.Empty(t, r.contradictions(t, same, all...), "what was set")
		for _, value := range slices.Sorted(maps.Keys(settings)) {
			other, err := helm.ParseValues([]byte(settings[value][1]))
			require.NoError(t, err)
			require.Equal(t, []string{value}, r.contradictions(t, other, all...), value)
		}
	})
}

// contradictions are the values that contradict what the chart makes with other settings.
func (r release) contradictions(t *testing.T, values helm.Values, settings ...string) []string {
	t.Helper()
	var text bytes.Buffer
	for _, o := range r.render(t, settings...) {
		raw, err := json.Marshal(o.Object)
		require.NoError(t, err)
		text.WriteString("---\n" + string(raw) + "\n")
	}
	s, _, err := manifests.Read(t.Context(), manifests.Options{Paths: []string{"-"}, Stdin: &text, Namespace: helmNamespace, Complete: true,
		Now: time.Now()})
	require.NoError(t, err)
	found := operator.Find(s.Deployments())
	require.Len(t, found, 1)
	list := operator.Releases()
	u := &check.Upgrade{From: r.Version, To: list[len(list)-1], Installation: &found[0]}
	upgrade.Give(s, u, values, true)
	require.True(t, u.Compared)
	var out []string
	for _, c := range u.Contradictions {
		out = append(out, c.Value)
	}
	return out
}
