package reporttest

import (
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/casefile"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/change"
)

// CaseFiles are a case file for each class of verdict, and one that holds what nobody should ever write.
func CaseFiles() map[string]why.CaseFile {
	out := map[string]why.CaseFile{}
	for class, one := range verdicts() {
		app := Spark("payments", "nightly-etl")
		file := why.CaseFile{
			AsOf: Now(), Subject: app,
			State:  why.State{Word: one.state, Since: Now().Add(-12 * time.Minute), Attempt: 1, Ran: one.ran},
			Causes: []why.Cause{one.cause},
			Unseen: one.unseen,
			Timeline: []why.Moment{
				{At: Now().Add(-54 * time.Minute), Text: "submitted", Object: app},
				{At: Now().Add(-54*time.Minute + 4*time.Second), Text: "driver scheduled", Object: driver(), Turn: why.OfMain},
			},
		}
		file.Causes[0].Class, file.Causes[0].Subject = class, app
		out[string(class)] = file
	}
	out["full"], out["hostile"] = FullCaseFile(), HostileCaseFile()
	return out
}

// Document makes the document of a case file.
func Document(f why.CaseFile) *casefile.Document {
	return casefile.New(f, report.Tool{Version: "v0.1.0", Commit: "0123456789ab"}, command.Asked{Context: "prod"})
}

func driver() snapshot.Ref {
	return snapshot.Ref{APIVersion: "v1", Kind: "Pod", Namespace: "payments", Name: "nightly-etl-driver"}
}

// FullCaseFile has all that a case file can have.
func FullCaseFile() why.CaseFile {
	app, at := Spark("payments", "nightly-etl"), Now().Add(-12*time.Minute)
	pod := driver()
	executor := snapshot.Ref{APIVersion: "v1", Kind: "Pod", Namespace: "payments", Name: "nightly-etl-exec-7"}
	driverLog := "log spark-kubernetes-driver"
	terminated := "status.containerStatuses[spark-kubernetes-driver].state.terminated."
	return why.CaseFile{
		AsOf: Now(), Subject: app,
		State: why.State{Word: "FAILED", Since: at, Attempt: 3, MaxAttempts: 3, Ran: 41*time.Minute + 46*time.Second},
		Causes: []why.Cause{{
			Message: "the driver exceeded its memory limit (OOMKilled, 137); the limit is 1433Mi = 1g + 40 % overhead, the peak is unknown",
			Cause: cause.Cause{Class: cause.ClusterKilled, Subject: pod, At: at, Trust: cause.ByContainer, Evidence: []cause.Proof{
				{Object: pod, Field: terminated + "reason", Value: "OOMKilled", At: at},
				{Object: pod, Field: terminated + "exitCode", Value: "137"},
				{Object: pod, Field: "spec.containers[spark-kubernetes-driver].resources.limits.memory", Value: "1433Mi"},
				{Object: pod, Field: driverLog, Value: "03:12:38 INFO TaskSetManager: Finished task 39.0 in stage 4.0", At: at},
				{Object: pod, Field: driverLog, Value: "03:12:40 ERROR TaskSetManager: Total size of serialized results is bigger", At: at},
				{Object: app, Field: "spec.sparkVersion", Value: "3.5.5", Beside: true},
			}},
			Brief: "the driver exceeded its 1433 MiB container limit and was killed",
			Change: []why.Change{{
				Change: change.Change{Object: app, Path: []string{"spec", "driver", "memoryOverhead"}, Implied: "409m", To: "1126m",
					Because: change.Scaled{Times: 1.5, Of: change.OfLimit, Value: "1433 MiB"}},
				Because: "1.5 × the limit of 1433 MiB; no peak was measured",
			}},
			Next: []command.Command{
				command.Do("set driver.memory to 2g, or raise driver.memoryOverhead").On("get", app, "-o yaml"),
				command.Do("read the end of the driver's log").With("kubectl -n %s logs %s --tail=50", pod.Namespace, pod.Name),
			},
		}, {
			Cause: cause.Cause{Class: cause.ClusterKilled, Certainty: check.Likely, Subject: executor, At: at.Add(-time.Minute),
				Trust: cause.ByPod, Effect: true, Evidence: []cause.Proof{{Object: executor,
					Field: "status.conditions[DisruptionTarget].reason", Value: "EvictionByEvictionAPI"}}},
			Message: "2 executors were lost when node ip-10-0-3-7 was drained",
		}},
		RuledOut: []why.RuledOut{{Message: "a code failure", Because: "no uncaught exception in the last 64 KiB of the driver's log"}},
		Attempts: []why.Attempt{
			{Number: 1, Started: at.Add(-4 * time.Hour), Ended: at.Add(-3 * time.Hour), Outcome: "OOMKilled (137)", SameReason: true},
			{Number: 2, Started: at.Add(-2 * time.Hour), Ended: at.Add(-time.Hour), Outcome: "OOMKilled (137)", SameReason: true},
			{Number: 3, Started: at.Add(-42 * time.Minute), Ended: at, Outcome: "OOMKilled (137)", SameReason: true},
		},
		Timeline: []why.Moment{
			{At: at.Add(-42 * time.Minute), Text: "submitted", Object: app},
			{At: at.Add(-42*time.Minute + 4*time.Second), Text: "driver scheduled", Object: pod, Turn: why.OfMain},
			{At: at.Add(-42*time.Minute + 31*time.Second), Text: "image pulled (2.1 GiB)", Object: pod, Turn: why.OfMain},
			{At: at.Add(-42*time.Minute + 44*time.Second), Text: "driver running", Object: pod, Turn: why.MainRuns},
			{At: at.Add(-42*time.Minute + 58*time.Second), Text: "first executor running", Object: executor, Turn: why.ExecutorsRun},
			{At: at, Text: "driver OOMKilled", Object: pod, Turn: why.MainEnds}, {At: at.Add(2 * time.Second), Text: "FAILED", Object: app},
		},
		Losses: []why.Moment{{At: at.Add(-2 * time.Minute), Text: "executor lost: node drain"},
			{At: at.Add(-time.Minute), Text: "executor lost: node drain"}, {At: at, Text: "executor lost: OOMKilled"}},
		Executors: &why.Executors{Asked: 40, Ran: 40, Completed: 37,
			Lost: []why.Loss{{Count: 2, Why: "node drain"}, {Count: 1, Why: "OOMKilled"}}},
		Also: []string{"attempts 1 and 2 failed for the same reason", "2 of 14 runs this week failed like this"},
		Unseen: []why.Unseen{{What: "events of attempts 1 and 2", Reason: "the API server keeps events for 1 h",
			NextTime: "kubectl sparkdoctor snapshot --logs within the hour"}},
	}
}

