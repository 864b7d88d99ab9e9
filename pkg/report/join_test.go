package report_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/reporttest"
)

func TestJoin(t *testing.T) {
	r := reporttest.Fleet()
	require.Len(t, r.Sources, 5)
	require.Equal(t, reporttest.Now(), r.Metadata.CreationTimestamp, "the oldest: as of then all of it is known")
	require.Equal(t, 2*reporttest.Night().Summary.Findings.Error, r.Summary.Findings.Error)
	require.Len(t, r.Items, 2*len(reporttest.Night().Items))
	require.True(t, r.Incomplete())
	require.Equal(t, "prod", r.Items[0].Source)
	require.Equal(t, r.Items[0].Check, r.Items[1].Check)
	require.Len(t, r.Checks, 2*len(reporttest.Night().Checks)+len(reporttest.Partial().Checks))

	complete := report.Join([]*report.Report{in("a", reporttest.Clean()), in("b", reporttest.Clean())})
	require.False(t, complete.Incomplete())
	onlyOthers := report.Join([]*report.Report{report.Unjudged(report.Tool{}, report.Source{Name: "web", NoOperator: true})})
	require.True(t, onlyOthers.Incomplete(), "nothing was judged")
}

// in gives a report its cluster.
func in(name string, r *report.Report) *report.Report {
	r.Sources = []report.Source{{Name: name, Type: "cluster", Context: name}}
	for i := range r.Items {
		r.Items[i].Source = name
	}
	return r
}

// TestCompareClusters: the same fault in another cluster is another fault.
func TestCompareClusters(t *testing.T) {
	faulty := func() *report.Report {
		return reporttest.Build(reporttest.Cluster(), check.Result{Check: reporttest.Owner(), Status: check.Failed,
			Findings: []check.Reported{reporttest.Finding(reporttest.Owner(), reporttest.Spark("team-a", "etl"), check.Error, "x")}})
	}
	fine := func() *report.Report {
		return reporttest.Build(reporttest.Cluster(), check.Result{Check: reporttest.Owner()})
	}
	before := report.Join([]*report.Report{in("a", faulty()), in("b", fine()), in("c", faulty())})
	after := report.Join([]*report.Report{in("a", fine()), in("b", faulty()), report.Unjudged(report.Tool{}, report.Source{Name: "c",
		Type: "cluster", Error: "refused"})})
	after.Compare(before)
	require.Equal(t, report.BaselineCounts{New: 1, Resolved: 1, NotComparable: 1}, after.Baseline.Findings)
	require.Equal(t, "cluster c could not be scanned: refused", after.Baseline.Gone[1].Baseline.Reason)

	one := faulty()
	one.Compare(before)
	require.Equal(t, "one report is of several clusters, the other of one", one.Baseline.Gone[0].Baseline.Reason)
}
