package e2e

import (
	"encoding/json"
	"net/http"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/proxy"
)

func configMaps() schema.GroupVersionResource {
	return schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}
}

func text(t *testing.T, path string) string {
	t.Helper()
	out, err := os.ReadFile(path)
	require.NoError(t, err)
	return string(out)
}

// writes are the requests that were to change something. Who asks the server for the own name writes nothing.
func (f fixing) writes() []proxy.Request {
	return slices.DeleteFunc(f.proxy.Requests(), func(r proxy.Request) bool {
		return !r.Writes() || strings.HasSuffix(r.Path, "/selfsubjectreviews")
	})
}

// trials are the requests for writes that the server was only to try.
func (f fixing) trials() []proxy.Request {
	return slices.DeleteFunc(f.proxy.Requests(), func(r proxy.Request) bool {
		return r.Writes() || r.Method == http.MethodGet || strings.HasSuffix(r.Path, "/selfsubjectaccessreviews") ||
			strings.HasSuffix(r.Path, "/selfsubjectreviews")
	})
}

// wroteNoSpec looks at every write on the wire: of Spark objects only single fields of metadata and entries of
// executorState, each with the UID that was seen; and deletions of applications exactly as they were seen.
func (f fixing) wroteNoSpec(t *testing.T) {
	t.Helper()
	for _, r := range f.writes() {
		if !strings.HasPrefix(r.Path, "/apis/sparkoperator.k8s.io/") {
			continue
		}
		if r.Method == http.MethodDelete {
			require.Contains(t, r.Path, "/sparkapplications/")
			require.Regexp(t, `"preconditions":\{"uid":"[^"]+","resourceVersion":"[^"]+"\}`, string(r.Body))
			continue
		}
		require.Equal(t, http.MethodPatch, r.Method, r.Path)
		allowed := "/metadata/"
		if strings.HasSuffix(r.Path, "/status") {
			allowed = "/status/executorState/"
		}
		operations := operationsOf(t, r)
		require.True(t, slices.ContainsFunc(operations, func(o operation) bool { return o.Op == "test" && o.Path == "/metadata/uid" }), "%s",
			r.Body)
		for _, o := range operations {
			require.True(t, o.Op == "test" || strings.HasPrefix(o.Path, allowed), "%s %s", o.Op, o.Path)
			require.NotEqual(t, "replace /metadata/finalizers", o.Op+" "+o.Path)
		}
	}
}

type operation struct {
	Op, Path string
	Value    any
}

func operationsOf(t *testing.T, r proxy.Request) []operation {
	t.Helper()
	var out []operation
	require.NoError(t, json.Unmarshal(r.Body, &out), "%s", r.Body)
	require.NotEmpty(t, out)
	return out
}
