package main

import (
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/load"
)

func sample() report {
	took := func(peak int64, ms ...int) []taken {
		var list []taken
		for _, m := range ms {
			wall := time.Duration(m) * time.Millisecond
			list = append(list, taken{Wall: wall, CPU: wall / 2, Peak: peak, server: 2 << 30})
		}
		return list
	}
	fleet := func(n int, factor int) measured {
		return measured{
			fleet: load.Fleet{Namespaces: 10, Applications: n, Large: n / 200, LargeEntries: 15000, Pods: 10 * n, Extras: n / 2},
			results: []result{
				{contender: contender{name: "scan", what: "`scan`"}, runs: took(120<<20, 1200*factor, 1100*factor, 1500*factor), inTurn: true,
					requests: 40, bytes: 30 << 20},
				{contender: contender{name: "wire", what: "the wire"}, runs: took(15<<20, 1000*factor, 900*factor, 1050*factor), inTurn: true,
					requests: 1040, bytes: 3 << 20},
				{contender: contender{name: "scan -f", what: "a file", file: 500e6}, runs: took(100<<20, 4000*factor)},
			},
		}
	}
	return report{
		machine: machine{cores: 2, memory: 24 << 30, system: "linux/amd64", runtime: "1.26.8", load: "0.10 0.20 0.30"},
		runs:    3,
		fleets:  []measured{fleet(1000, 1), fleet(2000, 2)},
		starts:  []startTime{{"version", 41 * time.Millisecond}},
		tenants: []untrusted{{"owners", [3]time.Duration{time.Second / 10, time.Second / 5, time.Second * 21 / 10}}},
		binary:  43_600_000,
	}
}

func TestText(t *testing.T) {
	got := sample().text()
	require.Contains(t, got, `
1,000 applications in 10 namespaces, 5 of them with 15,000 entries in status.executorState, 10,000 pods, 500 each of ConfigMaps, Services and events

         wall    fastest–slowest  processor  peak memory  API server's peak  received      requests  scan's wall ÷ this  round by round  scan's memory ÷ this
scan     1.20 s  1.10 s–1.50 s    0.60 s     120 MiB      2048 MiB           30 MiB        40        1.00                1.00            1.00
wire     1.00 s  0.90 s–1.05 s    0.50 s     15 MiB       2048 MiB           3.0 MiB       1,040     1.20                1.22            8.00
scan -f  4.00 s  4.00 s–4.00 s    2.00 s     100 MiB      2048 MiB           477 MiB read  0         0.30                –               1.20
`)
	require.Contains(t, got, "1,000  2,000  2.00            2.00           2.00                 1.00             1.00")
	require.Contains(t, got, "start: version 41 ms\nbinary: 43.6 MB\nscan -f reads 125 MB/s, and 250 MB per second of processor time.\n")
}

func TestMarkdown(t *testing.T) {
	got := sample().markdown()
	require.Contains(t, got, "| wire | 1.00 s | 0.90 s–1.05 s | 0.50 s | 15 MiB | 2048 MiB | 3.0 MiB | 1,040 | 1.20 | 1.22 | 8.00 |\n")
	require.Contains(t, got, "| --- | --- |")
	require.Contains(t, got, "Medians of 3 runs")
	require.Contains(t, got, "| owners | 0.10 s | 0.20 s | 2.10 s | 0.49 s |\n")
	require.NotContains(t, got, "%!")
}

// TestWhatPeopleWroteStays holds that measuring again replaces what was measured only.
func TestWhatPeopleWroteStays(t *testing.T) {
	path := filepath.Join(t.TempDir(), "performance.md")
	require.NoError(t, os.WriteFile(path, []byte("# Performance\n\nby hand\n\n"+marker+"old\n"), 0o600))
	require.NoError(t, writeMarkdown(path, "new\n"))
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Equal(t, "# Performance\n\nby hand\n\n"+marker+"new\n", string(text))
}

func TestArguments(t *testing.T) {
	_, err := parse([]string{"-runs", "0", "-binary", "x"})
	require.Error(t, err)
	_, err = parse(nil)
	require.ErrorContains(t, err, "-binary")
	_, err = parse([]string{"-binary", "x", "-sizes", "1000,300"})
	require.ErrorContains(t, err, "-sizes")
	o, err := parse([]string{"-binary", "x", "-sizes", "200,400"})
	require.NoError(t, err)
	require.Equal(t, []int{200, 400}, o.sizes)
	require.Equal(t, load.Fleet{Namespaces: 200, Applications: 400, Entries: 4, Large: 2, LargeEntries: 15000, Pods: 4000, Extras: 200,
		Existing: 200}, o.fleetOf(400, 200))
}
