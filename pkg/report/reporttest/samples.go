// Package reporttest has the reports with which the tests of pkg/report and of its formats work.
package reporttest

import (
	"fmt"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// Escapes is a name that would paint the terminal, ring it, turn the line around and start a new one, and that means
// something in Markdown, HTML, a workflow command and a message of SARIF.
const Escapes = "etl\x1b[31m\a\u009b1m\u202egnp\nsecond|<script>alert(1)</script>" +
	"%0A::error::x`@all #1 [a](javascript:b) {0} https://x.example \\| \"&lt;"

// Now is when all samples were seen.
func Now() time.Time { return time.Date(2026, 11, 21, 3, 14, 15, 0, time.UTC) }

// All are the samples by the names of their golden files.
func All() map[string]*report.Report {
	return map[string]*report.Report{"night": Night(), "clean": Clean(), "nothing-seen": NothingSeen(), "partial": Partial(),
		"suppressed": Suppressed(),
		"compared":   Compared(), "fleet": Fleet(), "gate": Gate(), "go": GateGo()}
}

// Build makes the report of results.
func Build(source report.Source, results ...check.Result) *report.Report {
	scope := report.Scope{Namespaces: []string{}, Installations: []report.Installation{{Namespace: "spark-operator", Name: "spark",
		Version: "2.5.1"}}}
	return report.Build(&snapshot.Snapshot{TakenAt: Now()}, report.Tool{Version: "v0.1.0", Commit: "0123456789ab"}, source, scope, results,
		command.Asked{Context: "prod"})
}

// Cluster is a source.
func Cluster() report.Source {
	return report.Source{Name: "prod", Type: "cluster", Context: "prod", Server: "https://10.0.0.1:6443"}
}

// Spark is a SparkApplication.
func Spark(namespace, name string) snapshot.Ref {
	return snapshot.Ref{APIVersion: "sparkoperator.k8s.io/v1beta2", Kind: "SparkApplication", Namespace: namespace, Name: name,
		UID: "11111111-0000-4000-8000-000000000001"}
}

// Owner is SD2001, without its code as are the other checks.
func Owner() check.Check {
	return check.Check{
		ID: "SD2001", Slug: "cross-namespace-owner", Consequence: check.LosesWork,
		Title: "a Spark object is owned by an object in another namespace",
	}
}

// Dangling is SD2002.
func Dangling() check.Check {
	return check.Check{ID: "SD2002", Slug: "dangling-owner", Consequence: check.LosesWork,
		Title: "a Spark object is owned by an object that does not exist"}
}

// Growing is SD3001.
func Growing() check.Check {
	return check.Check{ID: "SD3001", Slug: "executor-state-oversized", Consequence: check.WillStop,
		Title: "status.executorState grows towards etcd's limit"}
}

// Unused is SD1003.
func Unused() check.Check {
	return check.Check{ID: "SD1003", Slug: "webhook-certificate", Consequence: check.StopsAll,
		Title: "the certificate of the webhook is not the one that the API server trusts"}
}

// Finding is what a check found about an object.
func Finding(c check.Check, o snapshot.Ref, severity check.Severity, message string) check.Reported {
	f := check.Reported{Check: c.ID, Slug: c.Slug,
		Finding: check.Finding{About: check.Named(o), Severity: severity, Message: message,
			Evidence: []check.Evidence{{Object: o, Field: "metadata.uid", Value: o.UID}}}}
	switch c.ID {
	case "SD2001":
		f.Then(command.Do("remove the ownerReference, so that the object stays").On("get", o, "-o yaml"),
			command.Do("create the object in its owner's namespace"))
	case "SD2002":
		f.Then(command.Do("remove the ownerReference").On("edit", o))
	case "SD3001":
		f.ThenRepair("prune the entries of executors that are gone")
	}
	return f
}

// Night has two severities, a folded finding, a likely one, one in a file with a long name, names that attack
// the terminal, and checks that could not look.
func Night() *report.Report {
	message := `owner Workflow "nightly" lives in namespace "argo", not in "team-a": the garbage collector deletes this SparkApplication`
	first := Finding(Owner(), Spark("team-a", "etl"), check.Error, message)
	first.Field = "metadata.ownerReferences[0]"
	first.Seen = &snapshot.Object{Location: snapshot.Location{File: "dump/apps.yaml", Document: 3, Line: 41}}
	first.Related = []snapshot.Ref{{APIVersion: "argoproj.io/v1alpha1", Kind: "Workflow", Namespace: "argo", Name: "nightly"}}
	long := Finding(Owner(), Spark("team-with-a-rather-long-name", "hourly-aggregation-of-clickstream-events-eu"), check.Error, message)
	long.Seen = &snapshot.Object{Location: snapshot.Location{File: "dump/of/a/cluster/sparkapplications.yaml", Document: 1, Line: 7}}
	attack := Finding(Owner(), Spark("team-b", Escapes), check.Warning,
		`owner Workflow "`+Escapes+`" lives in namespace "argo", not in "team-b"`)
	attack.Certainty = check.Likely
	folded := Finding(Dangling(), Pod(1), check.Warning, `owner Pod "etl-driver" does not exist: the garbage collector deletes this Pod`)
	for i := range 12 {
		folded.Objects = append(folded.Objects, Pod(i+1))
	}
	full := Finding(Growing(), Spark("team-a", "streaming"), check.Error,
		"status.executorState holds 14210 entries, 1.4 MiB of 1.5 MiB: full in 3h, then the application can neither be updated nor deleted")
	full.CausedBy = []string{first.Fingerprint()}
	info := Finding(Growing(), Spark("team-c", "small"), check.Info, "status.executorState holds 900 entries")
	r := Build(report.Source{Name: "files", Type: "files", Files: []string{"dump/apps.yaml", "dump/of/a/cluster/sparkapplications.yaml"},
		Objects: 431, Unread: 12},
		check.Result{Check: Growing(), Status: check.Failed, Findings: []check.Reported{info, full}},
		check.Result{Check: Dangling(), Status: check.Failed, Findings: []check.Reported{folded}},
		check.Result{Check: Owner(), Status: check.Failed, Findings: []check.Reported{attack, long, first}},
		check.Result{Check: Unused(), Status: check.NotApplicable,
			Reason: "the input holds no mutatingwebhookconfigurations.admissionregistration.k8s.io"},
	)
	broken := func(link string) report.Admission {
		return report.Admission{State: "broken", BrokenLink: link, CausedBy: "sd1003-0123456789ab"}
	}
	r.Namespaces = []report.Namespace{{Name: "a", Admission: broken("endpoints")}, {Name: "team-a", Admission: broken("certificate")},
		{Name: "team-b", Admission: broken("certificate")}, {Name: "team-c", Admission: report.Admission{State: "healthy"}}}
	r.Metrics = &report.Metrics{
		MaxObjectBytes: 3 << 19,
		Applications: []report.ApplicationSize{{Namespace: "team-a", Name: "streaming", Bytes: 1468006}, {Namespace: "team-b", Name: Escapes,
			Bytes: 900000}, {Namespace: "team-with-a-rather-long-name", Name: "hourly-aggregation-of-clickstream-events-eu", Bytes: 400000},
			{Namespace: "team-c", Name: "small", Bytes: 20000}},
		Growing: []report.ApplicationGrowth{
			{Namespace: "team-a", Name: "streaming", Bytes: 1468006, BytesPerHour: 34952, EntriesPerHour: 338, Full: Now().Add(3 * time.Hour)},
			{Namespace: "team-b", Name: Escapes, Bytes: 900000, BytesPerHour: 2000, EntriesPerHour: 20, Full: Now().AddDate(0, 0, 14)},
		},
		Certificates: []report.CertificateExpiry{{Namespace: "spark-operator", Secret: "webhook-certs", Role: "ca", NotAfter: Now().AddDate(9,
			0, 0)}, {Namespace: "spark-operator", Secret: "webhook-certs", Role: "server", NotAfter: Now().Add(time.Hour)}},
	}
	return r
}

// Pod is an executor.
func Pod(i int) snapshot.Ref {
	return snapshot.Ref{APIVersion: "v1", Kind: "Pod", Namespace: "team-a", Name: fmt.Sprintf("etl-exec-%d", i),
		UID: fmt.Sprintf("33333333-0000-4000-8000-%012d", i)}
}

// Clean has no finding.
func Clean() *report.Report {
	r := Build(Cluster(), check.Result{Check: Owner()}, check.Result{Check: Growing()})
	r.Namespaces = []report.Namespace{{Name: "team-a", Admission: report.Admission{State: "healthy"}}, {Name: "team-b",
		Admission: report.Admission{State: "healthy"}}}
	r.Metrics = &report.Metrics{MaxObjectBytes: 3 << 19, DurationMilliseconds: 1250}
	return r
}

// Forbidden is a list of pods that was refused.
func Forbidden(namespace string) snapshot.Unseen {
	return snapshot.Unseen{Verb: "list", Resource: "pods", Namespace: namespace,
		Reason: `pods is forbidden: User "oncall" cannot list resource "pods" in API group "" in the namespace "` + namespace + `"`}
}

// Partial has no finding, but nobody should take it for clean.
func Partial() *report.Report {
	unseen := []snapshot.Unseen{Forbidden("team-b"), Forbidden("team-c")}
	r := Build(Cluster(),
		check.Result{Check: Unused(), Status: check.Skipped, Reason: "could not list mutatingwebhookconfigurations: forbidden"},
		check.Result{Check: Owner(), Partial: true, Unseen: unseen}, check.Result{Check: Dangling(), Partial: true, Unseen: unseen},
		check.Result{Check: Growing(), Partial: true, Reason: "2 applications could not be decoded"},
	)
	r.Namespaces = []report.Namespace{{Name: "team-a", Admission: report.Admission{State: "unknown",
		Reason: "SD1004 could not look: could not get secrets: forbidden"}}}
	return r
}

// NothingSeen is a scan of files that no check can judge.
func NothingSeen() *report.Report {
	reason := "the input holds no sparkapplications.sparkoperator.k8s.io"
	return Build(report.Source{Name: "files", Type: "files", Files: []string{"service.yaml"}, Objects: 1, Unread: 1},
		check.Result{Check: Owner(), Status: check.NotApplicable, Reason: reason}, check.Result{Check: Growing(), Status: check.NotApplicable,
			Reason: reason},
		check.Result{Check: Dangling(), Status: check.NotApplicable,
			Reason: "concludes from what is not there, and the input may not be everything (--complete declares that it is)"},
	)
}

// Suppressed shows a finding that somebody accepts, beside one that counts.
func Suppressed() *report.Report {
	accepted := Finding(Owner(), Spark("team-a", "etl"), check.Error, `owner Workflow "nightly" lives in namespace "argo", not in "team-a"`)
	accepted.Suppressed = &check.Suppression{By: check.ByAnnotation, Reason: "moved on Monday " + Escapes, Owner: "team-a",
		Until: "2026-12-31"}
	r := Build(Cluster(),
		check.Result{Check: Owner(), Findings: []check.Reported{accepted}},
		check.Result{Check: Growing(), Status: check.Failed, Findings: []check.Reported{Finding(Growing(), Spark("team-c", "small"), check.Info,
			"status.executorState holds 900 entries")}},
	)
	r.ShowSuppressed()
	return r
}
