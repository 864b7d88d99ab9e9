package main

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/load"
)

// report is all that was measured.
type report struct {
	machine machine
	fleet   load.Fleet
	runs    int
	results []result // scan is the first
	starts  []startTime
	binary  int64 // bytes
}

// rows are the table of the contenders, headings first.
func (r report) rows() [][]string {
	rows := [][]string{{"", "wall", "fastest–slowest", "peak memory", "received", "requests", "scan's wall ÷ this", "scan's memory ÷ this"}}
	scan := r.results[0]
	for _, one := range r.results {
		walls := one.walls()
		rows = append(rows, []string{
			one.name,
			seconds(one.wall()),
			seconds(slices.Min(walls)) + "–" + seconds(slices.Max(walls)),
			mebibytes(one.peak()),
			mebibytes(one.bytes),
			thousands(one.requests),
			fmt.Sprintf("%.2f", float64(scan.wall())/float64(one.wall())),
			fmt.Sprintf("%.2f", float64(scan.peak())/float64(one.peak())),
		})
	}
	return rows
}

func (r report) subject() string {
	return fmt.Sprintf("%s applications in %d namespaces, %d of them with %s entries in status.executorState, and %s pods",
		thousands(r.fleet.Applications), max(1, r.fleet.Namespaces), r.fleet.Large, thousands(r.fleet.LargeEntries), thousands(r.fleet.Pods))
}

func (r report) startTimes() string {
	var parts []string
	for _, s := range r.starts {
		parts = append(parts, fmt.Sprintf("%s %.0f ms", s.command, milliseconds(s.wall)))
	}
	return strings.Join(parts, ", ")
}

func (r report) load() string {
	return "load averages before it: " + cmp.Or(r.machine.load, "unknown")
}

func (r report) text() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n%s; median of %d runs\n%s\n\n", r.machine, r.subject(), r.runs, r.load())
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', 0)
	for _, row := range r.rows() {
		fmt.Fprintln(w, strings.Join(row, "\t"))
	}
	_ = w.Flush() // into memory
	fmt.Fprintf(&b, "\nstart: %s\nbinary: %s\n", r.startTimes(), mebibytes(r.binary))
	return b.String()
}

func (r report) markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, `# Performance

Written by %s on the test control plane (test/README.md): %s.
Everything ran on one machine, the API server and etcd too: %s; %s.

| %s |
|%s
`, "`BENCH_OUT=docs/performance.md make bench`", r.subject(), r.machine, r.load(),
		strings.Join(r.rows()[0], " | "), strings.Repeat(" --- |", len(r.rows()[0])))
	for _, row := range r.rows()[1:] {
		fmt.Fprintf(&b, "| %s |\n", strings.Join(row, " | "))
	}
	b.WriteString("\n")
	for _, one := range r.results {
		fmt.Fprintf(&b, "- **%s**: %s\n", one.name, one.what)
	}
	fmt.Fprintf(&b, "\nCommands that need no cluster start in: %s. The stripped binary takes %s.\n", r.startTimes(), mebibytes(r.binary))
	fmt.Fprintf(&b, method, r.runs)
	return b.String()
}

const method = `
## How it is measured

- Wall time is the median of %d runs after one that does not count. The contenders take turns, kubectl after the others,
  and before each turn of the first three a scan runs that is not timed, so that none finds the API server warmer than
  another. Peak memory is the largest resident set of any run, as the kernel counts it.
- Requests and the bytes of answers' bodies, as they are on the wire, are counted by a proxy on 127.0.0.1 in runs that
  are not timed.
- The paged wire plays what the proxy saw a scan do, recorded anew before each run: the same addresses, headers, pages and
  continue tokens, as many at once as the scan had. It neither decodes nor decompresses.
- The bare wire asks for no compression.
- The operator's objects are there, its programs are not, so that nothing changes what is read.
- kubectl is of the API server's release, with its cache of the API's kinds filled.
`

func milliseconds(d time.Duration) float64 { return float64(d) / float64(time.Millisecond) }

func seconds(d time.Duration) string { return fmt.Sprintf("%.2f s", d.Seconds()) }

func mebibytes(n int64) string {
	if n < 10<<20 {
		return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20))
	}
	return fmt.Sprintf("%d MiB", (n+(1<<19))>>20)
}

// thousands writes 15000 as 15,000.
func thousands(n int) string {
	digits := strconv.Itoa(n)
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}

func median[T cmp.Ordered](list []T) T {
	return slices.Sorted(slices.Values(list))[len(list)/2]
}
