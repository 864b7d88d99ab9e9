package helm

import (
	"bytes"
	"compress/gzip"
	"encoding/base64"
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/internal/allocated"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

type object = map[string]any

// packed is a release as Helm keeps it.
func packed(t testing.TB, release any) []byte {
	t.Helper()
	raw, err := json.Marshal(release)
	require.NoError(t, err)
	return zipped(t, raw)
}

func zipped(t testing.TB, raw []byte) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	_, err := z.Write(raw)
	require.NoError(t, err)
	require.NoError(t, z.Close())
	return []byte(base64.StdEncoding.EncodeToString(b.Bytes()))
}

func releaseOf(chart string, values object, manifest string, dependencies ...object) object {
	return object{
		"name": "spark", "namespace": "op", "version": 3, "info": object{"status": "deployed", "description": "Upgrade complete"},
		"chart": object{"metadata": object{"name": chart, "version": "1.2.3", "dependencies": dependencies}, "templates": []object{{"name": "x"}},
			"values": object{"webhook": object{"enable": true}}},
		"config": values, "manifest": manifest,
	}
}

const deployment = "apiVersion: apps/v1\nkind: Deployment\nmetadata:\n  name: spark-operator-controller\n"

func TestDecodeRelease(t *testing.T) {
	r, err := DecodeRelease(packed(t, releaseOf("spark-operator", object{"webhook": object{"port": 443}},
		"---\n# Source: spark-operator/templates/controller/deployment.yaml\n"+deployment)))
	require.NoError(t, err)
	require.True(t, r.Locate("spark-operator-controller"))
	require.Equal(t, "443", r.OfOperator().Text("webhook.port"))
	require.False(t, r.OfOperator().Has("webhook.enable"), "the chart's own values are none of the user")
	require.False(t, r.Umbrella())
	require.Empty(t, r.Others())
	require.Equal(t, []any{"spark", "op", 3, Deployed, "spark-operator", "1.2.3"},
		[]any{r.Name, r.Namespace, r.Revision, r.Status, r.Chart, r.ChartVersion})

	r, err = DecodeRelease(packed(t, releaseOf("spark-operator", nil, "")))
	require.NoError(t, err)
	require.True(t, r.Locate("spark-operator-controller"), "the chart is the operator's, whatever it rendered")
	require.Empty(t, r.OfOperator())

	raw, err := json.Marshal(releaseOf("other", nil, ""))
	require.NoError(t, err)
	r, err = DecodeRelease([]byte(base64.StdEncoding.EncodeToString(raw))) // from before Helm compressed them
	require.NoError(t, err)
	require.False(t, r.Locate("spark-operator-controller"))
}

// TestUmbrella: the values for the operator are below the names of the charts that it is in, where each is called as its alias.
func TestUmbrella(t *testing.T) {
	manifest := "---\n# Source: platform/templates/limits.yaml\napiVersion: v1\nkind: LimitRange\nmetadata: {name: limits}\n" +
		"---\n# Source: platform/charts/data/charts/spark/templates/controller/deployment.yaml\n" + deployment +
		"---\n# Source: platform/charts/redis/templates/deployment.yaml\napiVersion: apps/v1\nkind: Deployment\nmetadata: {name: redis}\n" +
		"---\n# Source: platform/templates/empty.yaml\n# nothing\n---\na: b\n"
	values := object{"webhook": object{"port": 2}}
	values["data"] = object{"spark": object{"webhook": object{"port": 443}}, "webhook": object{"port": 1}}
	r, err := DecodeRelease(packed(t, releaseOf("platform", values, manifest, object{"name": "data"})))
	require.NoError(t, err)
	require.True(t, r.Locate("spark-operator-controller"))
	require.True(t, r.Umbrella())
	require.Equal(t, []string{"platform", "data", "spark"}, r.Operator)
	require.Equal(t, "443", r.OfOperator().Text("webhook.port"))
	require.Equal(t, []snapshot.Ref{
		{APIVersion: "v1", Kind: "LimitRange", Name: "limits"}, {APIVersion: "apps/v1", Kind: "Deployment", Name: "redis"},
	}, r.Others())

	r, err = DecodeRelease(packed(t, releaseOf("platform", object{"op": object{"webhook": object{"port": 443}}}, "",
		object{"name": "redis"}, object{"name": "spark-operator", "alias": "op"})))
	require.NoError(t, err)
	require.True(t, r.Locate("spark-operator-controller"), "the chart says that it depends on the operator's")
	require.Equal(t, "443", r.OfOperator().Text("webhook.port"))

	r, err = DecodeRelease(packed(t, releaseOf("platform", object{"webhook": object{"port": 443}}, "", object{"name": "spark-operator"})))
	require.NoError(t, err)
	require.True(t, r.Locate("spark-operator-controller"))
	require.Empty(t, r.OfOperator(), "values of the umbrella chart are none of the operator's")
}

