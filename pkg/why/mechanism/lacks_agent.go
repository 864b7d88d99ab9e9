package mechanism

import (
	"slices"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

// LacksAgent is a Java agent that one role does not find in its image, where the driver has another image, and started with the same agent.
// With one image for both the jar is nowhere.
type LacksAgent struct {
	Jar          string
	Lacks, Other string // images: of the executors, which lack it, and of the driver
	Monitoring   bool   // spec.monitoring adds the agent to executors
	Exited       int    // executors that were seen to exit with 1
}

// Mechanism names it.
func (LacksAgent) Mechanism() cause.ID { return "lacks-agent" }

// AgentElsewhere compares the images of driver and executors, where an executor does not find an agent.
func AgentElsewhere(v *View, about *cause.Cause) (cause.Cause, bool) {
	failed, _ := about.Detail.(logs.Failure)
	known, is := failed.Meaning.(logs.Known)
	if !is || known.Signature.ID != "java-agent-missing" || about.Role != cause.ExecutorRole || v.Application == nil {
		return cause.Cause{}, false
	}
	d := LacksAgent{Jar: known.Groups["jar"], Lacks: v.imageOf(cause.ExecutorRole), Other: v.imageOf(cause.DriverRole),
		Monitoring: v.Spec.ExposesExecutors, Exited: v.exited(1)}
	agent := "-javaagent:" + d.Jar
	// The operator gives the agent of spec.monitoring to each role that exposes metrics (internal/controller/sparkapplication/
	// monitoring_config.go@v2.5.2).
	asked := strings.Contains(v.Spec.JavaOptions("driver"), agent) || v.Spec.ExposesDriver && v.Spec.ExposesExecutors || inLogOf(v, agent)
	if d.Lacks == "" || d.Other == "" || d.Lacks == d.Other || !asked || !v.Work.Seen {
		return cause.Cause{}, false
	}
	return cause.Cause{Class: about.Class, Certainty: about.Certainty, Role: about.Role, Subject: about.Subject, At: about.At,
		Trust: about.Trust, Detail: d, Evidence: []cause.Proof{{Object: v.AppRef(), Field: "image of the executors", Value: d.Lacks},
			{Object: v.AppRef(), Field: "image of the driver", Value: d.Other}}}, true
}

// exited are the executors that were seen to exit with a code.
func (v *View) exited(code int) (n int) {
	for _, e := range v.Ends {
		if e.Why.Code == code {
			n++
		}
	}
	return n
}

// inLogOf reports whether the log of the driver holds a text, as the command that it was started with.
func inLogOf(v *View, text string) bool {
	return slices.ContainsFunc(v.Logs, func(l app.Log) bool {
		return v.Driver != nil && l.Pod == v.Driver.Name && !l.Previous && (strings.Contains(l.Head, text) || strings.Contains(l.Tail, text))
	})
}
