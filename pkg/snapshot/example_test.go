package snapshot_test

import (
	"fmt"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// Applications were read in one namespace, and pods in none: an application without a pod there proves nothing.
func Example() {
	b := snapshot.NewBuilder(time.Date(2026, 6, 3, 12, 0, 0, 0, time.UTC))
	etl := snapshot.Ref{APIVersion: "sparkoperator.k8s.io/v1beta2", Kind: "SparkApplication", Namespace: "team-a", Name: "etl"}
	b.Add(snapshot.SparkApplications, &snapshot.SparkApplication{
		Object: snapshot.Object{Ref: etl}, State: "FAILED", ErrorMessage: "login failed: password=hunter2",
	})
	b.Cover(snapshot.SparkApplications, snapshot.Coverage{State: snapshot.Complete, Namespaces: []string{"team-a"}})
	b.Cover(snapshot.SparkPods, snapshot.Coverage{State: snapshot.Unseeable,
		Unseen: []snapshot.Unseen{{Verb: "list", Resource: "pods", Reason: snapshot.Forbidden}}})
	s := b.Seal()

	for _, app := range s.SparkApplications() {
		fmt.Println(app.Namespace+"/"+app.Name, app.State, app.ErrorMessage)
	}
	for _, namespace := range []string{"team-a", "team-b"} {
		fmt.Println(namespace, s.Covers(snapshot.SparkApplications, namespace), s.Covers(snapshot.SparkPods, namespace))
	}
	fmt.Println("pods:", s.Coverage(snapshot.SparkPods).State)
	// Output:
	// team-a/etl FAILED login failed: password=[redacted]
	// team-a true false
	// team-b false false
	// pods: unreadable
}

// A check reads what it declared, and nothing else.
func ExampleSnapshot_Restrict() {
	s := snapshot.NewBuilder(time.Time{}).Seal()
	s = s.Restrict([]snapshot.Need{{View: snapshot.SparkApplications, Role: snapshot.Subject}})
	fmt.Println(len(s.SparkApplications()))
	defer func() { fmt.Println(recover() != nil) }()
	s.SparkPods()
	// Output:
	// 0
	// true
}
