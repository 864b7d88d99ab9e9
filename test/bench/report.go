package main

import (
	"cmp"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"text/tabwriter"
	"time"
)

// report is all that was measured.
type report struct {
	machine machine
	runs    int
	fleets  []measured
	starts  []startTime
	tenants []untrusted
	repair  repaired
	binary  int64 // bytes
}

// rows are the table of the contenders, headings first.
func (m measured) rows() [][]string {
	rows := [][]string{{"", "wall", "fastest–slowest", "processor", "peak memory", "API server's peak", "received", "requests",
		"scan's wall ÷ this", "round by round", "scan's memory ÷ this"}}
	scan := m.results[0]
	for _, one := range m.results {
		walls := one.walls()
		received, requests := mebibytes(one.bytes), thousands(one.requests)
		if one.file > 0 {
			received, requests = mebibytes(one.file)+" read", "0"
		}
		rows = append(rows, []string{
			one.name,
			seconds(one.wall()),
			seconds(slices.Min(walls)) + "–" + seconds(slices.Max(walls)),
			seconds(one.cpu()),
			mebibytes(one.peak()),
			mebibytes(one.server()),
			received, requests,
			fmt.Sprintf("%.2f", ratio(scan.wall(), one.wall())),
			rounds(scan, one),
			fmt.Sprintf("%.2f", float64(scan.peak())/float64(one.peak())),
		})
	}
	return rows
}

// rounds is the median of a scan's wall time ÷ that of one which took turns with it, round by round: a machine that
// stands still for a while spoils one or two of them.
func rounds(scan, one result) string {
	if !one.inTurn {
		return "–"
	}
	var list []float64
	for i := range one.runs {
		list = append(list, ratio(scan.runs[i].Wall, one.runs[i].Wall))
	}
	return fmt.Sprintf("%.2f", median(list))
}

func (m measured) subject() string {
	f := m.fleet
	return fmt.Sprintf("%s applications in %d namespaces, %d of them with %s entries in status.executorState, %s pods, %s each of "+
		"ConfigMaps, Services and events",
		thousands(f.Applications), max(1, f.Namespaces), f.Large, thousands(f.LargeEntries), thousands(f.Pods), thousands(f.Extras))
}

// growth compares each fleet with the one before it: how much larger it is, and how much more a scan takes.
func (r report) growth() [][]string {
	rows := [][]string{{"from", "to", "applications ×", "scan's wall ×", "paged wire's wall ×", "scan's memory ×",
		"scan ÷ paged wire, of the growth"}}
	for i := 1; i < len(r.fleets); i++ {
		a, b := r.fleets[i-1], r.fleets[i]
		scan, wire := ratio(b.results[0].wall(), a.results[0].wall()), ratio(b.results[1].wall(), a.results[1].wall())
		rows = append(rows, []string{
			thousands(a.fleet.Applications), thousands(b.fleet.Applications),
			fmt.Sprintf("%.2f", float64(b.fleet.Applications)/float64(a.fleet.Applications)),
			fmt.Sprintf("%.2f", scan), fmt.Sprintf("%.2f", wire), fmt.Sprintf("%.2f", float64(b.results[0].peak())/float64(a.results[0].peak())),
			fmt.Sprintf("%.2f", scan/wire),
		})
	}
	return rows
}

func ratio(a, b time.Duration) float64 { return float64(a) / float64(b) }

// offline says how fast files are read.
func (r report) offline() string {
	for _, m := range r.fleets {
		for _, one := range m.results {
			if one.file > 0 {
				return fmt.Sprintf("scan -f reads %.0f MB/s, and %.0f MB per second of processor time.", float64(one.file)/1e6/one.wall().Seconds(),
					float64(one.file)/1e6/one.cpu().Seconds())
			}
		}
	}
	return ""
}

// server compares what the API server took at most for a scan and for kubectl's lists.
func (r report) server() string {
	for _, m := range r.fleets {
		for _, one := range m.results {
			if one.name == kubectlsWire {
				return fmt.Sprintf("The API server took %s at most during scans of %s applications, %.2f × as much as while it answered kubectl's "+
					"lists.",
					mebibytes(m.results[0].server()), thousands(m.fleet.Applications), float64(m.results[0].server())/float64(one.server()))
			}
		}
	}
	return ""
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
	fmt.Fprintf(&b, "%s\nmedian of %d runs\n%s\n", r.machine, r.runs, r.load())
	for _, m := range r.fleets {
		fmt.Fprintf(&b, "\n%s\n\n", m.subject())
		table(&b, m.rows())
	}
	if len(r.fleets) > 1 {
		b.WriteString("\n")
		table(&b, r.growth())
	}
	b.WriteString("\n")
	table(&b, r.untrustedRows())
	fmt.Fprintf(&b, "\nstart: %s\nbinary: %s\n%s\n%s\n%s\n", r.startTimes(), megabytes(r.binary), r.offline(), r.server(), r.repair.text())
	return b.String()
}

