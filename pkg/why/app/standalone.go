package app

import (
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// Standalone is what a standalone cluster of Spark says of the application of a driver.
type Standalone struct {
	Refused Said // by the master; without text: it does not say so
	Workers []Said
}

// standaloneApp matches how a driver names the application that it is to the master
// (core/src/main/scala/org/apache/spark/scheduler/cluster/StandaloneSchedulerBackend.scala@v4.0.0).
var standaloneApp = lazyregexp.New(`Connected to Spark cluster with app ID (app-[\w-]+)`)

// standalone reads what the master and the workers of a standalone cluster wrote, where the driver that was asked for says that it is an
// application of one: core/src/main/scala/org/apache/spark/deploy/{master/Master,worker/Worker}.scala@v4.0.0. The cluster may be in another
// namespace, and an id is of one application.
func (s *sorter) standalone(logs []Log) {
	id := ""
	for i := range s.e.Logs {
		if m := standaloneApp.FindStringSubmatch(s.e.Logs[i].Head + "\n" + s.e.Logs[i].Tail); m != nil {
			id = m[1]
		}
	}
	if id == "" {
		return
	}
	for i := range logs {
		l := &logs[i]
		if slices.ContainsFunc(s.e.Logs, func(o Log) bool { return o.Namespace == l.Namespace && o.Pod == l.Pod }) {
			continue
		}
		for line := range strings.Lines(l.Head + "\n" + l.Tail) {
			said := Said{Pod: snapshot.Ref{APIVersion: "v1", Kind: "Pod", Namespace: l.Namespace, Name: l.Pod}, Container: l.Container,
				Text: strings.TrimSpace(line)}
			switch {
			case strings.Contains(line, "App "+id+" requires more resource than any of Workers could have"):
				s.e.Standalone.Refused = said
			case strings.Contains(line, "Starting Spark worker ") && l.Namespace == s.e.Subject.Namespace:
				s.e.Standalone.Workers = append(s.e.Standalone.Workers, said)
			}
		}
	}
	slices.SortFunc(s.e.Standalone.Workers, func(a, b Said) int { return a.Pod.Compare(b.Pod) })
}
