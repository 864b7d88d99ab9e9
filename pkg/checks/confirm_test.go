package checks_test

import (
	"context"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check/checktest"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func driverRef(i int) snapshot.Ref {
	return snapshot.Ref{APIVersion: "v1", Kind: "Pod", Namespace: "team-a", Name: fmt.Sprintf("etl-%d-driver", i)}
}

func configMap(i int) snapshot.Object {
	driver := driverRef(i)
	return snapshot.Object{
		Ref: snapshot.Ref{APIVersion: "v1", Kind: "ConfigMap", Namespace: "team-a", Name: fmt.Sprintf("spark-drv-%d-conf-map", i),
			UID: fmt.Sprintf("cm-%d", i)},
		Labels: snapshot.LabelsOf(map[string]string{snapshot.AppSelectorLabel: "x"}),
		Owners: []snapshot.OwnerReference{{APIVersion: "v1", Kind: "Pod", Name: driver.Name, UID: "driver-" + driver.Name}},
	}
}

// leftovers is a live cluster in which ConfigMaps are owned by drivers, of which only some are there.
func leftovers(total int, present ...int) *snapshot.Snapshot {
	b := snapshot.NewBuilder(time.Date(2026, 11, 20, 3, 0, 0, 0, time.UTC))
	b.FromServer()
	for _, src := range snapshot.ListedSources() {
		b.Cover(src.View, snapshot.Coverage{State: snapshot.Complete})
	}
	b.Cover(snapshot.Owners, snapshot.Coverage{State: snapshot.Complete})
	b.CoverOwnerKind(snapshot.GroupKind{Kind: "Pod"}, snapshot.OwnerKind{Served: true, Namespaced: true,
		Coverage: snapshot.Coverage{State: snapshot.Complete}})
	for i := range total {
		b.Add(snapshot.ConfigMaps, new(configMap(i)))
	}
	for _, i := range present {
		driver := driverRef(i)
		driver.UID = "driver-" + driver.Name
		b.Add(snapshot.Owners, &snapshot.Object{Ref: driver})
	}
	return b.Seal()
}

// world answers what is there when it is fetched again.
type world struct {
	gone    map[string]bool // by name
	fails   bool
	fetched atomic.Int32
	waited  time.Duration
}

func (w *world) confirmer() check.Confirmer {
	return check.Confirmer{
		Wait: func(_ context.Context, d time.Duration) error { w.waited = d; return nil },
		Fetch: func(_ context.Context, v snapshot.View, ref snapshot.Ref) (snapshot.Record, error) {
			w.fetched.Add(1)
			switch {
			case w.fails:
				return nil, errors.New("forbidden")
			case ref.Kind == "Pod" || w.gone[ref.Name]:
				return nil, nil
			}
			var i int
			_, err := fmt.Sscanf(ref.Name, "spark-drv-%d-conf-map", &i)
			return new(configMap(i)), err
		},
	}
}

func confirm(t *testing.T, s *snapshot.Snapshot, w *world) check.Result {
	t.Helper()
	list := []check.Check{checkOf(t, "SD2002")}
	first := check.Run(s, list, check.DefaultParams())
	_, results, err := check.Confirm(t.Context(), s, first, check.DefaultParams(), w.confirmer())
	require.NoError(t, err)
	return results[0]
}

func TestConfirmKeepsWhatIsStillThere(t *testing.T) {
	w := &world{}
	r := confirm(t, leftovers(1), w)
	require.Equal(t, []string{"error proven ConfigMap team-a/spark-drv-0-conf-map"}, checktest.Summary(r.Findings))
	require.Equal(t, time.Minute, w.waited)
	require.EqualValues(t, 2, w.fetched.Load(), "the object and its owner")
}

func TestConfirmDropsWhatSettled(t *testing.T) {
	r := confirm(t, leftovers(1), &world{gone: map[string]bool{"spark-drv-0-conf-map": true}})
	require.Empty(t, r.Findings)
	require.Equal(t, check.Passed, r.Status)
}

// The driver that owns two objects was listed; one of them already refers to a driver that is gone. When that one is
// fetched again its driver's absence is news for the other, which nobody looked at.
func TestConfirmLeavesNewsToTheNextScan(t *testing.T) {
	w := &world{}
	s := leftovers(2, 1)
	require.Len(t, check.Run(s, []check.Check{checkOf(t, "SD2002")}, check.DefaultParams())[0].Findings, 1)
	c := w.confirmer()
	fetch := c.Fetch
	c.Fetch = func(ctx context.Context, v snapshot.View, ref snapshot.Ref) (snapshot.Record, error) {
		record, err := fetch(ctx, v, ref)
		if o, ok := record.(*snapshot.Object); ok && o.Name == "spark-drv-0-conf-map" {
			o.Owners[0] = configMap(1).Owners[0] // now owned by the other driver
		}
		return record, err
	}
	first := check.Run(s, []check.Check{checkOf(t, "SD2002")}, check.DefaultParams())
	_, results, err := check.Confirm(t.Context(), s, first, check.DefaultParams(), c)
	require.NoError(t, err)
	require.Empty(t, results[0].Findings)
}

func TestConfirmWithoutAnAnswerIsLikely(t *testing.T) {
	r := confirm(t, leftovers(1), &world{fails: true})
	require.Equal(t, []string{"error likely ConfigMap team-a/spark-drv-0-conf-map"}, checktest.Summary(r.Findings))
}

func TestConfirmIsBounded(t *testing.T) {
	w := &world{}
	r := confirm(t, leftovers(150), w)
	require.EqualValues(t, 200, w.fetched.Load())
	likely := 0
	for _, f := range r.Findings {
		if f.Certainty == check.Likely {
			likely++
		}
	}
	require.Len(t, r.Findings, 150)
	require.Equal(t, 50, likely, "two fetches a finding")
}

// A mass deletion: all that was fetched again is gone, and so, in a moment, is the rest.
func TestConfirmBelievesTheGarbageCollector(t *testing.T) {
	w := &world{gone: map[string]bool{}}
	for i := range 150 {
		w.gone[configMap(i).Name] = true
	}
	require.Empty(t, confirm(t, leftovers(150), w).Findings)
}
