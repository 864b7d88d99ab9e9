package wire

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot/schema"
)

// schemaOf decodes a CRD whose spec has a schema.
func schemaOf(t *testing.T, spec string) snapshot.Schemas {
	t.Helper()
	b := snapshot.NewBuilder(time.Time{})
	for _, view := range []snapshot.View{snapshot.OperatorCRDs, snapshot.CRDRules} {
		record, err := Decode(source(t, view), Item{Encoding: snapshot.JSON, Raw: []byte(`{"metadata":{"name":` +
			`"sparkapplications.sparkoperator.k8s.io"},"spec":{"group":"sparkoperator.k8s.io","names":{"plural":"sparkapplications"},` +
			`"versions":[{"name":"v1alpha1","schema":{"openAPIV3Schema":{"properties":{"spec":{"required":["old"]}}}}},` +
			`{"name":"v1beta2","storage":true,"schema":{"openAPIV3Schema":{"properties":{"spec":` + spec + `}}}}]}}`)})
		require.NoError(t, err)
		b.Add(view, record)
	}
	out := snapshot.SchemasOf(b.Seal())
	require.Len(t, out, 1)
	return out
}

func source(t *testing.T, v snapshot.View) snapshot.Source {
	t.Helper()
	src, known := snapshot.SourceOf(v)
	require.True(t, known)
	return src
}

func TestUnkeptFields(t *testing.T) {
	schemas := schemaOf(t, `{"properties":{"a":{"type":"string"},"conf":{"additionalProperties":{"type":"string"}},`+
		`"any":{"additionalProperties":true},"map":{"additionalProperties":{"properties":{"k":{"type":"string"}}}},`+
		`"open":{"x-kubernetes-preserve-unknown-fields":true,"properties":{"in":{"properties":{"b":{"type":"string"}}}}},`+
		`"list":{"items":{"properties":{"name":{"type":"string"}}}},"empty":{"type":"object"}}}`)
	for spec, want := range map[string][]string{
		`{"a":"1","conf":{"x":"1"},"any":{"x":{"y":1}},"map":{"x":{"k":"1"}},"list":[{"name":"1"}],"empty":{}}`: nil,
		`{"b":1,"c":null}`:                               {"b"},
		`{"empty":{"x":1}}`:                              {"empty.x"},
		`{"map":{"x":{"l":1},"y":{"l":2,"k":"1"}}}`:      {"map.*.l"},
		`{"list":[{"name":"1"},{"m":{"deep":1}},3,[4]]}`: {"list.[].m"},
		`{"open":{"x":{"y":1},"in":{"b":"1"}}}`:          nil,
		`["a"]`:                                          nil,
		`null`:                                           nil,
	} {
		d := NewDecoder()
		d.Compare(schemas)
		r, err := d.Decode(source(t, snapshot.SparkApplications), Item{Encoding: snapshot.JSON, Raw: []byte(
			`{"kind":"SparkApplication","metadata":{"name":"etl","namespace":"a","finalizers":["x"]},"spec":` + spec + `}`)})
		if err == nil {
			require.Equal(t, []string{"x"}, snapshot.ObjectOf(r).Finalizers())
		}
		require.Equal(t, want, snapshot.ObjectOf(r).Unkept(), spec)
	}
}

// TestSchemasThatKeepAll are none: objects are not compared with them.
func TestSchemasThatKeepAll(t *testing.T) {
	schemas := func(version string, preserves bool) snapshot.Schemas {
		b := snapshot.NewBuilder(time.Time{})
		b.Add(snapshot.OperatorCRDs, &snapshot.CRD{
			Object:           snapshot.Object{Ref: snapshot.Ref{Name: string(snapshot.SparkApplications)}},
			PreservesUnknown: preserves, Versions: []snapshot.CRDVersion{{Name: version, Storage: true, Fields: []string{"a"}}},
		})
		return snapshot.SchemasOf(b.Seal())
	}
	require.Len(t, schemas("v1beta2", false), 1)
	require.Empty(t, schemas("v1beta2", true))
	require.Empty(t, schemas("v1", false), "objects are read in another version")
}

// TestKeysOfMapsAreKept in the place of a field: requests.storage of a claim is a field up to chart 1.4.4, and a key of a map since.
func TestKeysOfMapsAreKept(t *testing.T) {
	v := schemaOf(t, `{"properties":{"requests":{"additionalProperties":{"type":"string"}},"map":{"additionalProperties":{"properties":`+
		`{"k":{"type":"string"}}}},"open":{"x-kubernetes-preserve-unknown-fields":true},"list":{"items":{"properties":{"a":{"type":"string"}}}}}}`,
	)[snapshot.SparkApplications]
	for field, kept := range map[string]bool{
		"requests.storage": true, "requests.storage.deep": false, "map.x.k": true, "map.x.l": false, "open": true, "open.x.y": true,
		"list.[].a": true, "list.[].b": false, "gone": false,
	} {
		require.Equal(t, kept, v.Keeps(field), field)
	}
}

// TestRefusedValues are held against what the CRD demands, as the decoder of CRDs reads it.
func TestRefusedValues(t *testing.T) {
	schemas := schemaOf(t, `{"type":"object","required":["type"],"properties":{"type":{"type":"string","enum":["Scala"]},`+
		`"driver":{"properties":{"template":{"type":"object","x-kubernetes-preserve-unknown-fields":true}}}}}`)
	for spec, want := range map[string][]schema.Violation{
		`{"type":"Scala","driver":{"template":{"spec":7}}}`: nil,
		`{"type":"Scala","other":1}`:                        nil,
		`{}`:                                                {{Keyword: schema.Required, Name: "type"}},
		`{"type":"Go"}`:                                     {{Path: "type", Keyword: schema.Enum}},
	} {
		d := NewDecoder()
		d.Compare(schemas)
		r, err := d.Decode(source(t, snapshot.SparkApplications), Item{Encoding: snapshot.JSON, Raw: []byte(
			`{"kind":"SparkApplication","metadata":{"name":"etl","namespace":"a"},"spec":` + spec + `}`)})
		require.NoError(t, err)
		got := snapshot.ObjectOf(r).Refused()
		require.Len(t, got, len(want), spec)
		for i, v := range got {
			require.Equal(t, []string{want[i].Path, want[i].Keyword, want[i].Name}, []string{v.Path, v.Keyword, v.Name}, spec)
		}
	}
}
