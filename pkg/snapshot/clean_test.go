package snapshot

import (
	"encoding/json"
	"fmt"
	"reflect"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/redact"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/redact/redacttest"
)

// plant puts a text into everything in a value that may hold one, and returns how many places there are.
func plant(v reflect.Value, text string) int {
	if v.Type() == reflect.TypeFor[Labels]() {
		v.Set(reflect.ValueOf(LabelsOf(map[string]string{"note": text})))
		return 1
	}
	if isName(v.Type()) {
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
	views := []View{SparkApplications, SparkPods, Owners, Annotated, ServedCertificates, OperatorLogs, RoleBindings, WarningEvents, OperatorCRDs}
	for _, src := range Sources() {
		views = append(views, src.View)
	}
	types := map[reflect.Type]View{}
	for _, v := range views {
		if r := newRecord(v); r != nil {
			types[reflect.TypeOf(r).Elem()] = v
		}
	}
	require.Greater(t, len(types), 15)
	for typ, view := range types {
		for _, form := range redacttest.Forms("hunter2Zq9xK4") {
			planted := func() Record {
				v := reflect.New(typ)
				require.Positive(t, plant(v.Elem(), form.Text))
				r, _ := v.Interface().(Record)
				r.object().Ref = Ref{APIVersion: "v1", Kind: "X", Namespace: "a", Name: "b", UID: "c"}
				return r
			}
			var b Batch
			r := planted()
			b.Add(view, r)
			for name, text := range map[string]string{"the snapshot": raw(r), "an archive": encoded(t, planted()), "an amended snapshot": amended(view, planted())} {
				require.NotContains(t, text, form.Secret, "%s, %s, as %s", name, typ, form.Text)
				require.Contains(t, text, redact.Mark)
			}
		}
	}
}

// raw returns all that is in a record, also what the encoder would leave out or clean.
func raw(r Record) string {
	text, err := json.Marshal(r)
	return fmt.Sprint(string(text), err, r.object().Labels.sorted())
}

func encoded(t *testing.T, r Record) string {
	t.Helper()
	text, err := NewEncoder().Append(nil, r)
	require.NoError(t, err)
	return string(text)
}

func amended(v View, r Record) string {
	s := NewBuilder(time.Time{}).Seal()
	s.Amend([]Update{{View: v, Ref: r.object().Ref, Record: r}})
	return raw(r)
}

// TestCleanLeavesWhatIsShared: pods that are alike share what is wrong with them; only the one with a secret gets its own.
func TestCleanLeavesWhatIsShared(t *testing.T) {
	shared := &Trouble{Message: "token=hunter2"}
	owners := []OwnerReference{{Name: "driver"}}
	p := &Pod{Object: Object{Owners: owners}, Trouble: shared}
	clean(p)
	require.Equal(t, "token="+redact.Mark, p.Trouble.Message)
	require.Equal(t, "token=hunter2", shared.Message, "another record may hold it, and is cleaned by itself")
	quiet := &Trouble{Message: "0/3 nodes are available"}
	p = &Pod{Object: Object{Owners: owners}, Trouble: quiet}
	clean(p)
	require.Same(t, quiet, p.Trouble)
	require.Same(t, &owners[0], &p.Owners[0])
}

// TestCleanIsCheap: a fleet has 100,000 pods, of which most have no text at all.
func TestCleanIsCheap(t *testing.T) {
	p := &Pod{Object: Object{Ref: Ref{Namespace: "a", Name: "b"}, Labels: LabelsOf(map[string]string{AppNameLabel: "etl"})}, Phase: "Running"}
	require.Zero(t, testing.AllocsPerRun(100, func() { clean(p) }))
}
