package report_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
)

// sampleFleet is several clusters: the same fault in two of them, one that hides a part, one that does not answer and one
// without the operator.
func sampleFleet() *report.Report {
	prod, staging, dim := sampleNight(), sampleNight(), samplePartial()
	prod.Sources = []report.Source{{Name: "prod", Type: "cluster", Context: "prod", Server: "https://prod.example.com"}}
	staging.Sources = []report.Source{{Name: "staging", Type: "cluster", Context: "staging", Server: "https://staging.example.com"}}
	dim.Sources = []report.Source{{Name: "dim", Type: "cluster", Context: "dim", Server: "https://dim.example.com"}}
	prod.Metadata.CreationTimestamp = night().Add(time.Minute)
	for _, r := range []*report.Report{prod, staging} {
		for i := range r.Items {
			r.Items[i].Source, r.Items[i].Location = r.Sources[0].Name, nil
		}
		r.Scope.Installations = []report.Installation{{Namespace: "spark-operator", Name: "spark-operator", Version: "2.5.1"}}
	}
	dark := report.Unjudged(prod.Tool, report.Source{Name: "dark" + escapes, Type: "cluster", Context: "dark" + escapes, Error: "the connection failed: " + escapes})
	other := report.Unjudged(prod.Tool, report.Source{Name: "web", Type: "cluster", Context: "web", NoOperator: true})
	return report.Join([]*report.Report{prod, staging, dim, dark, other})
}

func TestJoin(t *testing.T) {
	r := sampleFleet()
	require.Len(t, r.Sources, 5)
	require.Equal(t, night(), r.Metadata.CreationTimestamp, "the oldest: as of then all of it is known")
	require.Equal(t, 2*sampleNight().Summary.Findings.Error, r.Summary.Findings.Error)
	require.Len(t, r.Items, 2*len(sampleNight().Items))
	require.True(t, r.Incomplete())
	require.Equal(t, "prod", r.Items[0].Source)
	require.Equal(t, r.Items[0].Check, r.Items[1].Check)
	require.Len(t, r.Checks, 2*len(sampleNight().Checks)+len(samplePartial().Checks))

	complete := report.Join([]*report.Report{in("a", sampleClean()), in("b", sampleClean())})
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
		return build(cluster(), check.Result{Check: owner(), Status: check.Failed, Findings: []check.Finding{finding(owner(), spark("team-a", "etl"), check.Error, "x")}})
	}
	fine := func() *report.Report { return build(cluster(), check.Result{Check: owner()}) }
	before := report.Join([]*report.Report{in("a", faulty()), in("b", fine()), in("c", faulty())})
	after := report.Join([]*report.Report{in("a", fine()), in("b", faulty()), report.Unjudged(report.Tool{}, report.Source{Name: "c", Type: "cluster", Error: "refused"})})
	after.Compare(before)
	require.Equal(t, report.BaselineCounts{New: 1, Resolved: 1, NotComparable: 1}, after.Baseline.Findings)
	require.Equal(t, "cluster c could not be scanned: refused", after.Baseline.Gone[1].Baseline.Reason)

	one := faulty()
	one.Compare(before)
	require.Equal(t, "one report is of several clusters, the other of one", one.Baseline.Gone[0].Baseline.Reason)
}
