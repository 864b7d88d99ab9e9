package retries

import (
	"cmp"
	"fmt"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func retryMisconfigured() check.Check {
	return check.Check{
		ID: "SD6009", Slug: "retry-misconfigured", Since: "0.1.0", Consequence: check.ChangesJobs,
		Title: "a restartPolicy never retries, or restarts the job without end",
		Needs: []snapshot.Need{
			{View: snapshot.SparkApplications, Role: snapshot.Subject},
		},
		Requires: []check.Requirement{facts.Installations()},
		Run: func(p *check.Pass) check.Answer {
			list, unjudged := facts.Decoded(p.Snapshot)
			installations := facts.Installations().Of(p)
			var found []check.Finding
			for _, app := range list {
				if app.Terminating() || app.State == "COMPLETED" {
					continue
				}
				r := retrying{app, operator.For(installations, app.Namespace), p.TakenAt, p.Params}
				if f, wrong := r.judge(); wrong {
					found = append(found, f)
				}
			}
			return check.Answer{Findings: foldRetries(found), Judged: len(list), Unjudged: unjudged}
		},
	}
}

// retrying is an application, and who retries it; nil if nobody was seen.
type retrying struct {
	*snapshot.SparkApplication
	in  *operator.Installation
	now time.Time
	p   check.Params
}

// What a restartPolicy does instead; the words tell findings about one application apart.
const (
	retriesNothing check.Kind = "never-retries"
	lacksInterval  check.Kind = "no-interval"
	runsForever    check.Kind = "without-end"
)

// restarts is how a restartPolicy is changed.
const restarts = "in its manifest; changing a running application restarts its job"

const (
	manyRuns   = 20        // of one application say that it goes on like that
	shortCycle = time.Hour // a job that lasts longer may be a stream that fails now and then
)

func (r retrying) judge() (check.Finding, bool) {
	policy := r.RestartPolicy
	switch {
	case policy.Type == "OnFailure" && none(policy.OnFailureRetries) && none(policy.OnSubmissionFailureRetries):
		return r.neverRetries(), true
	case r.missesInterval() != "":
		return r.withoutInterval()
	case policy.Type == "Always":
		return r.withoutEnd()
	default:
		return check.Finding{}, false
	}
}

func none(n *int32) bool { return n == nil || *n <= 0 }

func (r retrying) finding(kind check.Kind, field, message string) check.Finding {
	f := check.Finding{
		About: check.OfApp(r), Severity: check.Warning, Identity: check.Identity{Kind: kind}, Field: field, Message: message,
		Evidence: []check.Evidence{{Object: r.Ref, Field: "spec.restartPolicy.type", Value: r.RestartPolicy.Type},
			{Object: r.Ref, Field: "status.applicationState.state", Value: cmp.Or(r.State, "new")}},
	}
	return f
}

// neverRetries states that OnFailure is Never in disguise: no number means none, in every release
// (pkg/util/sparkapplication.go@v2.0.0 to @v2.5.2, ShouldRetry; pkg/controller/sparkapplication/controller.go@
// v1beta2-1.6.2-3.5.0, shouldRetry).
func (r retrying) neverRetries() check.Finding {
	f := r.finding(retriesNothing, "spec.restartPolicy.onFailureRetries",
		"restartPolicy OnFailure sets neither onFailureRetries nor onSubmissionFailureRetries: the operator never retries")
	f.Then(command.Do("set %s %s", f.Field, restarts))
	if r.State != "FAILED" && r.State != "FAILING" && r.State != "SUBMISSION_FAILED" {
		f.Severity = check.Info
	}
	return f
}

// missesInterval returns the field that the operator needs to retry and that is not set, empty if none is. 2.x takes its
// default from the webhook alone, at the creation, and without one never gets as far as to retry
// (pkg/util/sparkapplication.go@v2.1.0 to @v2.5.2, TimeUntilNextRetryDue; 2.0.x has one interval for both, and
// isNextRetryDue is false: internal/controller/sparkapplication/controller.go@v2.0.2). 1.x has the default in memory.
func (r retrying) missesInterval() string {
	policy, always := r.RestartPolicy, r.RestartPolicy.Type == "Always"
	retries := always || policy.Type == "OnFailure"
	if r.in == nil || r.in.Legacy() || !retries || r.Ended() {
		return ""
	}
	const failure, submission = "onFailureRetryInterval", "onSubmissionFailureRetryInterval"
	ofSubmission, field := policy.OnSubmissionFailureRetryInterval, submission
	if !r.in.Facts().SubmissionRetryInterval {
		ofSubmission, field = policy.OnFailureRetryInterval, failure
	}
	submissionRetried := (always || !none(policy.OnSubmissionFailureRetries)) && ofSubmission == nil
	failureRetried := (always || !none(policy.OnFailureRetries)) && policy.OnFailureRetryInterval == nil
	switch {
	case r.State == "SUBMISSION_FAILED" && submissionRetried:
		return field
	case failureRetried:
		return failure
	case submissionRetried:
		return field
	default:
		return ""
	}
}

// withoutInterval states that a failure is not retried, and is not over either. A new application may be about to get its
// defaults.
func (r retrying) withoutInterval() (check.Finding, bool) {
	since := r.Terminated
	if r.State == "SUBMISSION_FAILED" || since.IsZero() {
		since = r.LastSubmissionAttempt
	}
	field := r.missesInterval()
	stuck := r.State == "SUBMISSION_FAILED" || r.State == "FAILING" && r.Reruns(true)
	isNew := r.State == "" && r.now.Sub(r.Created) < r.p.NewAfter
	if isNew || stuck && r.now.Sub(since) < r.p.NewAfter {
		return check.Finding{}, false
	}
	f := r.finding(lacksInterval, "spec.restartPolicy."+field,
		fmt.Sprintf("without %s, operator %s does not retry a failure, and the application hangs after one", field, r.in.Stated))
	f.Then(command.Do("set %s, in seconds, %s", f.Field, restarts))
	if stuck {
		f.Severity, f.Since = check.Error, since
		why := fmt.Sprintf("without %s, operator %s never retries", field, r.in.Stated)
		f.Brief = r.State + ": " + why
		f.Message = fmt.Sprintf("%s for %s: %s", r.State, facts.Age(since, r.now), why)
	}
	if !r.in.Recognised || r.in.Narrowed() {
		f.Certainty = check.Likely
	}
	f.Related = append(f.Related, r.in.Controller.Ref)
	f.Saw(r.Ref, f.Field, "none")
	return f, true
}

// withoutEnd states that Always starts a job again and again, whether it fails or succeeds.
func (r retrying) withoutEnd() (check.Finding, bool) {
	runs := max(r.ExecutionAttempts, r.SubmissionAttempts)
	span := r.LastSubmissionAttempt.Sub(r.Created)
	if runs < manyRuns || r.Created.IsZero() || span <= 0 || span/time.Duration(runs) >= shortCycle || r.Ended() {
		return check.Finding{}, false
	}
	f := r.finding(runsForever, "spec.restartPolicy.type",
		fmt.Sprintf("restartPolicy Always started it %d times within %s, every %s, and continues whether the job fails or succeeds",
			runs, phrase.Span(span), phrase.Span(span/time.Duration(runs))))
	f.Then(command.Do("set spec.restartPolicy.type to OnFailure or Never %s", restarts))
	f.Saw(r.Ref, "status.executionAttempts", fmt.Sprint(r.ExecutionAttempts))
	f.Saw(r.Ref, "status.submissionAttempts", fmt.Sprint(r.SubmissionAttempts))
	return f, true
}

// foldRetries joins the applications of a namespace with one mistake: they come of one template, as a rule. What is
// stuck now is about one application.
func foldRetries(list []check.Finding) []check.Finding {
	return check.Join(list,
		func(f *check.Finding) string {
			if f.Severity == check.Error || f.Kind == runsForever {
				return ""
			}
			return f.Object.Namespace + " " + string(f.Kind)
		},
		func(first, other *check.Finding) {
			first.Absorb(other)
			first.Severity = max(first.Severity, other.Severity)
		},
		func(f *check.Finding, n int) {
			if n == 1 {
				return
			}
			f.Message = fmt.Sprintf("%s of namespace %s, such as %s: %s", phrase.Counted(len(f.Objects), "application"), f.Object.Namespace,
				f.Object.Name, f.Message)
		})
}
