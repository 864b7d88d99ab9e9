package manifests

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// copyWith is a SparkApplication, with the parts of its metadata that say which copy it is, and a label to know it by.
func copyWith(metadata, label string) string {
	return fmt.Sprintf("apiVersion: sparkoperator.k8s.io/v1beta2\nkind: SparkApplication\nmetadata: {name: a, namespace: ns, %s labels: "+
		"{copy: %s}}\n", metadata, label)
}

// TestCopies holds which copy of an object is judged: one of a kind, namespace and name. Where something tells which is
// newer, the order of the input changes nothing.
func TestCopies(t *testing.T) {
	for name, c := range map[string]struct {
		first, second string
		judged        []string // labels of what is judged
		swapped       []string // the same with the documents in the other order; nil: as above
		dropped       int
		differing     int
	}{
		"look-alikes: other namespace": {first: copyWith("", "x"),
			second: strings.Replace(copyWith("", "z"), "namespace: ns", "namespace: other", 1), judged: []string{"x", "z"},
			swapped: []string{"x", "z"}},
		"look-alikes: other name": {first: copyWith("", "x"), second: strings.Replace(copyWith("", "z"), "name: a", "name: b", 1),
			judged: []string{"x", "z"}},
		"look-alikes: generated names": {first: strings.Replace(copyWith("", "x"), "name: a", "generateName: a-", 1),
			second: strings.Replace(copyWith("", "z"), "name: a", "generateName: a-", 1), judged: []string{"x", "z"}},
		"generated name twice": {first: strings.Replace(copyWith("", "x"), "name: a", "generateName: a-", 1),
			second: strings.Replace(copyWith("", "x"), "name: a", "generateName: a-", 1), judged: []string{"x"}, dropped: 1},
		"manifest twice": {first: copyWith("", "x"), second: copyWith("", "x"), judged: []string{"x"}, dropped: 1},
		"manifest as JSON": {
			first: copyWith("", "x"), second: `{"kind":"SparkApplication","metadata":{"labels":{"copy":"x"},"name":"a","namespace":"ns"},"apiVersion":"sparkoperator.k8s.io/v1beta2"}` + "\n", judged: []string{"x"}, dropped: 1,
		},
		"manifests that differ": {first: copyWith("", "x"), second: copyWith("", "z"), judged: []string{"x", "z"}, differing: 1},
		"another version of the kind": {first: strings.Replace(copyWith("", "x"), "v1beta2", "v1beta1", 1), second: copyWith("", "z"),
			judged: []string{"x", "z"}, differing: 1},
		"dump twice": {first: copyWith("uid: u, resourceVersion: '7',", "x"),
			second: copyWith("uid: u, resourceVersion: '7',", "x"), judged: []string{"x"}, dropped: 1},
		"dump without versions twice": {first: copyWith("uid: u,", "x"), second: copyWith("uid: u,", "x"), judged: []string{"x"}, dropped: 1},
		"newer state": {first: copyWith("uid: u, resourceVersion: '9',", "x"),
			second: copyWith("uid: u, resourceVersion: '10',", "z"), judged: []string{"z"}, dropped: 1},
		"a huge version": {first: copyWith("uid: u, resourceVersion: '9',", "x"),
			second: copyWith("uid: u, resourceVersion: '"+strings.Repeat("9", 40)+"',", "z"), judged: []string{"z"}, dropped: 1},
		"no version to compare": {first: copyWith("uid: u, resourceVersion: x,", "x"), second: copyWith("uid: u, resourceVersion: y,", "z"),
			judged: []string{"z"}, swapped: []string{"x"}, dropped: 1, differing: 1},
		"created again": {
			first:  copyWith("uid: u, resourceVersion: '9', creationTimestamp: '2026-11-20T03:00:00Z',", "x"),
			second: copyWith("uid: w, resourceVersion: '8', creationTimestamp: '2026-11-20T04:00:00Z',", "z"), judged: []string{"z"}, dropped: 1,
		},
		"dump and manifest": {first: copyWith("uid: u, resourceVersion: '9',", "x"), second: copyWith("", "z"), judged: []string{"x"},
			dropped: 1},
	} {
		t.Run(name, func(t *testing.T) {
			for _, order := range []struct {
				text string
				want []string
			}{{c.first + "---\n" + c.second, c.judged}, {c.second + "---\n" + c.first, c.swapped}} {
				if order.want == nil {
					order.want = c.judged
				}
				s, in, err := Read(t.Context(), Options{Paths: []string{"-"}, Stdin: strings.NewReader(order.text), Now: later})
				require.NoError(t, err)
				got := []string{}
				for _, a := range s.SparkApplications() {
					got = append(got, a.Labels.Get("copy"))
				}
				require.ElementsMatch(t, order.want, got)
				require.Equal(t, []int{2, c.dropped, c.differing}, []int{in.Objects, in.Duplicates, len(in.Differing)})
			}
		})
	}
}

