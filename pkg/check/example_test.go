package check_test

import (
	"fmt"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// A check that asks one question of each application, and the fact that it shares with others.
func Example() {
	perNamespace := check.Fact[map[string]int]{
		Name:  "applications by namespace",
		Needs: []snapshot.Need{{View: snapshot.SparkApplications, Role: snapshot.Subject}},
		Make: func(p *check.Pass) map[string]int {
			out := map[string]int{}
			for _, app := range p.SparkApplications() {
				out[app.Namespace]++
			}
			return out
		},
	}
	c := check.Check{
		ID: "SD0099", Slug: "crowded", Title: "a namespace holds more than one application",
		Requires: []check.Requirement{perNamespace},
		Run: func(p *check.Pass) check.Answer {
			var a check.Answer
			for name, n := range perNamespace.Of(p) {
				if a.Judged++; n > 1 {
					f := check.Finding{About: check.Named(snapshot.Ref{APIVersion: "v1", Kind: "Namespace", Name: name}),
						Severity: check.Info, Message: fmt.Sprintf("the namespace holds %d applications", n)}
					f.Then(command.Do("list them").With("kubectl -n %s get sparkapplications", name))
					a.Findings = append(a.Findings, f)
				}
			}
			return a
		},
	}
	b := snapshot.NewBuilder(time.Date(2026, 11, 28, 9, 0, 0, 0, time.UTC))
	for _, name := range []string{"etl", "report"} {
		b.Add(snapshot.SparkApplications, &snapshot.SparkApplication{Object: snapshot.Object{Ref: snapshot.Ref{
			APIVersion: snapshot.SparkGroup + "/v1beta2", Kind: "SparkApplication", Namespace: "team-a", Name: name}}})
	}
	b.Cover(snapshot.SparkApplications, snapshot.Coverage{State: snapshot.Complete})
	for _, r := range check.Correlate(check.Run(b.Seal(), []check.Check{c}, check.DefaultParams())) {
		for i := range r.Findings {
			f := &r.Findings[i]
			fmt.Println(f.Severity, f.Object, "-", f.Message)
			for _, next := range f.Commands(command.Asked{Context: "prod"}, false) {
				fmt.Printf("%s: %s\n", next.Text, next.Line)
			}
		}
	}
	// Output:
	// info Namespace team-a - the namespace holds 2 applications
	// list them: kubectl --context prod -n team-a get sparkapplications
}
