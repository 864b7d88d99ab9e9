package releases

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	"sigs.k8s.io/yaml"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator/releases"
)

// TestEmbeddedCRDs holds that the CRDs which pkg/operator/releases has are those of the newest release. UPDATE_CRDS=1 writes them.
func TestEmbeddedCRDs(t *testing.T) {
	each(t, func(t *testing.T, r release) {
		if r.Version != operator.Newest() {
			return
		}
		files, err := filepath.Glob(filepath.Join(r.chart(), "crds", "*.yaml"))
		require.NoError(t, err)
		slices.Sort(files)
		var items []any
		for _, file := range files {
			text, err := os.ReadFile(file)
			require.NoError(t, err)
			var c map[string]any
			require.NoError(t, yaml.Unmarshal(text, &c))
			items = append(items, undescribed(c))
		}
		want, err := json.Marshal(map[string]any{"apiVersion": "v1", "kind": "List", "items": items})
		require.NoError(t, err)
		if os.Getenv("UPDATE_CRDS") != "" {
			var packed bytes.Buffer
			w, err := gzip.NewWriterLevel(&packed, gzip.BestCompression)
			require.NoError(t, err)
			_, err = w.Write(want)
			require.NoError(t, err)
			require.NoError(t, w.Close())
			require.NoError(t, os.WriteFile("../../pkg/operator/releases/crds.json.gz", packed.Bytes(), 0o600))
			return
		}
		require.JSONEq(t, string(want), string(releases.CRDs()))
	})
}

// undescribed leaves out the descriptions, which are most of a CRD. A property may have that name as well, and is a schema.
func undescribed(value any) any {
	switch value := value.(type) {
	case map[string]any:
		if _, text := value["description"].(string); text {
			delete(value, "description")
		}
		for name, one := range value {
			value[name] = undescribed(one)
		}
	case []any:
		for i := range value {
			value[i] = undescribed(value[i])
		}
	}
	return value
}
