package main

import (
	"context"
	"fmt"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/load"
)

// repaired is what it took to prune the large applications of a fleet.
type repaired struct {
	taken
	applications   int
	requests       int
	sent, received int64 // bytes of bodies
	removed        int64 // bytes that etcd holds less
}

// repair has fix prune every application that is too large, once, for there is nothing left to prune afterwards. It goes
// through the proxy, which counts what is written.
func (b *bench) repair(ctx context.Context, fleet load.Fleet) (repaired, error) {
	out := repaired{applications: fleet.Large}
	etcd, err := b.cp.Etcd()
	if err != nil {
		return out, err
	}
	before, err := load.Stored(ctx, etcd)
	if err != nil {
		return out, err
	}
	b.proxy.take()
	fix := contender{name: "fix", codes: []int{0}, args: func(proxied bool) []string {
		return []string{b.o.binary, "fix", "SD3001", b.config(proxied), "--yes", "--record-dir", b.file("records")}
	}}
	if out.taken, err = b.once(ctx, fix, true); err != nil {
		return out, err
	}
	for _, s := range b.proxy.take() {
		out.requests++
		out.sent, out.received = out.sent+s.Sent, out.received+s.Bytes
	}
	after, err := load.Stored(ctx, etcd)
	out.removed = before - after
	return out, err
}

func (r repaired) text() string {
	if r.applications == 0 {
		return ""
	}
	return fmt.Sprintf("`fix SD3001 --yes` pruned %d applications of 1.1 MB, with the scans before and after it, in %s with %s of "+
		"processor time and %s at most: %s requests, %s sent to remove %s from etcd (%.2f × as much).",
		r.applications, seconds(r.Wall), seconds(r.CPU), mebibytes(r.Peak), thousands(r.requests), mebibytes(r.sent), mebibytes(r.removed),
		float64(r.sent)/float64(max(1, r.removed)))
}
