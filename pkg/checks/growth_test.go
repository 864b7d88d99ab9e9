package checks_test

import (
	"fmt"
	"reflect"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/internal/sampling"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/collect/manifests"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// grown is a text, a list or a map of the records of a view, by the numbers of the fields that lead to it. What lies in a list is looked
// for in its first item.
type grown struct {
	view snapshot.View
	path []int
	name string
}

// places finds all of them.
func places() []grown {
	var out []grown
	for _, src := range snapshot.Sources() {
		if r := snapshot.NewRecord(src.View); r != nil {
			out = append(out, within(grown{view: src.View, name: string(src.View)}, reflect.TypeOf(r).Elem())...)
		}
	}
	return out
}

func within(at grown, t reflect.Type) []grown {
	var out []grown
	switch t.Kind() {
	case reflect.String, reflect.Map:
		out = append(out, at)
	case reflect.Slice:
		out = append(append(out, at), within(at, t.Elem())...)
	case reflect.Pointer:
		out = within(at, t.Elem())
	case reflect.Struct:
		for i := range t.NumField() {
			if f := t.Field(i); f.IsExported() && f.Type != reflect.TypeFor[time.Time]() && f.Type != reflect.TypeFor[snapshot.Labels]() {
				out = append(out, within(grown{at.view, append(slices.Clone(at.path), i), at.name + "." + f.Name}, f.Type)...)
			}
		}
	}
	if t.Kind() == reflect.Slice { // its items are told from itself by the kind that a path ends with
		return slices.CompactFunc(out, func(a, b grown) bool { return a.name == b.name })
	}
	return out
}

// grow returns a copy of a value in which what a path leads to has n bytes or items.
func grow(v reflect.Value, path []int, n int) reflect.Value {
	out := reflect.New(v.Type()).Elem()
	out.Set(v)
	switch v.Kind() {
	case reflect.String:
		out.SetString(strings.Repeat("secret: token=a ", 1+n/16))
	case reflect.Map:
		out.Set(reflect.MakeMap(v.Type()))
		for i := range n {
			out.SetMapIndex(filled(v.Type().Key(), i), filled(v.Type().Elem(), i))
		}
	case reflect.Pointer:
		out.Set(reflect.New(v.Type().Elem()))
		from := out.Elem()
		if !v.IsNil() {
			from = v.Elem()
		}
		out.Elem().Set(grow(from, path, n))
	case reflect.Slice:
		if len(path) > 0 {
			out.Set(reflect.MakeSlice(v.Type(), max(1, v.Len()), max(1, v.Len())))
			reflect.Copy(out, v)
			out.Index(0).Set(grow(out.Index(0), path, n))
			return out
		}
		out.Set(reflect.MakeSlice(v.Type(), n, n))
		for i := range n {
			out.Index(i).Set(filled(v.Type().Elem(), i))
		}
	case reflect.Struct:
		out.Field(path[0]).Set(grow(v.Field(path[0]), path[1:], n))
	}
	return out
}

// filled is a value whose texts differ from those of others.
func filled(t reflect.Type, i int) reflect.Value {
	v := reflect.New(t).Elem()
	switch t.Kind() {
	case reflect.String:
		v.SetString(fmt.Sprint("n", i))
	case reflect.Uint8:
		v.SetUint(uint64(i % 251)) //nolint:gosec // a byte
	case reflect.Int, reflect.Int32, reflect.Int64:
		v.SetInt(int64(i % 100))
	case reflect.Interface:
		if t.NumMethod() == 0 {
			v.Set(reflect.ValueOf(fmt.Sprint("n", i)))
		}
	case reflect.Pointer:
		v.Set(reflect.New(t.Elem()))
		v.Elem().Set(filled(t.Elem(), i))
	case reflect.Struct:
		for f := range t.NumField() {
			if t.Field(f).IsExported() && t.Field(f).Type != reflect.TypeFor[time.Time]() && t.Field(f).Type != reflect.TypeFor[snapshot.Labels]() {
				v.Field(f).Set(filled(t.Field(f).Type, i))
			}
		}
	}
	return v
}

// takes returns how many bytes are allocated to build a snapshot out of that of the example and a record more, and to look at it. The
// record is a copy of one that is there, or empty.
func takes(from *snapshot.Snapshot, at grown, n int, look func(*snapshot.Snapshot)) float64 {
	record := snapshot.NewRecord(at.view)
	for r := range from.Records(at.view) {
		record = r
		break
	}
	value := reflect.ValueOf(record).Elem()
	if n > 0 {
		value = grow(value, at.path, n)
	}
	more := reflect.New(value.Type())
	more.Elem().Set(value)
	object := snapshot.ObjectOf(more.Interface().(snapshot.Record)) //nolint:forcetypeassert // as it is
	if object.Name == "" || n == 0 {
		src, _ := snapshot.SourceOf(at.view)
		object.Ref = snapshot.Ref{APIVersion: src.APIVersion(), Kind: src.Kind, Namespace: "team-a", Name: "more", UID: "more"}
	}
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	b := snapshot.NewBuilder(from.TakenAt)
	b.FromFiles(true)
	for _, src := range snapshot.Sources() {
		for r := range from.Records(src.View) {
			b.Add(src.View, r)
		}
		b.Cover(src.View, snapshot.Coverage{State: snapshot.Complete})
	}
	b.Add(at.view, more.Interface().(snapshot.Record)) //nolint:forcetypeassert // as above
	look(b.Seal())
	runtime.ReadMemStats(&after)
	return float64(after.TotalAlloc - before.TotalAlloc)
}

// excess returns the places whose growth by ten takes more than twelve times the memory, beside what the rest takes.
func excess(t *testing.T, list []grown, look func(*snapshot.Snapshot)) []string {
	t.Helper()
	example := manifests.Options{Paths: []string{"../../examples/broken-cluster"}, Complete: true, Now: time.Now()}
	from, _, err := manifests.Read(t.Context(), example)
	require.NoError(t, err)
	const few, noise = 300, 512 << 10 // tables double as they grow
	var out []string
	for _, at := range list {
		says := ""
		for range 3 { // what is made once, or by others meanwhile, is not there each time
			none := takes(from, at, 0, look)
			once, more := takes(from, at, few, look)-none, takes(from, at, 10*few, look)-none
			if more <= 12*max(once, 0)+noise {
				says = ""
				break
			}
			says = fmt.Sprintf("%s: %.0f KiB, and 10 times as much takes %.0f KiB", at.name, once/1024, more/1024)
		}
		if says != "" {
			out = append(out, says)
		}
	}
	return out
}

// TestGrowthIsLinear: ten times as much in any text, list or map of any record takes at most twelve times the memory of a scan: what is
// built, cleaned of secrets, checked and correlated.
func TestGrowthIsLinear(t *testing.T) {
	if sampling.Raced() {
		t.Skip("the race detector allocates, too: make test runs this without it")
	}
	list := places()
	require.Greater(t, len(list), 300)
	params := check.DefaultParams()
	assert.Empty(t, excess(t, sampling.NightlyOf(list), func(s *snapshot.Snapshot) { check.Correlate(check.Run(s, checks.All(), params)) }))
}

// TestGrowthIsNoticed: the test above finds what is quadratic.
func TestGrowthIsNoticed(t *testing.T) {
	if sampling.Raced() {
		t.Skip("the race detector allocates, too: make test runs this without it")
	}
	owners := slices.DeleteFunc(places(), func(g grown) bool { return g.name != string(snapshot.SparkPods)+".Object.Owners" })
	require.NotEmpty(t, owners)
	var kept [][]snapshot.OwnerReference
	require.NotEmpty(t, excess(t, owners, func(s *snapshot.Snapshot) {
		for _, pod := range s.SparkPods() {
			for i := range pod.Owners {
				kept = append(kept[:0], slices.Clone(pod.Owners[:i]))
			}
		}
	}))
}
