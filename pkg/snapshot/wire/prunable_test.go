package wire

import (
	"encoding/json"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func TestLostFields(t *testing.T) {
	for name, c := range map[string]struct {
		applied, stored string
		want            []string
	}{
		"kept": {`{"suspend":true,"driver":{"template":{}}}`, `{"suspend":false,"driver":{"template":{"spec":{}}}}`, nil},
		"lost": {`{"suspend":true,"driver":{"template":{},"memoryLimit":"1g"}}`, `{"driver":{"memoryLimit":"1g"}}`,
			[]string{"driver.template", "suspend"}},
		"null":         {`{"suspend":null}`, `{}`, nil},
		"other fields": {`{"template":1,"volumes":[{"suspend":1}]}`, `{}`, nil},
		"no object":    {`7`, `{}`, nil},
	} {
		t.Run(name, func(t *testing.T) {
			manifest, err := json.Marshal(`{"spec":` + c.applied + `}`)
			require.NoError(t, err)
			raw := `{"apiVersion":"sparkoperator.k8s.io/v1beta2","kind":"SparkApplication","metadata":{"name":"a","annotations":{"kubectl.kubernetes.io/last-applied-configuration":` + string(manifest) + `}},"spec":` + c.stored + `}`
			src, _ := snapshot.SourceOf(snapshot.SparkApplications)
			r, err := Decode(src, Item{Encoding: snapshot.JSON, Raw: []byte(raw)})
			require.NoError(t, err)
			require.Equal(t, c.want, r.(*snapshot.SparkApplication).Lost)
			require.Equal(t, len(manifest), r.(*snapshot.SparkApplication).Sizes.LastApplied)
		})
	}
}
