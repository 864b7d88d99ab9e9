package main

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/load"
)

func sample() report {
	took := func(peak int64, ms ...int) []taken {
		var list []taken
		for _, m := range ms {
			list = append(list, taken{Wall: time.Duration(m) * time.Millisecond, Peak: peak})
		}
		return list
	}
	return report{
		machine: machine{cores: 2, memory: 24 << 30, system: "linux/amd64", runtime: "1.26.8", load: "0.10 0.20 0.30"},
		fleet:   load.Fleet{Namespaces: 10, Applications: 1000, Large: 5, LargeEntries: 15000, Pods: 10000},
		runs:    3,
		results: []result{
			{contender: contender{name: "scan", what: "`scan`"}, runs: took(120<<20, 1200, 1100, 1500), requests: 40, bytes: 30 << 20},
			{contender: contender{name: "wire", what: "the wire"}, runs: took(15<<20, 1000, 900, 1050), requests: 1040, bytes: 3 << 20},
		},
		starts: []startTime{{"version", 41 * time.Millisecond}},
		binary: 40 << 20,
	}
}

func TestText(t *testing.T) {
	require.Equal(t, strings.TrimLeft(`
2 cores, 24 GiB of memory, linux/amd64, Go 1.26.8
1,000 applications in 10 namespaces, 5 of them with 15,000 entries in status.executorState, and 10,000 pods; median of 3 runs
load averages before it: 0.10 0.20 0.30

      wall    fastest–slowest  peak memory  received  requests  scan's wall ÷ this  scan's memory ÷ this
scan  1.20 s  1.10 s–1.50 s    120 MiB      30 MiB    40        1.00                1.00
wire  1.00 s  0.90 s–1.05 s    15 MiB       3.0 MiB   1,040     1.20                8.00

start: version 41 ms
binary: 40 MiB
`, "\n"), sample().text())
}

func TestMarkdown(t *testing.T) {
	got := sample().markdown()
	require.Contains(t, got, "| wire | 1.00 s | 0.90 s–1.05 s | 15 MiB | 3.0 MiB | 1,040 | 1.20 | 8.00 |\n")
	require.Contains(t, got, "| --- | --- |")
	require.Contains(t, got, "median of 3 runs")
	require.NotContains(t, got, "%!")
}

func TestArguments(t *testing.T) {
	_, err := parse([]string{"-runs", "0", "-binary", "x"})
	require.Error(t, err)
	_, err = parse(nil)
	require.ErrorContains(t, err, "-binary")
	o, err := parse([]string{"-binary", "x", "-pods", "7"})
	require.NoError(t, err)
	require.Equal(t, 7, o.fleet.Pods)
}
