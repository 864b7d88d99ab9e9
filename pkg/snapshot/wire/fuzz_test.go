package wire

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/internal/allocated"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// decoders are the sources of all decoders: views and metadata of any kind.
func decoderSources() []snapshot.Source {
	return append(snapshot.Sources(), snapshot.Source{View: snapshot.Owners, Version: "v1", Kind: "Node"})
}

// FuzzDecodeJSON holds that no JSON makes any decoder panic, and that an error is one line without a record that nobody
// may use.
func FuzzDecodeJSON(f *testing.F) {
	for _, seed := range []string{
		`{"apiVersion":"sparkoperator.k8s.io/v1beta2","kind":"SparkApplication","metadata":{"name":"a","labels":{"x":"y"},"annotations":{"kubectl.kubernetes.io/last-applied-configuration":"{}"},"managedFields":[{}],"ownerReferences":[{"uid":"u","controller":true}],"creationTimestamp":"2026-01-01T00:00:00Z","deletionGracePeriodSeconds":30},"spec":{"sparkConf":{"spark.dynamicAllocation.enabled":"true"},"executor":{"instances":2}},"status":{"applicationState":{"state":"RUNNING","errorMessage":"x"},"executorState":{"a-exec-1":"RUNNING"},"terminationTime":null}}`,
		`{"kind":"Workflow","metadata":{"name":"w"},"spec":{"templates":[{"name":"t","resource":{"action":"create","manifest":"a: b"}}],"workflowSpec":{"templates":[null]}}}`,
		`{"kind":"Pod","metadata":{"name":"p","labels":{"spark-exec-id":"-1"}},"status":{"phase":"Running","startTime":"2026-01-01T00:00:00Z"}}`,
		`{"kind":"Deployment","metadata":{"name":"d"},"spec":{"replicas":1,"template":{"spec":{"containers":[{"args":["controller","start"]}]}}}}`,
		`{"metadata":{"name":"c"},"webhooks":[{"name":"x.sparkoperator.k8s.io","failurePolicy":"Ignore","clientConfig":{"service":{"name":"s","namespace":"n"}},"rules":[{"operations":["*"]}]}]}`,
		`{"metadata":{"name":"e"},"endpoints":[{"addresses":["::1"],"conditions":{"ready":false}}]}`,
		`{"metadata":{"name":"e"},"reason":"OwnerRefInvalidNamespace","series":{"count":3,"lastObservedTime":"2026-01-01T00:00:00.000000Z"}}`,
		`{"metadata":{"creationTimestamp":"0000-01-01T00:00:00+10:00","deletionGracePeriodSeconds":9223372036854775807}}`,
		`{"metadata":null,"status":{"executorState":[]}}`, `null`, `[]`, `7`,
	} {
		for i := range decoderSources() {
			f.Add(i, []byte(seed))
		}
	}
	f.Fuzz(func(t *testing.T, i int, raw []byte) { decodeAny(t, i, Item{Encoding: snapshot.JSON, Raw: raw}) })
}

func FuzzDecodeProtobuf(f *testing.F) {
	meta := metav1.ObjectMeta{Name: "p", Namespace: "ns", Labels: map[string]string{"a": "b"},
		OwnerReferences: []metav1.OwnerReference{{Kind: "X", UID: "u"}}}
	for _, seed := range []interface{ Marshal() ([]byte, error) }{
		&corev1.Pod{ObjectMeta: meta, Status: corev1.PodStatus{Phase: corev1.PodRunning, StartTime: &metav1.Time{}}},
		&corev1.Event{ObjectMeta: meta, Reason: "x", Series: &corev1.EventSeries{Count: 1}},
		&metav1.PartialObjectMetadata{ObjectMeta: meta},
	} {
		raw, err := seed.Marshal()
		require.NoError(f, err)
		for i := range decoderSources() {
			f.Add(i, raw)
		}
	}
	f.Fuzz(func(t *testing.T, i int, raw []byte) { decodeAny(t, i, Item{Encoding: snapshot.Protobuf, Raw: raw}) })
}

func decodeAny(t *testing.T, i int, item Item) {
	defer allocated.Bound(t, len(item.Raw))()
	t.Helper()
	all := decoderSources()
	src := all[uint(i)%uint(len(all))]
	record, err := Decode(src, item)
	if err == nil {
		if record == nil && slices.Contains([]snapshot.View{snapshot.WebhookSecrets, snapshot.WarningEvents, snapshot.RoleBindings,
			snapshot.ClusterRoleBindings, snapshot.OperatorCRDs, snapshot.CRDRules, snapshot.KueueWorkloads}, src.View) {
			return // a Secret without a certificate, an event that no check reads, a binding of people, a CRD of others, a Workload of a Job
		}
		require.NotNil(t, record)
		b := snapshot.NewBuilder(snapshot.ObjectOf(record).Created)
		b.Add(src.View, record)
		b.Seal()
		return
	}
	require.False(t, strings.ContainsAny(err.Error(), "\n\r"))
	require.NotContains(t, err.Error(), "Go ")
	if record != nil {
		a, ok := record.(*snapshot.SparkApplication)
		require.True(t, ok)
		require.NotEmpty(t, a.Malformed)
	}
}
