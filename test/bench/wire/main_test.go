package main

import (
	"bytes"
	"compress/gzip"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	"k8s.io/client-go/kubernetes/scheme"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/bench/plan"
)

// pages are a list of three, each asked for with the token that the one before gives.
func pages(t *testing.T, encoding string, write func(token, next string) string) (address string, asked *[]string) {
	next := map[string]string{"": "a=b+c", "a=b+c": "last", "last": ""}
	asked = new([]string)
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		token := r.URL.Query().Get("continue")
		*asked = append(*asked, token)
		text := write(token, next[token])
		if encoding == "" {
			fmt.Fprint(w, text)
			return
		}
		w.Header().Set("Content-Encoding", encoding)
		z := gzip.NewWriter(w)
		fmt.Fprint(z, text)
		z.Close()
	}))
	t.Cleanup(server.Close)
	return server.URL, asked
}

// items hold what could be taken for a list's own words.
var items = fmt.Sprintf(`[{"metadata":{"continue":"no"},"kind":"x","note":"\"continue\":\"no\""},%q]`, strings.Repeat("x", 3*edge))

// formats are what the API server writes of a list that goes on.
var formats = map[string]func(token, next string) string{
	"JSON of its own kinds": func(_, next string) string {
		return fmt.Sprintf(`{"kind":"PodList","metadata":{"continue":%q,"resourceVersion":"1"},"items":%s}`, next, items)
	},
	"JSON of custom resources": func(_, next string) string {
		return fmt.Sprintf(`{"apiVersion":"v1","items":%s,"kind":"XList","metadata":{"continue":%q,"resourceVersion":"1"}}`, items, next)
	},
	"protobuf": func(_, next string) string {
		list := corev1.PodList{ListMeta: metav1.ListMeta{ResourceVersion: "1", Continue: next}}
		for range 100 {
			list.Items = append(list.Items, corev1.Pod{ObjectMeta: metav1.ObjectMeta{Name: strings.Repeat("x", 100)}})
		}
		var out bytes.Buffer
		if err := protobuf.NewSerializer(scheme.Scheme, scheme.Scheme).Encode(&list, &out); err != nil {
			return err.Error()
		}
		return out.String()
	},
}

// TestFollow holds that a list is read to its end, compressed or not, whether it says where it goes on first or last.
func TestFollow(t *testing.T) {
	for name, format := range formats {
		for _, encoding := range []string{"gzip", ""} {
			for _, ahead := range []bool{false, true} {
				address, asked := pages(t, encoding, format)
				file := filepath.Join(t.TempDir(), "plan.json")
				text, err := json.Marshal(plan.Plan{Server: address, Ahead: ahead, Rounds: []plan.Round{{Parallel: 1, Chains: [][]plan.Request{
					{{URI: "/api/v1/pods?limit=500", AcceptEncoding: encoding, Status: 200, Follow: true}},
				}}}})
				require.NoError(t, err)
				require.NoError(t, os.WriteFile(file, text, 0o600))
				require.NoError(t, run([]string{file}))
				require.Equal(t, []string{"", "a=b+c", "last"}, *asked, "%s, %q, ahead: %t", name, encoding, ahead)
			}
		}
	}
}

// TestNotAsPlanned holds that a list of another length than in the plan is an error.
func TestNotAsPlanned(t *testing.T) {
	address, _ := pages(t, "", formats["protobuf"])
	page := plan.Request{URI: "/api/v1/pods?limit=500", Status: 200}
	for n, want := range map[int]string{2: "goes on after page 2", 4: "ends after page 3, not 4"} {
		for _, ahead := range []bool{false, true} {
			err := follow(http.DefaultClient, plan.Plan{Server: address, Ahead: ahead}, slices.Repeat([]plan.Request{page}, n))
			require.ErrorContains(t, err, want)
		}
	}
	require.NoError(t, follow(http.DefaultClient, plan.Plan{Server: address}, slices.Repeat([]plan.Request{page}, 3)))
	require.ErrorContains(t, follow(http.DefaultClient, plan.Plan{Server: address}, []plan.Request{{URI: "/", Status: 404}}),
		"200 OK, not 404")
}

// TestAhead holds that a page is asked for before the one before it ends, once that has said where the list goes on.
func TestAhead(t *testing.T) {
	second := make(chan struct{})
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get("continue") != "" {
			close(second)
			fmt.Fprint(w, formats["JSON of its own kinds"]("", ""))
			return
		}
		text := formats["JSON of its own kinds"]("", "more")
		fmt.Fprint(w, text[:2*edge])
		w.(http.Flusher).Flush()
		<-second
		fmt.Fprint(w, text[2*edge:])
	}))
	t.Cleanup(server.Close)
	chain := slices.Repeat([]plan.Request{{URI: "/api/v1/pods?limit=500", Status: 200}}, 2)
	require.NoError(t, follow(server.Client(), plan.Plan{Server: server.URL, Ahead: true}, chain))
}
