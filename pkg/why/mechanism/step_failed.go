package mechanism

import (
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

// StepFailed is a driver that exited with 0 although a process that it ran failed: a script that starts its steps one after the other and
// passes over their results (#1553). A program that catches an exception, prints it and goes on looks alike; Spark then is not stopped by
// the end of a process.
type StepFailed struct {
	Complaint logs.Complaint
}

// Mechanism names what was found.
func (StepFailed) Mechanism() cause.ID { return "step-failed" }

// stepFailed is about an application that came to a good end, by its exit code alone.
func stepFailed(v *View, end goodEnd) (cause.Cause, bool) {
	step := v.Work.Step
	if step == nil || v.Driver == nil {
		return cause.Cause{}, false
	}
	pod := Ref(v.Driver)
	line := cause.Proof{Object: pod, Field: v.logField(), Value: step.Line, At: step.At}
	if step.Root != (logs.Throwable{}) {
		line.Value = step.Root.Class + ": " + step.Root.Message
	}
	return cause.Cause{Class: cause.CodeFailed, Role: cause.DriverRole, Subject: pod, Trust: cause.ByDriverLog, At: step.At,
		Detail: StepFailed{Complaint: *step}, Evidence: append([]cause.Proof{line}, end.seen...)}, true
}
