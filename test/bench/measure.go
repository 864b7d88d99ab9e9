package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/bench/plan"
	"github.com/sparkdoctor/kubectl-sparkdoctor/test/load"
)

// taken is what launch prints.
type taken struct {
	Wall time.Duration
	CPU  time.Duration
	Peak int64 // bytes
	Code int

	server int64  // bytes that were resident in the API server at most, meanwhile
	stderr string // of the program
}

// result is what one contender took.
type result struct {
	contender
	runs     []taken
	inTurn   bool // with scan, round by round
	requests int
	bytes    int64
}

// wall is the median.
func (r result) wall() time.Duration { return median(r.walls()) }

func (r result) walls() []time.Duration {
	var list []time.Duration
	for _, t := range r.runs {
		list = append(list, t.Wall)
	}
	return list
}

// peak is the largest of all runs: memory that was needed once may be needed again.
func (r result) peak() int64 {
	var most int64
	for _, t := range r.runs {
		most = max(most, t.Peak)
	}
	return most
}

// cpu is the median of the processor time.
func (r result) cpu() time.Duration {
	var list []time.Duration
	for _, t := range r.runs {
		list = append(list, t.CPU)
	}
	return median(list)
}

// server is the median of the API server's peaks.
func (r result) server() int64 {
	var list []int64
	for _, t := range r.runs {
		list = append(list, t.server)
	}
	return median(list)
}

// measured is what was measured of one fleet.
type measured struct {
	fleet   load.Fleet
	results []result // scan is the first
}

func (b *bench) all(ctx context.Context) ([]measured, error) {
	var out []measured
	existing := 0
	for _, size := range b.o.sizes {
		m := measured{fleet: b.o.fleetOf(size, existing)}
		existing = size
		if err := b.grow(ctx, m.fleet); err != nil {
			return nil, err
		}
		also := size == b.o.also
		if also {
			if err := b.dump(ctx); err != nil {
				return nil, err
			}
		}
		for i, group := range b.contenders(size) {
			more, err := b.group(ctx, group)
			if err != nil {
				return nil, err
			}
			for j := range more {
				more[j].inTurn = i == 0
			}
			m.results = append(m.results, more...)
		}
		if also {
			if err := os.Remove(b.file("dump.json")); err != nil {
				return nil, fmt.Errorf("removing the dump: %w", err)
			}
		}
		out = append(out, m)
	}
	return out, nil
}

// group measures its contenders in turn, round by round, so that a machine that gets slower does so for all of them.
func (b *bench) group(ctx context.Context, group []contender) ([]result, error) {
	var results []result
	for _, c := range group {
		r := result{contender: c}
		if err := b.count(ctx, &r); err != nil {
			return nil, err
		}
		results = append(results, r)
	}
	for round := range b.o.runs + 1 {
		for i := range results {
			if most := results[i].atMost; most > 0 && (round == 0 || round > most) {
				continue
			}
			t, err := b.once(ctx, results[i].contender, false)
			if err != nil {
				return nil, err
			}
			b.detail("%d %-12s %6.0f ms, %6.0f ms of processor time, %5d MiB, API server %5d MiB", round, results[i].name, milliseconds(t.Wall),
				milliseconds(t.CPU), t.Peak>>20, t.server>>20)
			if round > 0 {
				results[i].runs = append(results[i].runs, t)
			}
		}
	}
	return results, nil
}

// count runs a contender twice through the proxy: the first time it may fill caches of its own.
func (b *bench) count(ctx context.Context, r *result) error {
	if r.prepare != nil {
		if err := r.prepare(ctx); err != nil {
			return err
		}
	}
	if r.file > 0 {
		return nil
	}
	var log []*plan.Seen
	times := 2
	if r.atMost > 0 {
		times = 1
	}
	for range times {
		b.proxy.take()
		if _, err := b.once(ctx, r.contender, true); err != nil {
			return err
		}
		log = b.proxy.take()
	}
	r.requests = len(log)
	for _, s := range log {
		r.bytes += s.Bytes
		uri, _, _ := strings.Cut(s.URI, "continue=")
		b.detail("%s: %9d bytes %4s %d %s", r.name, s.Bytes, s.AcceptEncoding, s.Status, uri)
	}
	return nil
}

// once is one run.
func (b *bench) once(ctx context.Context, c contender, proxied bool) (taken, error) {
	if err := b.quiet(ctx); err != nil {
		return taken{}, err
	}
	if err := b.cp.ForgetPeakMemory(); err != nil {
		return taken{}, err
	}
	t, err := b.launch(ctx, c.args(proxied))
	if err != nil {
		return t, err
	}
	if t.server, err = b.cp.APIServerPeakMemory(); err != nil {
		return t, err
	}
	if !slices.Contains(c.codes, t.Code) {
		return t, fmt.Errorf("%s ended with exit code %d\n%s", c.name, t.Code, t.stderr)
	}
	return t, nil
}

// quiet brings the API server into the same state before each run: no garbage of the run before, which would be collected
// in this one, and a copy of each kind in the watch cache that is younger than etcd's last compaction.
func (b *bench) quiet(ctx context.Context) error {
	etcd, err := b.cp.Etcd()
	if err != nil {
		return err
	}
	return errors.Join(load.Touch(ctx, etcd), b.cp.CollectGarbage(ctx))
}

// launch runs a program by the small one that measures it.
func (b *bench) launch(ctx context.Context, args []string) (taken, error) {
	cmd := exec.CommandContext(ctx, b.file("launch"), args...)
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return taken{}, fmt.Errorf("running %s: %w\n%s", strings.Join(args, " "), err, &stderr)
	}
	t := taken{stderr: stderr.String()}
	if err := json.Unmarshal(out, &t); err != nil {
		return taken{}, fmt.Errorf("decoding what launch says: %w", err)
	}
	if t.Code > 3 || t.Code == 2 {
		return t, fmt.Errorf("%s ended with exit code %d\n%s", strings.Join(args, " "), t.Code, &stderr)
	}
	return t, nil
}

// startTime is how long a command takes that needs no cluster.
type startTime struct {
	command string
	wall    time.Duration
}

func (b *bench) startTimes(ctx context.Context) ([]startTime, error) {
	var out []startTime
	for _, command := range []string{"version", "--help", "checks"} {
		var walls []time.Duration
		for range 2*b.o.runs + 1 {
			t, err := b.launch(ctx, []string{b.o.binary, command})
			if err != nil {
				return nil, err
			}
			walls = append(walls, t.Wall)
		}
		out = append(out, startTime{command, median(walls[1:])})
	}
	return out, nil
}
