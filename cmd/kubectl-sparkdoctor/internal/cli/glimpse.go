package cli

import (
	"slices"
	"strings"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// glimpse returns what stands out among applications that just arrived: the first fact that the selected checks state
// of one application, looking at nothing else. Whether it becomes a finding is the report's to say; the fact stays one.
func (o *scanOptions) glimpse(batch *snapshot.Batch) string {
	var alone []checks.Check
	for _, c := range o.selected {
		if !c.Absence && !slices.ContainsFunc(c.Needs, beyondApplications) {
			alone = append(alone, c)
		}
	}
	b := snapshot.NewBuilder(time.Now())
	b.FromServer()
	b.Take(batch)
	b.Cover(snapshot.SparkApplications, snapshot.Coverage{State: snapshot.Complete})
	s := b.Seal()
	results := o.selection.Narrow(s, checks.Run(s, alone, o.params))
	for _, r := range checks.Waive(s, results, o.waivers, nil, o.selection) {
		for _, f := range r.Findings {
			if f.Suppressed == nil {
				fact, _, _ := strings.Cut(f.Message, ";") // what follows depends on the server's clock
				return f.Object.String() + ": " + fact
			}
		}
	}
	return ""
}

// beyondApplications reports whether a need is for more than the application itself. Logs only add evidence.
func beyondApplications(n snapshot.Need) bool {
	return n.View != snapshot.SparkApplications && n.View != snapshot.OperatorLogs
}
