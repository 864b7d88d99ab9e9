package plan

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

func TestRounds(t *testing.T) {
	at := func(ms int) time.Time { return time.UnixMilli(int64(ms)) }
	get := func(uri string, from, to int) *Seen {
		return &Seen{Request: Request{URI: uri, Status: 200}, Start: at(from), End: at(to)}
	}
	got := Rounds([]*Seen{
		get("/apis", 0, 5),
		get("/api/v1/pods?limit=500", 10, 20),
		get("/api/v1/services?limit=500", 11, 15),
		get("/api/v1/configmaps?limit=500", 16, 18),
		get("/api/v1/pods?continue=x&limit=2000", 21, 30),
		get("/api/v1/pods?continue=y&limit=2000", 31, 40),
		get("/apis/discovery.k8s.io/v1/endpointslices?limit=500", 41, 42),
	})
	var uris [][][]string
	var parallel []int
	for _, r := range got {
		parallel = append(parallel, r.Parallel)
		var chains [][]string
		for _, c := range r.Chains {
			var list []string
			for _, one := range c {
				list = append(list, one.URI)
			}
			chains = append(chains, list)
		}
		uris = append(uris, chains)
	}
	require.Equal(t, []int{1, 2, 1}, parallel)
	require.Equal(t, [][][]string{
		{{"/apis"}},
		{
			{"/api/v1/pods?limit=500", "/api/v1/pods?limit=2000", "/api/v1/pods?limit=2000"},
			{"/api/v1/services?limit=500"},
			{"/api/v1/configmaps?limit=500"},
		},
		{{"/apis/discovery.k8s.io/v1/endpointslices?limit=500"}},
	}, uris)
}
