package snapshot

import (
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// TestPodsOf holds that the pods of an application are found whatever they are called, and no others.
func TestPodsOf(t *testing.T) {
	b := NewBuilder(time.Time{})
	want := map[[2]string][]string{}
	for i := range 300 {
		p := &Pod{Object: Object{Ref: Ref{APIVersion: "v1", Kind: "Pod", Namespace: fmt.Sprint("ns", i%3), Name: fmt.Sprintf("p%03d", i)}}}
		app := ""
		if i%5 > 0 { // the others are of no application
			app = fmt.Sprint("app-", i%5)
			p.Labels = LabelsOf(map[string]string{AppNameLabel: app})
		}
		b.Add(SparkPods, p)
		if app != "" {
			want[[2]string{p.Namespace, app}] = append(want[[2]string{p.Namespace, app}], p.Name)
		}
	}
	want[[2]string{"ns9", "app-1"}], want[[2]string{"ns1", "app"}], want[[2]string{"ns1", ""}] = nil, nil, nil
	s := b.Seal()
	gone := s.PodsOf("ns1", "app-1")[0].Ref
	amended := s.Amend([]Update{{View: SparkPods, Ref: gone}})
	for of, names := range want {
		var got []string
		for _, p := range s.PodsOf(of[0], of[1]) {
			got = append(got, p.Name)
		}
		require.Equal(t, names, got, of)
	}
	require.Len(t, amended.PodsOf("ns1", "app-1"), len(want[[2]string{"ns1", "app-1"}])-1)
	require.NotEqual(t, gone, amended.PodsOf("ns1", "app-1")[0].Ref)
	require.Empty(t, s.Only(nil).PodsOf("ns1", "app-1"))
}
