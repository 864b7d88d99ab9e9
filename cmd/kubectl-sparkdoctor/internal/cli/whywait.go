package cli

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"time"

	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report/casefile"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/scan"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// How long an application that does not get on must be seen so before it counts as hanging, and how often one looks. A pod that was
// created a moment ago is pending for a while, and an image takes time.
const (
	lookEvery  = 10 * time.Second
	hangsAfter = 2 * time.Minute
)

// ends is how an application that is waited for stands.
type ends int

const (
	goesOn ends = iota
	succeeded
	failedFor
	untold // it is gone, and nothing says how it ended
	hangs
)

// waitFor follows an application until it ended or hangs, or until the time is up, and answers then.
func (f *scanFlags) waitFor(ctx context.Context, o scan.WhyOptions, outs []output, streams genericiooptions.IOStreams) error {
	o.Observer = nil
	var deadline <-chan time.Time
	if f.wait > 0 {
		timer := time.NewTimer(f.wait)
		defer timer.Stop()
		deadline = timer.C
	}
	var since time.Time // it was seen to hang
	shown := ""
	for {
		file, err := scan.Why(ctx, o)
		if err != nil {
			return err
		}
		line := casefile.New(file, tool(), o.Asked).Head()
		if shown == "" {
			f.sayNamesake(&file, streams)
		}
		if line != shown {
			say(streams, "%s", report.Escape(line))
			shown = line
		}
		switch stands := standing(&file); {
		case stands == succeeded, stands == failedFor, stands == untold:
			return f.waited(file, o, outs, streams, map[ends]int{failedFor: exitFindings, untold: exitIncomplete}[stands])
		case stands == goesOn:
			since = time.Time{}
		case since.IsZero():
			since = time.Now()
		case time.Since(since) >= hangsAfter:
			return f.waited(file, o, outs, streams, exitIncomplete)
		}
		select {
		case <-ctx.Done():
			return &codeError{code: ExitInterrupted}
		case <-deadline:
			say(streams, "it has not ended after %s", phrase.Span(f.wait))
			return f.waited(file, o, outs, streams, exitIncomplete)
		case <-time.After(lookEvery):
		}
	}
}

// waited writes the answer and ends with a code of its own.
func (f *scanFlags) waited(file why.CaseFile, o scan.WhyOptions, outs []output, streams genericiooptions.IOStreams, code int) error {
	if err := f.answer(file, o, outs, streams); err != nil {
		var unanswered *codeError
		if !errors.As(err, &unanswered) {
			return err
		}
	}
	if code == 0 {
		return nil
	}
	return &codeError{code: code}
}

// standing is how an application stands that one waits for. One that the operator starts again has not ended.
func standing(file *why.CaseFile) ends {
	c := file.Verdict()
	switch file.State.Word {
	case "COMPLETED":
		if c.Class.Fault() && c.Class != cause.ObserverMissed && c.Certainty == check.Proven {
			return failedFor
		}
		return succeeded
	case "GONE":
		if c.Class == cause.Unknown {
			return untold
		}
		return failedFor
	case "FAILED", "SUBMISSION_FAILED", "Failed", "DriverStartTimedOut", "DriverReadyTimedOut", "ExecutorsStartTimedOut",
		"SchedulingFailure", "DriverEvicted", "ResourceReleased": // those behind Failed are of the Apache Spark Kubernetes Operator
		if s := file.State; s.MaxAttempts > 0 && s.Attempt < s.MaxAttempts {
			return goesOn
		}
		return failedFor
	case "Succeeded":
		return succeeded
	}
	waits := []cause.Class{cause.SlowButProgressing, cause.RunningNormally, cause.Unknown}
	if c.Class.Fault() && !slices.Contains(waits, c.Class) || c.Class == cause.Suspended {
		return hangs
	}
	return goesOn
}

// waitValue reads --wait and --wait=30m.
type waitValue struct {
	set *bool
	to  *time.Duration
}

func (w waitValue) String() string { return "" }
func (w waitValue) Type() string   { return "duration" }

func (w waitValue) Set(text string) error {
	d, err := time.ParseDuration(text)
	if err != nil || d < 0 {
		return fmt.Errorf("%q is no duration, such as 30m", text)
	}
	*w.set, *w.to = true, d
	return nil
}
