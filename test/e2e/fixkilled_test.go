package e2e

import (
	"context"
	"fmt"
	"os/exec"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/proxy"
)

// killed ends the plugin by force before and after each of its writes: the owner of a driver, and two batches of entries.
func killed(t *testing.T, f fixing) {
	const entries, kept = 5500, 5 // two batches; after the first there is still too much
	parted := f.part(t, "killed", "etl")
	f.fill(t, "killed", "etl", entries)
	all := f.executorState(t, "killed", "etl")
	grown := repair{
		check: "SD3001", kind: "SparkApplication", namespace: "killed", name: "etl",
		flags: []string{"--max-object-size", "120000", "--new-after", "0s"}, allow: []string{"--keep-executors", fmt.Sprint(kept)},
	}
	asFound := func() {
		t.Helper()
		require.Equal(t, all, f.executorState(t, "killed", "etl"))
		require.Empty(t, f.owners(t, "killed", "etl"))
	}
	require.NotEmpty(t, f.found(t, parted))
	require.NotEmpty(t, f.found(t, grown))

	args := slices.Concat([]string{"fix", grown.pick(), parted.pick(), "--yes"}, grown.flags, grown.allow)
	beforeAnything := f.kill(t, args, func(r proxy.Request) bool { return slices.Contains(r.Query["dryRun"], "All") }, 1, proxy.LoseRequest)
	require.Empty(t, beforeAnything, "nothing was about to be written")
	asFound()

	for write := 1; write <= 3; write++ {
		for name, lose := range map[string]func(func()) proxy.Fault{"before": proxy.LoseRequest, "after": proxy.LoseAnswer} {
			t.Run(fmt.Sprintf("%s write %d", name, write), func(t *testing.T) {
				records := f.kill(t, args, proxy.Request.Writes, write, lose)
				require.Len(t, records, 1, "the record was there before the write")
				done := write - 1
				if name == "after" {
					done = write
				}
				require.Len(t, f.owners(t, "killed", "etl"), min(done, 1))
				require.Len(t, f.executorState(t, "killed", "etl"), []int{entries, entries, entries - 4900, kept}[done],
					"a whole batch or nothing of it")
				if name == "after" {
					f.undoes(t, records[0])
					asFound()
					return
				}
				second := t.TempDir()
				o := f.fix(t, grown, second, append([]string{parted.pick(), "--yes"}, parted.allow...)...)
				require.Equal(t, 0, o.code, o.stdout+o.stderr)
				require.Len(t, f.owners(t, "killed", "etl"), 1)
				require.Len(t, f.executorState(t, "killed", "etl"), kept)
				f.undoes(t, recordsIn(t, second)[0])
				f.undoes(t, records[0])
				asFound()
			})
		}
	}
}

// kill runs the plugin and ends it at the given one of the requests that match. It returns the records.
func (f fixing) kill(t *testing.T, args []string, match func(proxy.Request) bool, at int, lose func(func()) proxy.Fault) []string {
	t.Helper()
	records := t.TempDir()
	cmd := exec.CommandContext(t.Context(), f.doctor.binary, append(slices.Clone(args), "--record-dir", records)...)
	cmd.Env = f.doctor.env()
	var out strings.Builder
	cmd.Stdout, cmd.Stderr = &out, &out
	started := make(chan struct{})
	f.proxy.Forget()
	if at > 1 {
		f.proxy.Inject(match, at-1, proxy.Before(nil))
	}
	f.proxy.Inject(match, 1, lose(func() {
		<-started
		_ = cmd.Process.Kill()
	}))
	require.NoError(t, cmd.Start())
	close(started)
	require.ErrorContains(t, cmd.Wait(), "signal: killed", out.String())
	f.proxy.Forget()
	return recordsIn(t, records)
}

// undoes takes a record back, of which something may have been taken back already.
func (f fixing) undoes(t *testing.T, record string) {
	t.Helper()
	o := f.doctor.run(t, "undo", record, "--yes", "--record-dir", t.TempDir())
	require.Equal(t, 0, o.code, o.stdout+o.stderr)
}

// twoAtOnce lets two people repair the same at the same moment: both have made their plan when the first write comes.
func twoAtOnce(t *testing.T, f fixing) {
	parted := f.part(t, "twice", "etl")
	f.fill(t, "twice", "etl", 400)
	args := func(records string) []string {
		return slices.Concat([]string{"fix", "SD3001=twice/etl", parted.pick(), "--yes", "--record-dir", records, "--max-object-size", "30000",
			"--keep-executors", "5"}, parted.flags)
	}
	f.proxy.Forget()
	arrived, both := make(chan struct{}, 2), make(chan struct{})
	f.proxy.Inject(writesTo("/pods/etl-driver"), 2, proxy.Before(func() {
		arrived <- struct{}{}
		<-both
	}))
	results := make(chan outcome, 2)
	records := []string{t.TempDir(), t.TempDir()}
	for _, dir := range records {
		go func() {
			o, err := f.doctor.exec(context.WithoutCancel(t.Context()), args(dir)...)
			if err != nil {
				o.stderr += err.Error()
			}
			results <- o
		}()
	}
	for range 2 {
		select {
		case <-arrived:
		case o := <-results:
			require.Fail(t, "it ended without a write", o.stdout+o.stderr)
		}
	}
	close(both)
	codes := map[int]int{}
	for range 2 {
		o := <-results
		codes[o.code]++
		require.Contains(t, []int{0, 4}, o.code, o.stdout+o.stderr)
		require.NotContains(t, o.stderr, "DATA RACE")
	}
	require.NotZero(t, codes[0], "one of them at least has done it: %v", codes)
	require.Len(t, f.owners(t, "twice", "etl"), 1)
	require.Len(t, f.executorState(t, "twice", "etl"), 5)
	for _, dir := range records {
		f.undoes(t, recordsIn(t, dir)[0])
	}
	require.Empty(t, f.owners(t, "twice", "etl"))
	require.Len(t, f.executorState(t, "twice", "etl"), 400)
}
