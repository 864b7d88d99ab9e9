package collect

import (
	"context"
	"io"
	"net/http"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// Cost is what reading one view, or something else, took.
type Cost struct {
	Of       string // a view, or "discovery and single objects"
	Requests int
	Bytes    int64 // of the answers' bodies, after decompression
	Took     time.Duration
}

// meter counts what passes.
type meter struct {
	mu    sync.Mutex
	costs map[string]*spent
}

type spent struct {
	Cost
	first, last time.Time
}

type meteredKey struct{}

// metered says for which view requests are made.
func metered(ctx context.Context, v snapshot.View) context.Context {
	return context.WithValue(ctx, meteredKey{}, string(v))
}

// of returns what counts a request of a context.
func (m *meter) of(ctx context.Context) *spent {
	of, known := ctx.Value(meteredKey{}).(string)
	if !known {
		of = "discovery and single objects"
	}
	if m.costs == nil {
		m.costs = map[string]*spent{}
	}
	if m.costs[of] == nil {
		m.costs[of] = &spent{Cost: Cost{Of: of}, first: time.Now()}
	}
	return m.costs[of]
}

// begin counts a request. What it returns takes the answer, whose body is counted as it is read.
func (m *meter) begin(ctx context.Context) func(*http.Response) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.of(ctx).Requests++
	return func(resp *http.Response) {
		m.read(ctx, 0)
		if resp != nil && resp.StatusCode != http.StatusSwitchingProtocols {
			resp.Body = &meteredBody{resp.Body, func(n int64) { m.read(ctx, n) }, 0}
		}
	}
}

func (m *meter) read(ctx context.Context, n int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	one := m.of(ctx)
	one.Bytes += n
	one.last = time.Now()
}

// list returns the costs, sorted by what they are for.
func (m *meter) list() []Cost {
	m.mu.Lock()
	defer m.mu.Unlock()
	var out []Cost
	for _, one := range m.costs {
		one.Took = one.last.Sub(one.first)
		out = append(out, one.Cost)
	}
	slices.SortFunc(out, func(a, b Cost) int { return strings.Compare(a.Of, b.Of) })
	return out
}

// meteredBody tells how much of it was read when it is closed.
type meteredBody struct {
	io.ReadCloser
	tell func(int64)
	n    int64
}

func (b *meteredBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	b.n += int64(n)
	return n, err
}

func (b *meteredBody) Close() error {
	b.tell(b.n)
	b.n = 0
	return b.ReadCloser.Close()
}