// TestDecodeReleaseRefuses: a Secret may hold anything. An error says what is wrong and nothing of what is in it.
func TestDecodeReleaseRefuses(t *testing.T) {
	good := releaseOf("spark-operator", nil, "")
	with := func(key string, value any) []byte {
		one := object{}
		for k, v := range good {
			one[k] = v
		}
		one[key] = value
		return packed(t, one)
	}
	for name, c := range map[string]struct {
		data []byte
		want string
	}{
		"nothing":            {nil, "not the JSON of a release"},
		"no base64":          {[]byte("hunter2!"), "not base64"},
		"too large":          {bytes.Repeat([]byte("A"), maxStored+1), "larger than 1024 KiB"},
		"broken gzip":        {zipped(t, []byte("hunter2"))[:20], ""},
		"cut gzip":           {[]byte(base64.StdEncoding.EncodeToString([]byte{0x1f, 0x8b, 0x08, 0, 0, 0, 0, 0, 0, 0, 1, 2})), "gzip"},
		"a bomb":             {zipped(t, bytes.Repeat([]byte(" "), maxReleased+1)), "larger than 32 MiB when unpacked"},
		"no JSON":            {zipped(t, []byte("password: hunter2")), "not the JSON of a release"},
		"another object":     {packed(t, object{"kind": "Secret", "data": "hunter2"}), "no release"},
		"without a revision": {with("version", 0), "no release"},
		"values as a list":   {with("config", []string{"hunter2"}), "its values are no map"},
		"large values":       {with("config", object{"a": strings.Repeat("x", MaxValues)}), "its values are larger than 1024 KiB"},
		"a large manifest":   {with("manifest", strings.Repeat("a", maxManifest+1)), "its manifest is larger than 16 MiB"},
		"many documents":     {with("manifest", strings.Repeat("---\na: b\n", maxDocuments+1)), "more than 10000 documents"},
		"deep":               {zipped(t, []byte(`{"config":`+strings.Repeat("[", 1<<20))), "not the JSON of a release"},
	} {
		_, err := DecodeRelease(c.data)
		require.ErrorContains(t, err, c.want, name)
		require.NotContains(t, err.Error(), "hunter2", name)
	}
	_, err := DecodeRelease(with("manifest", "---\na: &a ["+strings.Repeat("x,", 1000)+"]\nb: ["+strings.Repeat("*a,", 100_000)+"]\n"))
	require.ErrorContains(t, err, "document 1 of its manifest is no YAML", "aliases that expand")
	_, err = DecodeRelease(with("manifest", "---\nkind: A\n---\n{{ left }}\n"))
	require.ErrorContains(t, err, "document 2 of its manifest is no YAML", "what it holds would go unseen")
}

// TestRefuses: what Helm itself says before it upgrades.
func TestRefuses(t *testing.T) {
	for _, c := range []struct {
		status  string
		history []string
		want    string
	}{
		{"deployed", []string{"superseded", "deployed"}, ""},
		{"failed", []string{"deployed", "failed"}, ""},
		{"failed", []string{"failed"}, ""}, // Helm upgrades a failed install
		{"pending-upgrade", []string{"deployed", "pending-upgrade"}, "in progress"},
		{"pending-install", []string{"pending-install"}, "in progress"},
		{"pending-rollback", []string{"deployed", "pending-rollback"}, "in progress"},
		{"uninstalled", []string{"uninstalled"}, "has no deployed releases"},
		{"uninstalling", []string{"deployed", "uninstalling"}, ""},
		{"superseded", []string{"superseded"}, ""},
	} {
		r := &Release{Name: "spark", Status: c.status}
		for i, status := range c.history {
			r.History = append(r.History, Revision{i + 1, status})
		}
		text, refused := r.Refuses()
		require.Equal(t, c.want != "", refused, c.status)
		require.Contains(t, text, c.want, c.status)
	}
}

func FuzzDecodeRelease(f *testing.F) {
	f.Add(packed(f, releaseOf("spark-operator", object{"webhook": object{"port": 443}}, "---\n# Source: a/charts/b/templates/x\n"+deployment)))
	f.Add(packed(f, releaseOf("a", nil, "", object{"name": "spark-operator", "alias": "x"})))
	f.Add([]byte("H4sIAAAAAAAA"))
	f.Fuzz(func(t *testing.T, data []byte) {
		defer allocated.Bound(t, len(data))()
		for _, one := range [][]byte{data, zipped(t, data)} { // the second reaches what is inside
			r, err := DecodeRelease(one)
			if err != nil {
				require.Nil(t, r)
				continue
			}
			require.NotEmpty(t, r.Name)
			if r.Locate("spark-operator-controller") {
				require.NotEmpty(t, r.Operator)
			}
			require.NotNil(t, r.OfOperator())
			r.Others()
			r.Refuses()
		}
	})
}
