package archive

import (
	"encoding"
	"encoding/binary"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
	"unsafe"

	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot/wire"
)

// filler sets every field of a value, exported or not, to something that no other field has.
type filler struct{ n int }

func (f *filler) text() string { f.n++; return fmt.Sprintf("text-%d", f.n) }

func (f *filler) fill(t *testing.T, v reflect.Value) {
	t.Helper()
	if !v.CanSet() {
		v = reflect.NewAt(v.Type(), unsafe.Pointer(v.UnsafeAddr())).Elem() // #nosec G103 -- a test looks into all fields
	}
	switch to := v.Addr().Interface().(type) {
	case *time.Time:
		f.n++
		*to = time.Date(2026, 1, 1, 0, 0, f.n, 0, time.UTC)
		return
	case *snapshot.Labels:
		o := snapshot.Object{Labels: snapshot.LabelsOf(map[string]string{f.text(): f.text(), snapshot.ExecutorIDLabel: f.text()})}
		wire.NewDecoder().Share(&o)
		*to = o.Labels
		return
	case *snapshot.Features:
		f.n++
		*to = snapshot.Features(binary.BigEndian.AppendUint64(nil, 0xff00ff00<<32+uint64(f.n))) // #nosec G115 -- small
		return
	case *metav1.LabelSelector:
		*to = metav1.LabelSelector{MatchLabels: map[string]string{f.text(): f.text()},
			MatchExpressions: []metav1.LabelSelectorRequirement{{Key: f.text(), Operator: "In", Values: []string{f.text()}}}}
		return
	case encoding.TextUnmarshaler:
		require.NoError(t, to.UnmarshalText([]byte("missing")), "give %T a word here", to)
		return
	}
	switch v.Kind() {
	case reflect.String:
		v.SetString(f.text())
	case reflect.Int, reflect.Int32, reflect.Int64:
		if v.Type().PkgPath() != "" && v.Type() != reflect.TypeFor[time.Duration]() {
			t.Errorf("%s would be saved as a number, which means something else when a constant is added: give it MarshalText and UnmarshalText",
				v.Type())
		}
		f.n++
		v.SetInt(int64(f.n))
	case reflect.Uint8:
		f.n++
		v.SetUint(uint64(f.n % 256)) // #nosec G115 -- small
	case reflect.Bool:
		v.SetBool(true)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 2, 2))
		f.fill(t, v.Index(0))
		f.fill(t, v.Index(1))
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		f.fill(t, v.Elem())
	case reflect.Map:
		key, value := reflect.New(v.Type().Key()).Elem(), reflect.New(v.Type().Elem()).Elem()
		f.fill(t, key)
		f.fill(t, value)
		v.Set(reflect.MakeMap(v.Type()))
		v.SetMapIndex(key, value)
	case reflect.Struct:
		for i := range v.NumField() {
			f.fill(t, v.Field(i))
		}
		if s, ok := v.Addr().Interface().(*snapshot.Schedule); ok {
			s.Template.Object = snapshot.Object{} // the metadata are the schedule's
		}
	default:
		t.Errorf("the codec does not know %s", v.Type())
	}
}

// savable are all views with a type of records.
func savable() []snapshot.View {
	views := []snapshot.View{snapshot.Owners, snapshot.Annotated, snapshot.ServedCertificates, snapshot.OperatorLogs}
	for _, src := range snapshot.Sources() {
		views = append(views, src.View)
	}
	return views
}

// TestRecordsSurviveAnArchive fills every field of every type of record. It fails for a field that the codec forgets:
// one that is not exported needs a form of its own.
func TestRecordsSurviveAnArchive(t *testing.T) {
	var f filler
	for _, v := range savable() {
		want := snapshot.NewRecord(v)
		require.NotNil(t, want, "%s: name the type of its records in newRecord", v)
		f.fill(t, reflect.ValueOf(want).Elem())
		text, err := NewEncoder().Append(nil, want)
		require.NoError(t, err, v)
		got := snapshot.NewRecord(v)
		l := NewLoader(snapshot.Saved{})
		require.NoError(t, l.decode(got, text, &v), "%s: %s", v, text)
		require.False(t, l.newer[v], "%s: %s", v, text)
		require.Equal(t, want, got, "%s: %s", v, text)
	}
}

func TestNothingIsNothing(t *testing.T) {
	for _, v := range savable() {
		text, err := NewEncoder().Append(nil, snapshot.NewRecord(v))
		require.NoError(t, err)
		require.Equal(t, "{}\n", string(text), v)
	}
}

// TestSnapshotSurvivesAnArchive saves a snapshot with a filled record in every view, and what is not a record.
func TestSnapshotSurvivesAnArchive(t *testing.T) {
	want := filledSnapshot(t)
	got, notes := again(t, want, nil)
	require.Empty(t, notes)
	require.True(t, reflect.DeepEqual(want, got))
}

