package wire

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// TestEventsOfBothGroups decodes one event in the two forms in which the API server serves it.
func TestEventsOfBothGroups(t *testing.T) {
	const metadata = `"metadata":{"name":"etl.1","namespace":"team-a","uid":"u1"},"type":"Warning","reason":"FailedMount"`
	const about = `{"kind":"Pod","namespace":"team-a","name":"etl-driver","uid":"p1","apiVersion":"v1"}`
	for name, c := range map[string]struct{ core, other string }{
		"of an old recorder": {
			core: `{"apiVersion":"v1","kind":"Event",` + metadata + `,"involvedObject":` + about + `,"message":"no such secret","count":3,
				"firstTimestamp":"2026-11-20T03:00:01Z","lastTimestamp":"2026-11-20T03:02:01Z","source":{"component":"kubelet"}}`,
			other: `{"apiVersion":"events.k8s.io/v1","kind":"Event",` + metadata + `,"regarding":` + about + `,"note":"no such secret","deprecatedCount":3,
				"deprecatedFirstTimestamp":"2026-11-20T03:00:01Z","deprecatedLastTimestamp":"2026-11-20T03:02:01Z","deprecatedSource":{"component":"kubelet"}}`,
		},
		"of a new recorder": {
			core: `{"apiVersion":"v1","kind":"Event",` + metadata + `,"involvedObject":` + about + `,"message":"no such secret","eventTime":"2026-11-20T03:00:01.000000Z",
				"series":{"count":4,"lastObservedTime":"2026-11-20T03:09:01.000000Z"},"reportingComponent":"kubelet","firstTimestamp":null,"lastTimestamp":null}`,
			other: `{"apiVersion":"events.k8s.io/v1","kind":"Event",` + metadata + `,"regarding":` + about + `,"note":"no such secret","eventTime":"2026-11-20T03:00:01.000000Z",
				"series":{"count":4,"lastObservedTime":"2026-11-20T03:09:01.000000Z"},"reportingController":"kubelet","deprecatedFirstTimestamp":null}`,
		},
	} {
		t.Run(name, func(t *testing.T) {
			src, _ := snapshot.SourceOf(snapshot.WarningEvents)
			groups := src.InGroups()
			require.Len(t, groups, 2)
			core, err := Decode(groups[0], Item{Raw: []byte(c.core)})
			require.NoError(t, err)
			other, err := Decode(groups[1], Item{Raw: []byte(c.other)})
			require.NoError(t, err)
			require.Equal(t, core, other)
			e, isEvent := other.(*snapshot.Event)
			require.True(t, isEvent)
			require.Equal(t, "no such secret", e.Message)
			require.Equal(t, "etl-driver", e.Involved.Name)
			require.Greater(t, e.Count, 1)
			require.True(t, e.Last.After(e.First))
		})
	}
	ignored, err := Decode(snapshot.Source{View: snapshot.WarningEvents, Group: snapshot.EventsGroup},
		Item{Raw: []byte(`{"apiVersion":"events.k8s.io/v1","kind":"Event","reason":"BackOff","note":"x"}`)})
	require.NoError(t, err)
	require.Nil(t, ignored)
}