func table(b *strings.Builder, rows [][]string) {
	w := tabwriter.NewWriter(b, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		fmt.Fprintln(w, strings.Join(row, "\t"))
	}
	_ = w.Flush() // into memory
}

func (r report) markdown() string {
	var b strings.Builder
	fmt.Fprintf(&b, "\n## Measured\n\nEverything ran on one machine, the API server and etcd too: %s; %s. "+
		"Medians of %d runs; kubectl of %d.\n", r.machine, r.load(), r.runs, min(3, r.runs))
	what := map[string]string{}
	var order []string
	for _, m := range r.fleets {
		fmt.Fprintf(&b, "\n### %s applications\n\n%s.\n\n", thousands(m.fleet.Applications), m.subject())
		markdownTable(&b, m.rows())
		for _, one := range m.results {
			if what[one.name] == "" {
				what[one.name], order = one.what, append(order, one.name)
			}
		}
	}
	if len(r.fleets) > 1 {
		b.WriteString("\n### Growth\n\n")
		markdownTable(&b, r.growth())
	}
	b.WriteString("\n")
	for _, name := range order {
		fmt.Fprintf(&b, "- **%s**: %s\n", name, what[name])
	}
	fmt.Fprintf(&b, "\n%s\n%s\nCommands that need no cluster start in: %s. The stripped binary takes %s.\n", r.offline(), r.server(),
		r.startTimes(), megabytes(r.binary))
	if text := r.repair.text(); text != "" {
		fmt.Fprintf(&b, "\n### Repair\n\n%s Counted by a proxy on 127.0.0.1, once.\n", text)
	}
	b.WriteString("\n### Processor time of what a tenant may write\n\n")
	markdownTable(&b, r.untrustedRows())
	fmt.Fprintf(&b, method, r.runs)
	return b.String()
}

func markdownTable(b *strings.Builder, rows [][]string) {
	fmt.Fprintf(b, "| %s |\n|%s\n", strings.Join(rows[0], " | "), strings.Repeat(" --- |", len(rows[0])))
	for _, row := range rows[1:] {
		fmt.Fprintf(b, "| %s |\n", strings.Join(row, " | "))
	}
}

const method = `
### How it is measured

- Wall time is the median of %d runs after one that does not count. The contenders take turns, the slow ones after the
  others; "round by round" is the median of the ratios of the runs that followed each other, which a machine that stands
  still for a moment spoils less. Peak memory is the largest resident set of any run, as the kernel counts it; the API server's is the
  median of its own, reset before each run.
- The API server collects its garbage before each run. That of 100,000 pods keeps a processor busy for seconds, and would
  fall into the run of one contender and not of another. One object of each kind is written again: a kind that nothing
  has happened to for ten minutes is read from etcd, page by page, which takes twice as long.
- Requests and the bytes of answers' bodies, as they are on the wire, are counted by a proxy on 127.0.0.1 in runs that
  are not timed.
- The paged wire plays what the proxy saw a scan do: the same addresses, headers and pages, as many at once as the scan
  had. It decodes nothing but where a list goes on, and asks for the next page as soon as it knows that, as a scan does: with
  protobuf, when a page begins to arrive; with the JSON of custom resources, at its end.
- Both wires speak HTTP/1.1, as a scan does, and read as any client would; the bare one asks for no compression, as a
  scan of a server that is near. kubectl's lists go over HTTP/2, as kubectl asks for them.
- The fleet is copies of applications that the API server stored, written straight into etcd. The operator's objects are
  there, its programs are not, so that nothing changes what is read.
- Commands that need no cluster are started before there is one: its API server is busy with its own for minutes.
- kubectl is of the API server's release, with its cache of the API's kinds filled.
`

func megabytes(n int64) string { return fmt.Sprintf("%.1f MB", float64(n)/1e6) }

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