// filledSnapshot has a record with all fields in every view.
func filledSnapshot(t *testing.T) *snapshot.Snapshot {
	t.Helper()
	b := snapshot.NewBuilder(time.Date(2026, 11, 21, 3, 0, 0, 0, time.UTC))
	b.FromServer()
	b.Asked([]string{"a"})
	var f filler
	for _, v := range savable() {
		if v == snapshot.Annotated {
			continue
		}
		r := snapshot.NewRecord(v)
		f.fill(t, reflect.ValueOf(r).Elem())
		o := snapshot.ObjectOf(r)
		o.Labels = snapshot.LabelsOf(map[string]string{snapshot.AppNameLabel: f.text()})
		if src, listed := snapshot.SourceOf(v); listed {
			o.APIVersion, o.Kind = src.APIVersion(), src.Kind
		}
		b.Add(v, r)
		b.Cover(v, snapshot.Coverage{State: snapshot.Complete, Namespaces: []string{},
			Unseen: []snapshot.Unseen{{Verb: "list", Resource: string(v), Reason: "why"}}, Resumed: true})
	}
	// An owner that only a reference names, and an object that is in no view but has the annotation.
	var ref snapshot.OwnerReference
	for a := range b.Applications() {
		ref = a.Owners[0]
	}
	b.Add(snapshot.Owners, &snapshot.Object{Ref: snapshot.Ref{APIVersion: ref.APIVersion, Kind: ref.Kind, Namespace: "elsewhere",
		Name: ref.Name, UID: ref.UID}})
	b.Add(snapshot.ConfigMaps, &snapshot.Object{Ref: snapshot.Ref{APIVersion: "v1", Kind: "ConfigMap", Namespace: "a", Name: "other"},
		Seldom: &snapshot.Seldom{Ignore: "SD2001: fine"}})
	b.CoverOwnerKind(snapshot.GroupKind{Group: "g", Kind: "K"},
		snapshot.OwnerKind{Served: true, Namespaced: true, Coverage: snapshot.Coverage{State: snapshot.Partial, Namespaces: []string{"a"},
			Unseen: []snapshot.Unseen{{Verb: "list"}}, Resumed: true}})
	return b.Seal()
}

// again saves a snapshot and loads it; change may make of it what another build would have saved.
func again(t *testing.T, s *snapshot.Snapshot, change func(*snapshot.Saved, snapshot.View, []byte) []byte) (*snapshot.Snapshot, []string) {
	t.Helper()
	saved, err := s.Saved()
	require.NoError(t, err)
	lines := map[snapshot.View][][]byte{}
	e := NewEncoder()
	for _, v := range saved.Views {
		for r := range s.Records(v.View) {
			line, err := e.Append(nil, r)
			require.NoError(t, err)
			if change != nil {
				line = change(&saved, v.View, line)
			}
			lines[v.View] = append(lines[v.View], line)
		}
	}
	l := NewLoader(saved)
	for v, list := range lines {
		for _, line := range list {
			require.NoError(t, l.Add(v, line), "%s: %s", v, line)
		}
	}
	got, notes, err := l.Seal()
	require.NoError(t, err)
	return got, notes
}

func TestArchiveOfAnOlderBuild(t *testing.T) {
	b := snapshot.NewBuilder(time.Date(2026, 11, 21, 3, 0, 0, 0, time.UTC))
	b.Add(snapshot.SparkPods, &snapshot.Pod{Object: snapshot.Object{Ref: snapshot.Ref{APIVersion: "v1", Kind: "Pod", Namespace: "a",
		Name: "p"}}})
	b.Cover(snapshot.SparkPods, snapshot.Coverage{State: snapshot.Complete})
	b.Cover(snapshot.Deployments, snapshot.Coverage{State: snapshot.NotServed})
	s, notes := again(t, b.Seal(), func(saved *snapshot.Saved, _ snapshot.View, line []byte) []byte {
		saved.Fields["Pod"] = slices.DeleteFunc(saved.Fields["Pod"], func(f string) bool { return f == "Phase" })
		saved.Fields["Deployment"] = nil
		return []byte(strings.Replace(string(line), "{", `{"Future":1,`, 1))
	})
	require.Equal(t, []string{
		`pods launched by the operator: saved without Phase, by an older build`,
		`pods launched by the operator: saved with fields that this build does not know`,
	}, notes)
	require.Equal(t, snapshot.Partial, s.Coverage(snapshot.SparkPods).State, "nobody knows what the field would be")
	require.Equal(t, snapshot.NotServed, s.Coverage(snapshot.Deployments).State, "there is nothing that could have the field")
	require.Equal(t, snapshot.Coverage{State: snapshot.Unseeable,
		Unseen: []snapshot.Unseen{{Verb: "read", Resource: string(snapshot.Namespaces), Reason: snapshot.NotSaved,
			Obstacle: snapshot.Unsaved}}},
		s.Coverage(snapshot.Namespaces))
	require.Equal(t, snapshot.NotAsked, s.Coverage(snapshot.OperatorLogs).State, "that is only read on request")
	require.Len(t, s.SparkPods(), 1)
}

