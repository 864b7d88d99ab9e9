package scan

import (
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/collect"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
)

func costOf(costs func() []collect.Cost, took time.Duration) *report.Cost {
	c := &report.Cost{Milliseconds: int(took.Milliseconds()), PeakMemoryBytes: int(peakMemory())}
	if costs == nil {
		return c
	}
	for _, one := range costs() {
		c.Requests += one.Requests
		c.Bytes += int(one.Bytes)
		c.Listings = append(c.Listings, report.ListingCost{
			Of: one.Of, Requests: one.Requests, Bytes: int(one.Bytes), Milliseconds: int(one.Took.Milliseconds()),
		})
	}
	return c
}