// HostileCaseFile has control characters and markup in every text that a cluster supplies.
func HostileCaseFile() why.CaseFile {
	f := FullCaseFile()
	f.Subject.Name, f.State.Word = Escapes, Escapes
	f.Causes[0].Message, f.Causes[0].Signature = Escapes, Escapes
	f.Causes[0].Evidence = []cause.Proof{
		{Object: Spark(Escapes, Escapes), Field: Escapes, Value: Escapes}, {Value: "::error::\n##[add-mask]x"},
		{Object: Spark("x", "y"), Field: "log", Value: Escapes}, {Object: Spark("x", "y"), Field: "log", Value: "::error::\n##[add-mask]x"},
	}
	f.Causes[0].Brief = Escapes
	f.Causes[0].Change = []why.Change{{Because: Escapes, Change: change.Change{Object: Spark(Escapes, Escapes),
		Path: []string{"spec", "sparkConf", Escapes}, From: Escapes, To: []any{Escapes}}}}
	f.Causes[0].Next = []command.Command{{Text: Escapes, Line: "kubectl get " + Escapes}}
	f.Causes[1].Message = "::error::one ##[error]two"
	f.RuledOut = []why.RuledOut{{Message: Escapes, Because: Escapes}}
	f.Attempts = []why.Attempt{{Number: 1, Outcome: Escapes}}
	f.Timeline[1].Text, f.Timeline[1].Object = Escapes, Spark(Escapes, Escapes)
	f.Executors.Lost = []why.Loss{{Count: 1, Why: Escapes}}
	f.Also = []string{Escapes, "::stop-commands::x"}
	f.Unseen = []why.Unseen{{What: Escapes, Reason: Escapes, NextTime: Escapes}}
	return f
}
