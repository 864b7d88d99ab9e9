package archive

import (
	"encoding/json"
	"fmt"
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/redact"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/redact/redacttest"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// plant puts a text into everything in a value that may hold one, and returns how many places there are.
func plant(v reflect.Value, text string) int {
	if v.Type() == reflect.TypeFor[snapshot.Labels]() {
		v.Set(reflect.ValueOf(snapshot.LabelsOf(map[string]string{"note": text})))
		return 1
	}
	switch v.Type() { // names, and what is no text
	case reflect.TypeFor[snapshot.Ref](), reflect.TypeFor[snapshot.OwnerReference](), reflect.TypeFor[snapshot.GroupKind](),
		reflect.TypeFor[snapshot.Location](),
		reflect.TypeFor[snapshot.Features](), reflect.TypeFor[time.Time](), reflect.TypeFor[metav1.LabelSelector]():
		return 0
	}
	places := 0
	switch v.Kind() {
	case reflect.String:
		v.SetString(text)
		return 1
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				places += plant(v.Field(i), text)
			}
		}
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		return plant(v.Elem(), text)
	case reflect.Slice:
		if v.Type().Elem().Kind() != reflect.Uint8 {
			v.Set(reflect.MakeSlice(v.Type(), 1, 1))
			return plant(v.Index(0), text)
		}
	case reflect.Interface: // of JSON values
		v.Set(reflect.ValueOf(map[string]any{"a": text, "b": []any{text, map[string]any{"c": text}}, "n": int64(1)}))
		return 3
	case reflect.Map:
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		places = plant(value, text)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(key, value)
	}
	return places
}

// TestNoFieldKeepsASecret plants every form of a secret in every text of every type of record, however it came to be
// there, and looks for it in the snapshot, in one that is amended, and in an archive. A field that is added is planted by
// itself.
func TestNoFieldKeepsASecret(t *testing.T) {
	views := []snapshot.View{snapshot.SparkApplications, snapshot.SparkPods, snapshot.Owners, snapshot.Annotated, snapshot.ServedCertificates,
		snapshot.OperatorLogs, snapshot.RoleBindings, snapshot.WarningEvents, snapshot.OperatorCRDs, snapshot.ApplicationLogs}
	for _, src := range append(snapshot.Sources(), snapshot.WholeSources()...) {
		views = append(views, src.View)
	}
	types := map[reflect.Type]snapshot.View{}
	for _, v := range views {
		if r := snapshot.NewRecord(v); r != nil {
			types[reflect.TypeOf(r).Elem()] = v
		}
	}
	require.Greater(t, len(types), 15)
	for typ, view := range types {
		for _, form := range redacttest.Forms("hunter2Zq9xK4") {
			planted := func() snapshot.Record {
				v := reflect.New(typ)
				require.Positive(t, plant(v.Elem(), form.Text))
				r, _ := v.Interface().(snapshot.Record)
				snapshot.ObjectOf(r).Ref = snapshot.Ref{APIVersion: "v1", Kind: "X", Namespace: "a", Name: "b", UID: "c"}
				return r
			}
			var b snapshot.Batch
			r := planted()
			b.Add(view, r)
			for name, text := range map[string]string{"the snapshot": raw(r), "an archive": encoded(t, planted()),
				"an amended snapshot": amended(view, planted())} {
				require.NotContains(t, text, form.Secret, "%s, %s, as %s", name, typ, form.Text)
				require.Contains(t, text, redact.Mark)
			}
		}
	}
}

// raw returns all that is in a record, also what the encoder would leave out or clean.
func raw(r snapshot.Record) string {
	text, err := json.Marshal(r)
	return fmt.Sprint(string(text), err, snapshot.ObjectOf(r).Labels.Sorted())
}

func encoded(t *testing.T, r snapshot.Record) string {
	t.Helper()
	text, err := NewEncoder().Append(nil, r)
	require.NoError(t, err)
	return string(text)
}

func amended(v snapshot.View, r snapshot.Record) string {
	s := snapshot.NewBuilder(time.Time{}).Seal()
	s.Amend([]snapshot.Update{{View: v, Ref: snapshot.ObjectOf(r).Ref, Record: r}})
	return raw(r)
}
