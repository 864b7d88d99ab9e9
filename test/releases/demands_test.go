package releases

import (
	"cmp"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"sigs.k8s.io/yaml"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot/schema"
	"github.com/sparkdoctor/kubectl-sparkdoctor/test/build"
)

// demands are the places below the specification of an application where the CRDs of a release accept less than those of the one before, as
// the page of SD7029 lists them. Of driver and executor, and of sidecars and init containers, one stands for both.
func demands() map[string][]string {
	return map[string][]string{
		"1.4.5": {"driver.securityContext.seccompProfile", "driver.sidecars.[].securityContext.seccompProfile", "driverIngressOptions.[]",
			"volumes.[].ephemeral.volumeClaimTemplate"},
		"2.1.0": {""},
		"2.1.1": {"driver.hostAliases.[]", "driver.sidecars.[].env", "driver.sidecars.[].volumeDevices", "driver.sidecars.[].volumeMounts"},
	}
}

// TestDemandsOfCRDs compares those of two releases that follow each other among the sources that are there.
func TestDemandsOfCRDs(t *testing.T) {
	type source struct {
		name string
		release
	}
	var list []source
	for _, name := range build.OperatorVersions() {
		dir, err := build.OperatorSource(t.Context(), name)
		require.NoError(t, err)
		list = append(list, source{name, release{named(t, name), dir}})
	}
	for _, dir := range checkouts(t) {
		name := strings.TrimPrefix(filepath.Base(dir), "spark-operator-chart-")
		list = append(list, source{strings.TrimPrefix(name, "v"), release{named(t, name), dir}})
	}
	chart := func(s source) operator.Version {
		v, is := operator.ChartVersion(s.name)
		require.True(t, is, s.name)
		return v
	}
	slices.SortFunc(list, func(a, b source) int { return cmp.Or(chart(a).Compare(chart(b)), strings.Compare(a.dir, b.dir)) })
	for i := 1; i < len(list); i++ {
		before, now := list[i-1].rules(t), list[i].rules(t)
		for name, rules := range now {
			var got []string
			for _, path := range rules.Narrowed(before[name]) {
				path = strings.TrimPrefix(strings.TrimPrefix(path, "template"), ".")
				path = strings.Replace(path, "executor.", "driver.", 1)
				got = append(got, strings.Replace(path, ".initContainers.", ".sidecars.", 1))
			}
			slices.Sort(got)
			want := demands()[list[i].name]
			require.Equal(t, want, slices.Compact(got), "%s of %s, after %s", name, list[i].name, list[i-1].name)
		}
	}
}

// rules are what the CRDs of the chart demand below spec, by the names of the CRDs.
func (r release) rules(t *testing.T) map[string]schema.Rules {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(r.chart(), "crds", "*.yaml"))
	require.NoError(t, err)
	require.NotEmpty(t, files)
	out := map[string]schema.Rules{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		var c struct {
			Metadata struct{ Name string }
			Spec     struct {
				Versions []struct {
					Schema struct {
						OpenAPIV3Schema struct {
							Properties struct{ Spec json.RawMessage }
						}
					}
				}
			}
		}
		require.NoError(t, yaml.Unmarshal(text, &c))
		rules := schema.Parse(c.Spec.Versions[0].Schema.OpenAPIV3Schema.Properties.Spec)
		require.NotEmpty(t, rules)
		out[c.Metadata.Name] = rules
	}
	return out
}
