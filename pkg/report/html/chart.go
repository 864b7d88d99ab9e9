package html

import (
	"fmt"
	"math"
	"slices"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
)

// chart is a list of bars, the most urgent first. Names are HTML beside the bars, so that none is cut off on a narrow screen.
type chart struct {
	ID, Title, Intro string
	Marks            []float64 // where lines stand, of 100
	Bars             []bar
}

// bar is of 100 units: what is there now, and behind it what comes.
type bar struct {
	Name, Text, Class string
	Now, Next         float64
}

const chartBars = 10 // more are too many to compare

// charts are those of which something was measured. How large applications are, and grow, says nothing about an upgrade.
func charts(r *report.Report) []chart {
	if r.Metrics == nil {
		return nil
	}
	now := r.Metadata.CreationTimestamp
	var all []chart
	if r.Gate == nil {
		all = append(all, sizeChart(r.Metrics), growthChart(r.Metrics, now))
	}
	all = append(all, certificateChart(r.Metrics, now))
	return slices.DeleteFunc(all, func(c chart) bool { return len(c.Bars) == 0 })
}

func sizeChart(m *report.Metrics) chart {
	c := chart{ID: "sizes", Title: "Largest applications", Marks: []float64{25, 50, 80},
		Intro: fmt.Sprintf("The whole width is %s, the most that etcd accepts in one write. Lines at 25%%, 50%% and 80%% show where a size is "+
			"reported as info, warning and error.", facts.BytesText(m.MaxObjectBytes))}
	for _, a := range m.Applications[:min(len(m.Applications), chartBars)] {
		share := m.Share(a)
		c.Bars = append(c.Bars, bar{Name: name(a.Source, a.Namespace, a.Name), Now: part(share), Class: sizeClass(share),
			Text: fmt.Sprintf("%s (%s)", percent(share), facts.BytesText(a.Bytes))})
	}
	return c
}

// percent does not say 0 of what takes something.
func percent(share float64) string {
	if share < .001 {
		return "less than 0.1%"
	}
	return fmt.Sprintf("%.1f%%", share*100)
}

// sizeClass is the severity that SD3001 and SD3004 give a share.
func sizeClass(share float64) string {
	switch {
	case share >= .8:
		return "error"
	case share >= .5:
		return "warning"
	case share >= .25:
		return "info"
	default:
		return "plain"
	}
}

func growthChart(m *report.Metrics, now time.Time) chart {
	c := chart{ID: "growth", Title: "Growing applications",
		Intro: fmt.Sprintf("Share of %s now, and behind it what the next 24 hours add at the mean rate since the application was submitted.",
			facts.BytesText(m.MaxObjectBytes))}
	for _, g := range m.Growing[:min(len(m.Growing), chartBars)] {
		share := float64(g.Bytes) / float64(m.MaxObjectBytes)
		b := bar{Name: name(g.Source, g.Namespace, g.Name), Now: part(share), Class: timeClass(g.Full.Sub(now)),
			Text: fmt.Sprintf("full %s, +%s/h", facts.When(g.Full, now), facts.BytesText(g.BytesPerHour))}
		b.Next = part(share+24*float64(g.BytesPerHour)/float64(m.MaxObjectBytes)) - b.Now
		c.Bars = append(c.Bars, b)
	}
	return c
}

// year is the width of the chart of certificates: the operator's own last for a year or more.
const year = 365 * 24 * time.Hour

func certificateChart(m *report.Metrics, now time.Time) chart {
	c := chart{ID: "certificates", Title: "Webhook certificates", Intro: "Time left until expiry. The whole width is one year or more."}
	list := slices.Clone(m.Certificates)
	slices.SortStableFunc(list, func(a, b report.CertificateExpiry) int { return a.NotAfter.Compare(b.NotAfter) })
	for _, one := range list[:min(len(list), chartBars)] {
		left, word := one.NotAfter.Sub(now), "expires "
		if left <= 0 {
			word = "expired "
		}
		c.Bars = append(c.Bars, bar{Name: name(one.Source, one.Namespace, one.Secret) + " (" + report.Escape(one.Role) + ")",
			Now: part(float64(left) / float64(year)), Class: timeClass(left), Text: word + facts.When(one.NotAfter, now)})
	}
	return c
}

// timeClass is an error where the time left ends during one night, a warning within the default of --cert-warn.
func timeClass(left time.Duration) string {
	switch {
	case facts.InTime(check.Warning, left) == check.Error:
		return "error"
	case left <= check.DefaultParams().CertWarn:
		return "warning"
	default:
		return "plain"
	}
}

// part is a share in units of a bar; what is there at all can be seen.
func part(share float64) float64 { return math.Round(10*min(max(100*share, .5), 100)) / 10 }

func name(source, namespace, name string) string {
	if source != "" {
		source += ": "
	}
	return report.Escape(source + namespace + "/" + name)
}
