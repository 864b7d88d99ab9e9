package reporttest

import (
	"testing"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// Forged is a report that somebody wrote by hand and that the schema lets pass: no text in it can be trusted.
func Forged(t *testing.T) *report.Report {
	t.Helper()
	r := Compared()
	r.Tool = report.Tool{Version: Escapes, Commit: Escapes}
	r.Sources = []report.Source{{Name: Escapes, Type: "cluster", Context: Escapes, Server: Escapes}}
	r.Scope.Installations = []report.Installation{{Namespace: Escapes, Name: Escapes, Version: Escapes, JudgedAs: Escapes}}
	r.Namespaces = []report.Namespace{{Name: Escapes, Admission: report.Admission{State: "unknown", Reason: Escapes, CausedBy: Escapes}},
		{Name: Escapes + "2", Admission: report.Admission{State: "broken", BrokenLink: "service", CausedBy: Escapes}}}
	invisible := Escapes + "\U000e0041\ue000\u0378\ufdd0\U0010ffff"
	r.Checks[0].Title, r.Checks[0].Reason = invisible, invisible
	r.Checks[0].Unseen = []snapshot.Unseen{{Verb: invisible, Resource: invisible, Namespace: invisible, Name: invisible, Reason: invisible}}
	r.Checks[0].Coverage = "partial"
	for i := range r.Items {
		r.Items[i].Docs = "javascript:alert(1)"
		r.Items[i].Message = invisible
		r.Items[i].Field = invisible
		r.Items[i].Evidence = []report.Evidence{{Object: r.Items[i].Object, Field: invisible, Value: invisible}}
		r.Items[i].Location = &snapshot.Location{File: invisible, Line: 1}
		r.Items[i].Related = append(r.Items[i].Related, Spark(invisible, invisible))
	}
	r.Metrics = &report.Metrics{MaxObjectBytes: 1, Applications: []report.ApplicationSize{{Namespace: invisible, Name: invisible, Bytes: 1}},
		Growing:      []report.ApplicationGrowth{{Namespace: invisible, Name: invisible, Bytes: 1, Full: Now()}},
		Certificates: []report.CertificateExpiry{{Namespace: invisible, Secret: invisible, Role: "ca", NotAfter: Now()}}}
	back := Reread(t, r)
	back.Compare(Reread(t, Night()))
	return back
}