// TestManifestsThatDiffer holds that each of several manifests of an application is judged once, that a dump replaces all of them, and that
// of other kinds one is judged.
func TestManifestsThatDiffer(t *testing.T) {
	x, y, z := copyWith("", "x"), copyWith("", "w"), copyWith("", "z")
	for name, c := range map[string]struct {
		text    []string
		judged  string
		dropped int
	}{
		"three":             {[]string{x, y, z}, "xwz", 0},
		"one of them again": {[]string{x, y, x, y}, "xw", 2},
		"a dump":            {[]string{x, y, copyWith("uid: u,", "d"), z}, "d", 3},
	} {
		t.Run(name, func(t *testing.T) {
			s, in, err := Read(t.Context(), Options{Paths: []string{"-"}, Stdin: strings.NewReader(strings.Join(c.text, "---\n")), Now: later})
			require.NoError(t, err)
			got := ""
			for _, a := range s.SparkApplications() {
				got += a.Labels.Get("copy")
			}
			require.Equal(t, c.judged, got)
			require.Equal(t, c.dropped, in.Duplicates)
		})
	}
	operator := func(image string) string {
		return "apiVersion: apps/v1\nkind: Deployment\nmetadata: {name: o, namespace: ns}\nspec: {template: {spec: {containers: " +
			"[{image: " + image + "}]}}}\n"
	}
	twice := strings.NewReader(operator("a") + "---\n" + operator("b"))
	s, in, err := Read(t.Context(), Options{Paths: []string{"-"}, Stdin: twice, Now: later})
	require.NoError(t, err)
	require.Len(t, s.Deployments(), 1)
	require.Equal(t, []bool{false, true}, []bool{in.Differing[0].Both, in.Differing[0].Matters})
}

// TestCopiesOfEveryKind holds that each view, and what is in none, keeps one copy: the newer one, wherever it stands.
func TestCopiesOfEveryKind(t *testing.T) {
	kinds := map[string]string{"example.com/v1": "Widget"} // in no view
	for _, src := range snapshot.Sources() {
		kinds[src.APIVersion()] += " " + src.Kind
	}
	var older, newer strings.Builder
	for version, list := range kinds {
		for kind := range strings.FieldsSeq(list) {
			for _, launched := range []string{"true", "false"} {
				object := fmt.Sprintf("---\napiVersion: %s\nkind: %s\nmetadata: {name: n-%s, namespace: ns, uid: u-%s-%s, labels: "+
					"{sparkoperator.k8s.io/launched-by-spark-operator: '%s', sparkoperator.k8s.io/app-name: a}, resourceVersion: '%%d', annotations: "+
					"{sparkdoctor.io/ignore: SD%%d}}\nreason: FailedScheduling\nspec: {group: sparkoperator.k8s.io}\n", version, kind, launched, kind,
					launched, launched)
				fmt.Fprintf(&older, object, 9, 1001)
				fmt.Fprintf(&newer, object, 10, 1002)
			}
		}
	}
	once := recordsOf(t, newer.String())
	require.Greater(t, len(once), 40, "the text holds every kind")
	require.Equal(t, once, recordsOf(t, older.String()+newer.String()), "the newer ones last")
	require.Equal(t, once, recordsOf(t, newer.String()+older.String()), "the newer ones first")
	require.Equal(t, once, recordsOf(t, older.String()+older.String()+newer.String()+newer.String()), "each twice")
}

// recordsOf names the records of a text, and what they ignore.
func recordsOf(t *testing.T, text string) []string {
	t.Helper()
	s, _, err := Read(t.Context(), Options{Paths: []string{"-"}, Stdin: strings.NewReader(text), Now: later})
	require.NoError(t, err)
	var out []string
	for _, src := range append(snapshot.Sources(), snapshot.Source{View: snapshot.Owners}) {
		for r := range s.Records(src.View) {
			out = append(out, string(src.View)+" "+snapshot.KeyOf(r).Name+" "+snapshot.KeyOf(r).Kind)
		}
	}
	for _, one := range s.Ignored() {
		out = append(out, one.String()+" "+one.Text)
	}
	return out
}

// TestOlderCopyThatCannotBeDecoded holds that a copy which is not judged does not make a view partial.
func TestOlderCopyThatCannotBeDecoded(t *testing.T) {
	odd := copyWith("uid: u, resourceVersion: '1',", "x") + "status: {executorState: []}\n"
	well := copyWith("uid: u, resourceVersion: '2',", "z") + "status: {executorState: {}}\n"
	for _, text := range []string{odd + "---\n" + well, well + "---\n" + odd} {
		s, _, err := Read(t.Context(), Options{Paths: []string{"-"}, Stdin: strings.NewReader(text), Now: later})
		require.NoError(t, err)
		require.Equal(t, snapshot.Complete, s.Coverage(snapshot.SparkApplications).State)
	}
	s, _, err := Read(t.Context(), Options{Paths: []string{"-"}, Stdin: strings.NewReader(odd), Now: later})
	require.NoError(t, err)
	require.Equal(t, snapshot.Partial, s.Coverage(snapshot.SparkApplications).State)
}