func TestUnknownViewIsSaid(t *testing.T) {
	l := NewLoader(snapshot.Saved{Views: []snapshot.SavedView{{View: "dreams", Records: 3}}})
	require.False(t, l.Knows("dreams"))
	_, notes, err := l.Seal()
	require.NoError(t, err)
	require.Equal(t, []string{`view "dreams" is not known to this build`}, notes)
}

func TestRecordsThatDoNotFit(t *testing.T) {
	l := NewLoader(snapshot.Saved{})
	for text, want := range map[string]string{
		`{"kind":"Pod","apiVersion":"v1","name":"p"}`:  `a record is a "Pod", where a Deployment.apps belongs`,
		`{"kind":"Deployment","apiVersion":"apps/v1"}`: "a record has no name",
		`{"name":[]}`:      "name is a list, which does not belong there",
		`{"Replicas":"x"}`: "Replicas is a string, which does not belong there",
		`[]`:               "is a list, which does not belong there",
		`{"name":"a"`:      "byte 11: unexpected EOF",
	} {
		require.EqualError(t, l.Add(snapshot.Deployments, []byte(text)), want, text)
	}
	require.ErrorContains(t, l.Add(snapshot.SparkPods, []byte(`{"Features":"AAAA"}`)), "is no set of features")
	require.NoError(t, l.Add(snapshot.Deployments, []byte(`{"kind":"Deployment","apiVersion":"apps/v1","name":"p"}`)))
	_, _, err := l.Seal()
	require.EqualError(t, err, "1 records of deployments.apps instead of 0")
	_, _, err = NewLoader(snapshot.Saved{Views: []snapshot.SavedView{{View: snapshot.Namespaces, Records: 2}}}).Seal()
	require.EqualError(t, err, "0 records of namespaces instead of 2")
}

func TestSecretsAreCleanedAndCounted(t *testing.T) {
	e := NewEncoder()
	text, err := e.Append(nil, &snapshot.Event{Object: snapshot.Object{Ref: snapshot.Ref{Name: "e"}},
		Message: "password=hunter2 and s3://me:hunter2@bucket, already " + snapshot.Redacted})
	require.NoError(t, err)
	require.NotContains(t, string(text), "hunter2")
	require.Equal(t, 3, e.Redacted)

	account := "system:serviceaccount:token:etl"
	text, err = e.Append(nil, &snapshot.Object{Ref: snapshot.Ref{Name: account}})
	require.NoError(t, err)
	require.Contains(t, string(text), account, "names are no secrets")
}

// TestSharingSurvives holds that records of a fleet share what they have in common when they are loaded.
func TestSharingSurvives(t *testing.T) {
	b := snapshot.NewBuilder(time.Time{})
	for i := range 3 {
		b.Add(snapshot.SparkPods, &snapshot.Pod{
			Object: snapshot.Object{
				Ref:    snapshot.Ref{APIVersion: "v1", Kind: "Pod", Namespace: "a", Name: fmt.Sprint("p", i)},
				Owners: []snapshot.OwnerReference{{Name: "driver", UID: "u"}},
				Labels: snapshot.LabelsOf(map[string]string{snapshot.AppNameLabel: "a", snapshot.ExecutorIDLabel: fmt.Sprint(i)}),
			},
			Features: snapshot.FeaturesOf([]snapshot.Feature{{Field: snapshot.Env, Name: "A"}, {Field: snapshot.Env, Name: "B"}}),
		})
	}
	s, _ := again(t, b.Seal(), nil)
	pods := s.SparkPods()
	require.Len(t, pods, 3)
	for i := range pods[1:] {
		a, b := pods[i], pods[i+1]
		require.Same(t, &a.Owners[0], &b.Owners[0])
		require.Same(t, a.Labels.Shared, b.Labels.Shared)
		require.Same(t, unsafe.StringData(a.Namespace), unsafe.StringData(b.Namespace))
		require.Same(t, unsafe.StringData(a.App()), unsafe.StringData(b.App()))
		require.Same(t, unsafe.StringData(string(a.Features)), unsafe.StringData(string(b.Features)))
		require.Equal(t, fmt.Sprint(i), a.Labels.Get(snapshot.ExecutorIDLabel))
	}
}
