package scan_test

import (
	"context"
	"fmt"
	"log"

	"k8s.io/client-go/rest"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/apiserver"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix/apply"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix/plan"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/scan"
)

// Files that hold everything: what is not in them does not exist.
func ExampleRun() {
	r, err := scan.Run(context.Background(), scan.Options{
		Source: scan.Files{Paths: []string{"../../examples/broken-cluster"}, Complete: true},
	})
	if err != nil {
		log.Fatal(err)
	}
	for _, item := range r.Items[:3] {
		fmt.Println(item.Severity, item.Check, item.Object.Namespace+"/"+item.Object.Name)
	}
	fmt.Println("errors:", r.Summary.Findings.Error)
	// Output:
	// error SD2001 team-a/sales-8kd2v
	// error SD2004 argo/sales
	// error SD2005 nightly/ledger-driver
	// errors: 5
}

// One namespace, two checks, and an observer that collects what people are told.
func ExampleRun_selected() {
	selected, err := scan.Select(checks.All(), []string{"SD3001", "orphan-pod"}, nil, nil)
	if err != nil {
		log.Fatal(err)
	}
	var told notes
	r, err := scan.Run(context.Background(), scan.Options{
		Source:   scan.Files{Paths: []string{"../../examples/broken-cluster"}, Complete: true},
		Subjects: scan.Subjects{Namespaces: []string{"streaming"}},
		Checks:   selected,
		Observer: &told,
	})
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(told)
	for _, item := range r.Items {
		fmt.Println(item.Check, item.Object.Name)
	}
	// Output:
	// [ages are relative to 2026-11-21T14:48:14Z, the latest time in the files (--as-of changes it)]
	// SD3001 clickstream
}

// A namespace that does not exist is an error, so that a typo does not look like health.
func ExampleEmptyError() {
	_, err := scan.Run(context.Background(), scan.Options{
		Source:   scan.Files{Paths: []string{"../../examples/broken-cluster"}},
		Subjects: scan.Subjects{Namespaces: []string{"streming"}},
	})
	fmt.Println(err)
	// Output: namespace "streming": the input holds nothing of it (--allow-empty accepts that)
}

// May the operator be upgraded?
func ExampleGate() {
	to, err := operator.ReleaseNamed("2.5.2")
	if err != nil {
		log.Fatal(err)
	}
	r, err := scan.Gate(context.Background(), scan.GateOptions{
		Options: scan.Options{Source: scan.Files{Paths: []string{"../../examples/upgrade"}, Complete: true}},
		To:      to.Application,
	})
	if err != nil {
		log.Fatal(err)
	}
	r.Decide("error", false)
	fmt.Println(r.Gate.From, "to", r.Gate.To+":", r.Gate.Verdict)
	// Output:
	// 2.3.0 to 2.5.2: NO-GO
}

// Everything safe is repaired that is wrong with one application, with a record from which it can be taken back.
func ExampleRepair() {
	ctx := context.Background()
	config, err := rest.InClusterConfig()
	if err != nil {
		log.Fatal(err)
	}
	conn, err := apiserver.Connect(config)
	if err != nil {
		log.Fatal(err)
	}
	client, err := apply.NewClient(conn, apply.Options{Manager: "example"})
	if err != nil {
		log.Fatal(err)
	}
	to, err := scan.NewWriter(ctx, client)
	if err != nil {
		log.Fatal(err)
	}
	pick, err := scan.ParsePick("SD2001=team-a/etl")
	if err != nil {
		log.Fatal(err)
	}
	repair := scan.Repair{
		Scan:   scan.Options{Source: scan.Cluster{Connect: func() (*apiserver.Connection, error) { return conn, nil }}},
		Picks:  []scan.Pick{pick},
		Limits: plan.Limits{MaxRisk: fix.Safe},
		Writer: to,
	}
	plan, err := repair.Plan(ctx)
	if err != nil {
		log.Fatal(err)
	}
	refused, err := repair.Allowed(ctx, plan)
	if err != nil {
		log.Fatal(err)
	}
	journal, err := scan.NewJournal("/var/lib/example/records", plan, repair.Scan.Tool)
	if err != nil {
		log.Fatal(err)
	}
	applied, err := repair.Apply(ctx, plan, scan.Applying{Journal: journal, Refused: refused})
	if err != nil {
		log.Fatal(err)
	}
	for _, e := range applied.Endings {
		fmt.Println(e.Finding.Check, e.Finding.Object, e.State)
	}
}
