package html

import (
	"fmt"
	"math"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
)

// chart is a bar for each of the largest applications: what it takes of etcd's limit. Lengths are in units of the
// picture, which scales with the page.
type chart struct {
	Limit                       string
	Width, Height, Left, Bottom int
	Marks                       []chartMark
	Bars                        []chartBar
}

type chartMark struct {
	X    int
	Text string
}

type chartBar struct {
	Label, Name, Share, Class string
	Y, Length, End, Bytes     int
}

const (
	chartBars  = 10  // more are too many to compare
	chartLeft  = 270 // room for a name
	chartFull  = 360 // length of a full bar
	chartLabel = 36  // characters that fit into the room
)

// sizeChart returns nil where no application was seen.
func sizeChart(m *report.Metrics) *chart {
	if m == nil || len(m.Applications) == 0 {
		return nil
	}
	list := m.Applications[:min(len(m.Applications), chartBars)]
	c := &chart{Limit: bytesText(m.MaxObjectBytes), Width: chartLeft + chartFull + 60, Left: chartLeft, Bottom: 20 + 26*len(list)}
	c.Height = c.Bottom + 4
	// The marks are where SD3001 and SD3004 begin to speak: info, warning, error.
	for _, percent := range []int{25, 50, 80, 100} {
		c.Marks = append(c.Marks, chartMark{chartLeft + chartFull*percent/100, fmt.Sprintf("%d%%", percent)})
	}
	for i, a := range list {
		share := m.Share(a)
		bar := chartBar{Name: report.Escape(a.Namespace + "/" + a.Name), Share: fmt.Sprintf("%.1f%%", share*100), Y: 22 + 26*i, Bytes: a.Bytes,
			Class: "plain"}
		bar.Label = shortened(bar.Name, chartLabel)
		bar.Length = max(1, int(math.Round(min(share, 1)*chartFull)))
		bar.End = chartLeft + bar.Length
		for _, step := range []struct {
			from  float64
			class string
		}{{.25, "info"}, {.5, "warning"}, {.8, "error"}} {
			if share >= step.from {
				bar.Class = step.class
			}
		}
		c.Bars = append(c.Bars, bar)
	}
	return c
}

// shortened cuts a name in the middle: what differs is often at its end.
func shortened(s string, n int) string {
	runes := []rune(s)
	if len(runes) <= n {
		return s
	}
	half := (n - 1) / 2
	return string(runes[:half]) + "…" + string(runes[len(runes)-half:])
}

// bytesText is a limit for people.
func bytesText(n int) string { return fmt.Sprintf("%.1f MiB", float64(n)/(1<<20)) }
