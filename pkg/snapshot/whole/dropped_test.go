package whole_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot/whole"
)

// TestFieldsThatWereNotKept: what was applied and is not there is named, without values; an object whose spec was changed since tells
// nothing.
func TestFieldsThatWereNotKept(t *testing.T) {
	applied := `{"spec":{"driver":{"memory":"2g","template":{"spec":{"containers":[{"env":[{"name":"PASSWORD","value":"hunter2"}]}],` +
		`"tolerations":[{"key":"dedicated"}]}}},"labels":{}}}`
	object := func(generation, annotation string) string {
		text, err := json.Marshal(annotation)
		require.NoError(t, err)
		return `{"metadata":{"name":"etl","generation":` + generation + `,"annotations":{"kubectl.kubernetes.io/last-applied-configuration":` +
			string(text) + `}},"spec":{"driver":{"memory":"2g"}}}`
	}
	src, _ := snapshot.SourceOf(snapshot.WholeApplications)
	for name, one := range map[string]struct {
		object string
		want   []any
	}{
		"never changed": {object("1", applied), []any{map[string]any{"path": "driver.template", "names": []any{
			"spec", "containers", "env", "name", "PASSWORD", "value", "tolerations", "key", "dedicated"}}}},
		"changed since":              {object("2", applied), nil},
		"all is there":               {object("1", strings.ReplaceAll(applied, "template", "memory")), nil},
		"longer than a server takes": {object("1", applied+strings.Repeat(" ", 256<<10)), nil},
		"no JSON":                    {object("1", "{"), nil},
		"nothing was kept":           {`{"metadata":{"name":"etl","generation":1},"spec":{}}`, nil},
		"of no text at all": {`{"metadata":{"name":"etl","generation":1,"annotations":` +
			`{"kubectl.kubernetes.io/last-applied-configuration":1}},"spec":{}}`, nil},
	} {
		w, err := whole.Of(src, []byte(one.object), snapshot.Location{})
		require.NoError(t, err, name)
		got, _ := w.Fields["dropped"].([]any)
		require.Equal(t, one.want, got, name)
	}
}

// TestKeysWithoutValues: of ConfigMaps and Secrets the keys are kept, in order.
func TestKeysWithoutValues(t *testing.T) {
	for _, view := range []snapshot.View{snapshot.WholeConfigMaps, snapshot.WholeSecrets} {
		src, _ := snapshot.SourceOf(view)
		w, err := whole.Of(src, []byte(`{"metadata":{"name":"a"},"data":{"b":"hunter2","a":"hunter2"},`+
			`"stringData":{"c":"hunter2"},"type":"Opaque"}`), snapshot.Location{})
		require.NoError(t, err)
		require.Equal(t, []any{"a", "b", "c"}, w.Fields["keys"])
		require.NotContains(t, w.Fields, "data")
		require.NotContains(t, w.Fields, "type")
	}
}

// TestScriptsOfWindows: of a ConfigMap it is kept which keys hold a script whose first line ends with CR LF, and of a Secret nothing.
func TestScriptsOfWindows(t *testing.T) {
	const object = `{"metadata":{"name":"a"},"data":{"run.sh":"#!/bin/bash\r\nhunter2\r\n","unix.sh":"#!/bin/bash\nhunter2\r\n",` +
		`"notes.txt":"hunter2\r\n","empty":""}}`
	for view, want := range map[snapshot.View]any{snapshot.WholeConfigMaps: []any{"run.sh"}, snapshot.WholeSecrets: nil} {
		src, _ := snapshot.SourceOf(view)
		w, err := whole.Of(src, []byte(object), snapshot.Location{})
		require.NoError(t, err)
		require.Equal(t, want, w.Fields["windowsScripts"])
		text, err := json.Marshal(w.Fields)
		require.NoError(t, err)
		require.NotContains(t, string(text), "hunter2")
	}
}

// TestDaemonSetsAreTrimmed to where their pods run and which sockets of the node they use.
func TestDaemonSetsAreTrimmed(t *testing.T) {
	src, _ := snapshot.SourceOf(snapshot.WholeDaemonSets)
	w, err := whole.Of(src, []byte(`{"metadata":{"name":"a"},"spec":{"template":{"spec":{"nodeSelector":{"a":"b"},"containers":[{"name":"c",`+
		`"image":"i","args":["--token=hunter2","--endpoint=/csi/csi.sock"]}],"volumes":[{"name":"s","secret":{"secretName":"s"}},`+
		`{"name":"d","hostPath":{"path":"/var/lib"}}]}}},"status":{"numberReady":1}}`), snapshot.Location{})
	require.NoError(t, err)
	text, err := json.Marshal(w.Fields)
	require.NoError(t, err)
	require.JSONEq(t, `{"apiVersion":"apps/v1","kind":"DaemonSet","metadata":{"name":"a"},"spec":{"template":{"spec":{"nodeSelector":{"a":"b"},`+
		`"containers":[{"name":"c","args":["--endpoint=/csi/csi.sock"]}],"volumes":[{"name":"d","hostPath":{"path":"/var/lib"}}]}}}}`, string(text))
}
