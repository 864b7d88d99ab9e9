package proxy

import (
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/types"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/clientcmd"
)

// serve starts a server that counts what reaches it, and returns a client that reaches it through a proxy.
func serve(t *testing.T) (*Proxy, dynamic.ResourceInterface, *atomic.Int32) {
	t.Helper()
	var reached atomic.Int32
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		reached.Add(1)
		if r.Header.Get("Authorization") != "Bearer secret" {
			w.WriteHeader(http.StatusUnauthorized)
			return
		}
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, `{"apiVersion":"v1","kind":"ConfigMap","metadata":{"name":"it"}}`)
	}))
	t.Cleanup(server.Close)
	p, err := Start(&rest.Config{Host: server.URL, TLSClientConfig: rest.TLSClientConfig{Insecure: true}})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, p.Close()) })
	path, err := p.Kubeconfig(t.TempDir(), "secret")
	require.NoError(t, err)
	config, err := clientcmd.BuildConfigFromFlags("", path)
	require.NoError(t, err)
	client, err := dynamic.NewForConfig(config)
	require.NoError(t, err)
	return p, client.Resource(schema.GroupVersionResource{Version: "v1", Resource: "configmaps"}).Namespace("jobs"), &reached
}

func patch(ctx context.Context, client dynamic.ResourceInterface, options metav1.PatchOptions) error {
	_, err := client.Patch(ctx, "it", types.MergePatchType, []byte(`{"data":{"a":"b"}}`), options)
	return err
}

func anyPatch(r Request) bool { return r.Method == http.MethodPatch }

func TestEverythingIsWrittenDown(t *testing.T) {
	p, client, _ := serve(t)
	_, err := client.Get(t.Context(), "it", metav1.GetOptions{})
	require.NoError(t, err)
	require.NoError(t, patch(t.Context(), client, metav1.PatchOptions{FieldManager: "me"}))
	require.NoError(t, patch(t.Context(), client, metav1.PatchOptions{DryRun: []string{metav1.DryRunAll}}))
	require.NoError(t, client.Delete(t.Context(), "it", metav1.DeleteOptions{}))
	require.NoError(t, client.Delete(t.Context(), "it", metav1.DeleteOptions{DryRun: []string{metav1.DryRunAll}}))
	log := p.Requests()
	require.Len(t, log, 5)
	var writes []bool
	for i, r := range log {
		require.Equal(t, i+1, r.Number)
		require.Equal(t, "/api/v1/namespaces/jobs/configmaps/it", r.Path)
		require.Equal(t, http.StatusOK, r.Status)
		require.False(t, r.Fault)
		writes = append(writes, r.Writes())
	}
	require.Equal(t, []bool{false, true, false, true, false}, writes)
	require.Equal(t, "PATCH", log[1].Method)
	require.Equal(t, "me", log[1].Query.Get("fieldManager"))
	require.JSONEq(t, `{"data":{"a":"b"}}`, string(log[1].Body))
	p.Forget()
	require.Empty(t, p.Requests())
}

func TestAnswersInTheServersPlace(t *testing.T) {
	for code, is := range map[int]func(error) bool{
		http.StatusConflict:            apierrors.IsConflict,
		http.StatusUnprocessableEntity: apierrors.IsInvalid,
		http.StatusInternalServerError: apierrors.IsInternalError,
	} {
		reason := map[int]metav1.StatusReason{http.StatusConflict: metav1.StatusReasonConflict,
			http.StatusUnprocessableEntity: metav1.StatusReasonInvalid, http.StatusInternalServerError: metav1.StatusReasonInternalError}[code]
		p, client, reached := serve(t)
		p.Inject(anyPatch, 2, Answer(code, reason, "made up", 0))
		for range 2 {
			err := patch(t.Context(), client, metav1.PatchOptions{})
			require.True(t, is(err), "%v", err)
			require.ErrorContains(t, err, "made up")
		}
		require.Zero(t, reached.Load())
		require.NoError(t, patch(t.Context(), client, metav1.PatchOptions{}), "no more than two")
		require.EqualValues(t, 1, reached.Load())
		log := p.Requests()
		require.Len(t, log, 3)
		require.Equal(t, code, log[0].Status)
		require.True(t, log[1].Fault)
		require.False(t, log[2].Fault)
	}
}

// client-go itself waits and comes back when it is told how long.
func TestRetryAfterIsHeeded(t *testing.T) {
	p, client, reached := serve(t)
	p.Inject(anyPatch, 1, Answer(http.StatusTooManyRequests, metav1.StatusReasonTooManyRequests, "busy", time.Second))
	require.NoError(t, patch(t.Context(), client, metav1.PatchOptions{}))
	require.EqualValues(t, 1, reached.Load())
	require.Len(t, p.Requests(), 2)
}

func TestWhatIsLost(t *testing.T) {
	p, client, reached := serve(t)
	told := 0
	tell := func() { told++ }
	p.Inject(anyPatch, 1, LoseRequest(tell))
	p.Inject(anyPatch, 1, LoseAnswer(tell))
	err := patch(t.Context(), client, metav1.PatchOptions{})
	require.ErrorContains(t, err, "EOF")
	require.Zero(t, reached.Load(), "the server has not seen it")
	err = patch(t.Context(), client, metav1.PatchOptions{})
	require.ErrorContains(t, err, "EOF")
	require.EqualValues(t, 1, reached.Load(), "the server has carried it out, once")
	require.Equal(t, 2, told)
	for _, r := range p.Requests() {
		require.Zero(t, r.Status)
	}
}

func TestSomethingHappensBeforeOrAfter(t *testing.T) {
	p, client, reached := serve(t)
	var before int32 = -1
	after := make(chan int32, 1)
	p.Inject(func(r Request) bool { return anyPatch(r) && strings.Contains(string(r.Body), "data") }, 1,
		Before(func() { before = reached.Load() }))
	p.Inject(anyPatch, 1, After(func() { after <- reached.Load() }))
	require.NoError(t, patch(t.Context(), client, metav1.PatchOptions{}))
	require.Zero(t, before)
	require.EqualValues(t, 1, reached.Load())
	require.NoError(t, patch(t.Context(), client, metav1.PatchOptions{}))
	require.EqualValues(t, 2, <-after)
}
