package releases

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"sigs.k8s.io/yaml"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
)

// crd is the part of a CRD that is compared.
type crd struct {
	Metadata struct{ Name string }
	Spec     struct {
		Names    struct{ Kind string }
		Versions []struct {
			Name   string
			Schema struct{ OpenAPIV3Schema crdSchema }
		}
	}
}

type crdSchema struct {
	Properties map[string]crdSchema
	Items      *crdSchema
	Required   []string
	Keys       []string `json:"x-kubernetes-list-map-keys"`
}

func TestCRDs(t *testing.T) {
	each(t, func(t *testing.T, r release) {
		crds := r.crds(t)
		want := operator.CRDsOf(r.Version)
		require.Len(t, crds, len(want))
		for _, w := range want {
			c := crds[w.Name()]
			require.NotNil(t, c, w.Name())
			require.Equal(t, w.Kind, c.Spec.Names.Kind)
			require.Len(t, c.Spec.Versions, 1)
			require.Equal(t, w.Version, c.Spec.Versions[0].Name)
			object := c.Spec.Versions[0].Schema.OpenAPIV3Schema
			spec := object.Properties["spec"]
			require.Equal(t, w.Required, object.Required)
			require.Equal(t, w.RequiredOfSpec, spec.Required)
			if w.RequiredOfTemplate != nil {
				require.Equal(t, w.RequiredOfTemplate, spec.Properties["template"].Required)
			}
		}
	})
}

func TestTelltales(t *testing.T) {
	each(t, func(t *testing.T, r release) {
		for name, c := range r.crds(t) {
			spec := c.Spec.Versions[0].Schema.OpenAPIV3Schema.Properties["spec"]
			mine := map[string]bool{}
			for _, one := range operator.TelltalesOf(r.Version, name) {
				mine[one.Field] = true
			}
			for _, one := range operator.TelltalesOf(operator.Newest(), name) {
				require.Equal(t, mine[one.Field], find(&spec, one.Field) != nil, "%s of %s", one.Field, name)
			}
		}
	})
}

func TestKeyedLists(t *testing.T) {
	each(t, func(t *testing.T, r release) {
		spec := r.crds(t)["sparkapplications.sparkoperator.k8s.io"].Spec.Versions[0].Schema.OpenAPIV3Schema.Properties["spec"]
		mine := operator.KeyedLists(r.Version)
		for path := range operator.KeyedLists(operator.Newest()) {
			for _, role := range []string{"driver", "executor"} {
				var want []string
				if key := mine[path]; key != "" {
					want = []string{key}
				}
				require.Equal(t, want, find(&spec, role+"."+path).Keys, "%s.%s", role, path)
			}
		}
	})
}

// TestMainFileIsSentAsNull: a field without omitempty is written whether it is there or not, by whoever decodes the object.
func TestMainFileIsSentAsNull(t *testing.T) {
	each(t, func(t *testing.T, r release) {
		if r.legacy() {
			require.False(t, operator.RefusesWithoutMainFile(r.Version), "it has no webhook for applications")
			return
		}
		null := r.contains(t, "api/v1beta2/sparkapplication_types.go", "MainApplicationFile *string `json:\"mainApplicationFile\"`")
		require.Equal(t, operator.RefusesWithoutMainFile(r.Version), null)
	})
}

// crds returns the CRDs of the chart, by name.
func (r release) crds(t *testing.T) map[string]*crd {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(r.chart(), "crds", "*.yaml"))
	require.NoError(t, err)
	out := map[string]*crd{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		require.NoError(t, err)
		var c crd
		require.NoError(t, yaml.Unmarshal(text, &c))
		out[c.Metadata.Name] = &c
	}
	return out
}

// find returns the schema at a path such as "driver.sidecars[].env", nil if there is none.
func find(at *crdSchema, path string) *crdSchema {
	for name := range strings.SplitSeq(path, ".") {
		name, items := strings.CutSuffix(name, "[]")
		next, found := at.Properties[name]
		if !found {
			return nil
		}
		if at = &next; items {
			at = at.Items
		}
	}
	return at
}
