package reporttest

import (
	"testing"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// forged is a report that somebody wrote by hand and that the schema lets pass: no text in it can be trusted.
func Forged(t *testing.T) *report.Report {
	t.Helper()
	r := Compared()
	r.Tool = report.Tool{Version: Escapes, Commit: Escapes}
	r.Sources = []report.Source{{Name: Escapes, Type: "cluster", Context: Escapes, Server: Escapes}}
	r.Scope.Installations = []report.Installation{{Namespace: Escapes, Name: Escapes, Version: Escapes, JudgedAs: Escapes}}
	r.Namespaces = []report.Namespace{{Name: Escapes, Admission: report.Admission{State: "unknown", Reason: Escapes, CausedBy: Escapes}}, {Name: Escapes + "2", Admission: report.Admission{State: "broken", BrokenLink: "service", CausedBy: Escapes}}}
	Escapes := Escapes + "\U000e0041\ue000\u0378\ufdd0\U0010ffff"
	r.Checks[0].Title, r.Checks[0].Reason = Escapes, Escapes
	r.Checks[0].Unseen = []snapshot.Unseen{{Verb: Escapes, Resource: Escapes, Namespace: Escapes, Name: Escapes, Reason: Escapes}}
	r.Checks[0].Coverage = "partial"
	for i := range r.Items {
		r.Items[i].Docs, r.Items[i].Message, r.Items[i].Field = "javascript:alert(1)", Escapes, Escapes
		r.Items[i].Evidence = []report.Evidence{{Object: r.Items[i].Object, Field: Escapes, Value: Escapes}}
		r.Items[i].Location = &snapshot.Location{File: Escapes, Line: 1}
		r.Items[i].Related = append(r.Items[i].Related, Spark(Escapes, Escapes))
	}
	r.Metrics = &report.Metrics{MaxObjectBytes: 1, Applications: []report.ApplicationSize{{Namespace: Escapes, Name: Escapes, Bytes: 1}}, Certificates: []report.CertificateExpiry{{Namespace: Escapes, Secret: Escapes, Role: "ca", NotAfter: Now()}}}
	back := Reread(t, r)
	back.Compare(Reread(t, Night()))
	return back
}
