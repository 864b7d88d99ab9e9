package reporttest

import (
	"bytes"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
)

// Scanned is the report of one check that found something about these applications of team-a.
func Scanned(severity check.Severity, names ...string) *report.Report {
	r := check.Result{Check: Owner()}
	for _, name := range names {
		r.Status = check.Failed
		r.Findings = append(r.Findings, Finding(Owner(), Spark("team-a", name), severity, "owner lives elsewhere"))
	}
	return Build(Cluster(), r)
}

// Reread is a report as another process gets it.
func Reread(t *testing.T, r *report.Report) *report.Report {
	t.Helper()
	var b bytes.Buffer
	require.NoError(t, report.JSON(&b, r))
	back, err := report.Read(b.Bytes())
	require.NoError(t, err)
	return back
}

// Accepted is a report in which somebody accepts what was found.
func Accepted(name string) *report.Report {
	f := Finding(Owner(), Spark("team-a", name), check.Error, "owner lives elsewhere")
	f.Suppressed = &check.Suppression{By: check.ByFlag}
	return Build(Cluster(), check.Result{Check: Owner(), Findings: []check.Reported{f}})
}

// Compared has findings of every class.
func Compared() *report.Report {
	before := Scanned(check.Warning, "etl", "worse", "fixed")
	before.Items = append(before.Items, Build(Cluster(), check.Result{Check: Dangling(), Findings: []check.Reported{Finding(Dangling(), Pod(1),
		check.Warning, "owner is gone")}}).Items...)
	before.Metadata.CreationTimestamp = Now().Add(-24 * time.Hour)
	found := func(severity check.Severity, name string) check.Reported {
		return Finding(Owner(), Spark("team-a", name), severity, "owner lives elsewhere")
	}
	worse := found(check.Error, "worse")
	worse.Fixes = []fix.Intent{fix.RemoveFinalizer{Name: Escapes}}
	after := Build(Cluster(),
		check.Result{Check: Owner(), Status: check.Failed, Findings: []check.Reported{found(check.Warning, "etl"), found(check.Warning, Escapes),
			worse}},
		check.Result{Check: Growing(), Status: check.Failed, Findings: []check.Reported{Finding(Growing(), Spark("team-c", "small"), check.Info,
			"status.executorState holds 900 entries")}},
	)
	after.Compare(before)
	return after
}

// Fleet is several clusters: the same fault in two of them, one that hides a part, one that does not answer and one
// without the operator.
func Fleet() *report.Report {
	prod := Night()
	staging := Night()
	dim := Partial()
	prod.Sources = []report.Source{{Name: "prod", Type: "cluster", Context: "prod", Server: "https://prod.example.com"}}
	staging.Sources = []report.Source{{Name: "staging", Type: "cluster", Context: "staging", Server: "https://staging.example.com"}}
	dim.Sources = []report.Source{{Name: "dim", Type: "cluster", Context: "dim", Server: "https://dim.example.com"}}
	prod.Metadata.CreationTimestamp = Now().Add(time.Minute)
	for _, r := range []*report.Report{prod, staging} {
		for i := range r.Items {
			r.Items[i].Source, r.Items[i].Location = r.Sources[0].Name, nil
		}
		r.Scope.Installations = []report.Installation{{Namespace: "spark-operator", Name: "spark-operator", Version: "2.5.1"}}
	}
	dark := report.Unjudged(prod.Tool, report.Source{Name: "dark" + Escapes, Type: "cluster", Context: "dark" + Escapes,
		Error: "the connection failed: " + Escapes})
	other := report.Unjudged(prod.Tool, report.Source{Name: "web", Type: "cluster", Context: "web", NoOperator: true})
	return report.Join([]*report.Report{prod, staging, dim, dark, other})
}
