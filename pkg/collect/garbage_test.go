package collect

import (
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	apierrors "k8s.io/apimachinery/pkg/api/errors"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// garbage are answers to a request for a list that are none of what was asked for, by what is wrong with them. Each is an answer of 200.
func garbage(of listKind) map[string]string {
	kinds := `"kind":` + inQuotes(of.kind) + `,"apiVersion":` + inQuotes(of.apiVersion)
	out := map[string]string{
		"no kind":             `{"items":[]}`,
		"a kind alone":        `{"kind":` + inQuotes(of.kind) + `,"items":[]}`,
		"a version alone":     `{"apiVersion":` + inQuotes(of.apiVersion) + `,"items":[]}`,
		"a kind of no text":   `{"kind":7,"apiVersion":{},"items":[]}`,
		"no items":            "{" + kinds + "}",
		"another list":        `{"kind":"FlowSchemaList","apiVersion":"flowcontrol.apiserver.k8s.io/v1","items":[]}`,
		"another kind behind": `{"items":[],"apiVersion":"apps/v2","kind":"NoneList"}`,
		"another version":     `{"kind":` + inQuotes(of.kind) + `,"apiVersion":"example.com/v1","items":[]}`,
		"a Table":             `{"kind":"Table","apiVersion":"meta.k8s.io/v1","rows":[],"items":[]}`,
		"a Status":            `{"kind":"Status","apiVersion":"v1","metadata":{},"status":"Success"}`,
		"one object":          `{"kind":` + inQuotes(strings.TrimSuffix(of.kind, "List")) + `,"apiVersion":` + inQuotes(of.apiVersion) + `,"items":[]}`,
		"a page of a portal":  "<html>please log in</html>",
		"nothing":             "",
		"null":                "null",
		"a list of JSON":      "[]",
		"protobuf, no kind":   protobufMagic + string(appendField(nil, 2, nil)),
		"protobuf, another":   string(appendField(appendField([]byte(protobufMagic), 1, typeMeta("apps/v2", "X")), 2, nil)),
		"protobuf, no list":   string(appendField([]byte(protobufMagic), 1, typeMeta(of.apiVersion, of.kind))),
	}
	for _, items := range []string{`{}`, `"x"`, `7`, `true`, `{"items":[]}`, `""`} {
		out["items are "+items] = "{" + kinds + `,"metadata":{},"items":` + items + "}"
	}
	return out
}

func inQuotes(text string) string { return fmt.Sprintf("%q", text) }

// typeMeta is a runtime.TypeMeta as protobuf has it.
func typeMeta(apiVersion, kind string) []byte {
	return appendField(appendField(nil, 1, []byte(apiVersion)), 2, []byte(kind))
}

// answering gives garbage for every list that is asked for, and counts whose.
func answering(server *apiServer, shape string, only *snapshot.Source) map[string]int {
	asked := map[string]int{}
	server.fault = func(w http.ResponseWriter, r *http.Request) bool {
		if !strings.HasPrefix(r.URL.Path, "/api") || server.isDiscovery(r.URL.Path) {
			return false
		}
		gv, _, resource, name := parsePath(r.URL.Path)
		i := slices.IndexFunc(server.kinds, func(k servedKind) bool { return k.GroupVersion() == gv && k.resource == resource })
		if name != "" || i < 0 || only != nil && (only.Group != gv.Group || only.Resource != resource) {
			return false
		}
		server.mu.Lock()
		asked[gv.Group+"/"+resource]++
		server.mu.Unlock()
		body := garbage(listKind{gv.String(), server.kinds[i].Kind + "List", false})[shape]
		w.Header().Set("Content-Type", "application/json")
		if strings.HasPrefix(body, protobufMagic) {
			w.Header().Set("Content-Type", "application/vnd.kubernetes.protobuf")
		}
		_, _ = w.Write([]byte(body))
		return true
	}
	return asked
}

// TestGarbageIsNoEmptyList: every list, answered with garbage of every shape, was not read.
func TestGarbageIsNoEmptyList(t *testing.T) {
	for shape := range garbage(listKind{}) {
		server := newServer(t, fleet(2)...)
		asked := answering(server, shape, nil)
		s := scan(t, server, ClusterOptions{})
		lists := 0
		for _, src := range snapshot.Sources() {
			if asked[src.Group+"/"+src.Resource] == 0 || s.Coverage(src.View).State == snapshot.NotAsked {
				continue // it is read where the list of Deployments or of webhooks says
			}
			lists++
			assert.Equal(t, snapshot.Unseeable, s.Coverage(src.View).State, "%s, %s", src.View, shape)
			assert.NotEmpty(t, s.Coverage(src.View).Unseen, "%s, %s", src.View, shape)
		}
		require.Greater(t, lists, 20, shape)
	}
}

// TestGarbageOfOneList: the others are read.
func TestGarbageOfOneList(t *testing.T) {
	views := []snapshot.View{snapshot.SparkPods, snapshot.SparkApplications, snapshot.Deployments, snapshot.Workflows}
	for _, view := range views {
		src, _ := snapshot.SourceOf(view)
		server := newServer(t, fleet(2)...)
		answering(server, "another list", &src)
		s := scan(t, server, ClusterOptions{Needs: need(views...)})
		for _, other := range views {
			want := map[bool]snapshot.State{true: snapshot.Unseeable, false: snapshot.Complete}[other == view]
			require.Equal(t, want, s.Coverage(other).State, "%s, %s", view, other)
		}
		require.Contains(t, s.Coverage(view).Unseen[0].Reason,
			"the answer is no list that was asked for: it is a FlowSchemaList of flowcontrol.apiserver.k8s.io/v1, not a "+src.Kind+"List")
	}
}

// TestGarbageAroundAnApplication: the same of what why reads in full.
func TestGarbageAroundAnApplication(t *testing.T) {
	for shape := range garbage(listKind{}) {
		server := newServer(t, failedApplication()...)
		asked := answering(server, shape, nil)
		s := readApplication(t, server, "SparkApplication", "etl")
		lists := 0
		for _, src := range snapshot.WholeSources() {
			if asked[src.Group+"/"+src.Resource] == 0 || s.Coverage(src.View).State == snapshot.NotAsked ||
				src.View == snapshot.WholeApplications { // which was read by its name
				continue
			}
			lists++
			assert.NotEqual(t, snapshot.Complete, s.Coverage(src.View).State, "%s, %s", src.View, shape)
			assert.NotEmpty(t, s.Coverage(src.View).Unseen, "%s, %s", src.View, shape)
		}
		require.Greater(t, lists, 5, shape)
	}
}

// TestDiscoveryFailsOnce: what fails in passing is asked for again, as any page is.
func TestDiscoveryFailsOnce(t *testing.T) {
	for _, legacy := range []bool{false, true} {
		for _, path := range []string{"/api", "/apis", "/api/v1", "/apis/sparkoperator.k8s.io/v1beta2"} {
			server := newServer(t, fleet(4)...)
			server.legacy = legacy
			failed := false
			server.fault = func(w http.ResponseWriter, r *http.Request) bool {
				if r.URL.Path != path || failed {
					return false
				}
				failed = true
				fail(w, apierrors.NewServiceUnavailable("starting"))
				return true
			}
			s := scan(t, server, ClusterOptions{Needs: need(snapshot.SparkApplications)})
			require.Equal(t, snapshot.Complete, s.Coverage(snapshot.SparkApplications).State, "%s, %v", path, legacy)
			require.Len(t, appNames(s), 4)
		}
	}
}
