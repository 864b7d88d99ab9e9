package cli

import (
	"fmt"
	"strings"
	"text/tabwriter"
	"time"

	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
)

func costOf(in input, took time.Duration) *report.Cost {
	c := &report.Cost{Milliseconds: int(took.Milliseconds()), PeakMemoryBytes: int(peakMemory())}
	if in.costs == nil {
		return c
	}
	for _, one := range in.costs() {
		c.Requests += one.Requests
		c.Bytes += int(one.Bytes)
		c.Listings = append(c.Listings, report.ListingCost{Of: one.Of, Requests: one.Requests, Bytes: int(one.Bytes), Milliseconds: int(one.Took.Milliseconds())})
	}
	return c
}

// sayCost is a table for people; programs find the same in the report.
func sayCost(streams genericiooptions.IOStreams, c *report.Cost) {
	var b strings.Builder
	w := tabwriter.NewWriter(&b, 0, 0, 2, ' ', tabwriter.AlignRight)
	for _, one := range c.Listings {
		_, _ = fmt.Fprintf(w, "%d requests\t%s\t%.2f s\t  %s\n", one.Requests, size(one.Bytes), float64(one.Milliseconds)/1000, one.Of)
	}
	_ = w.Flush() // into memory
	memory := "unknown"
	if c.PeakMemoryBytes > 0 {
		memory = size(c.PeakMemoryBytes)
	}
	_, _ = fmt.Fprintf(&b, "cost: %d requests, %s received, %s of memory at most, %.2f s", c.Requests, size(c.Bytes), memory, float64(c.Milliseconds)/1000)
	say(streams, "%s", b.String())
}

func size(n int) string {
	switch {
	case n >= 10<<20:
		return fmt.Sprintf("%d MiB", (n+1<<19)>>20)
	case n >= 10<<10:
		return fmt.Sprintf("%d KiB", (n+1<<9)>>10)
	default:
		return fmt.Sprintf("%d B", n)
	}
}
