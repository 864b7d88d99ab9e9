package mechanism

import (
	"path"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// SubmissionRefused is a spark-submit, or what the operator makes before it, that the API server, an admission plugin or a server on the
// way refused in words that are known. What it printed is in the message of the state
// (internal/controller/sparkapplication/submission.go@v2.5.2).
type SubmissionRefused struct {
	Refusal  Refusal
	Settings []string // of Spark, that it names
	// Skips is the operator's webhook, which puts the securityContext of the spec into the pod and does not see the namespace; nil: it is
	// not that.
	Skips *app.WebhookSkip
	// Account is the service account that does not exist, and Accounts those of the namespace that are made for workloads; empty: it is not
	// that.
	Account  string
	Accounts []string
}

// Mechanism names it.
func (SubmissionRefused) Mechanism() cause.ID { return "submission-refused" }

// SubmissionFailed is a spark-submit that failed in words that are not known.
type SubmissionFailed struct {
	Said     string   // by the operator, with what spark-submit printed
	Settings []string // of Spark, that it names
}

// Mechanism names it.
func (SubmissionFailed) Mechanism() cause.ID { return "submission-failed" }

// submissionFailed reads what the operator wrote of a failed spark-submit.
func submissionFailed(v *View) []cause.Cause {
	said := v.Recorded
	for _, e := range v.eventsOn("SparkApplication", v.AppRef().Name, "SparkApplicationSubmissionFailed") {
		if said.Text == "" {
			said = NewMessages().Read(e.Message, said.Submission)
		}
	}
	recorded := cause.Proof{Object: v.AppRef(), Field: "status.applicationState.errorMessage", Value: said.Text}
	switch {
	case !said.Submission:
		return nil
	case said.Killed:
		return []cause.Cause{submitKilled(v, recorded)}
	case said.NameTaken:
		return []cause.Cause{driverNameTaken(v, recorded)}
	case said.NoMode && v.Spec.Mode == "cluster":
		return []cause.Cause{specHalfRead(v, recorded)}
	}
	c := cause.Cause{Class: cause.Submission, Role: cause.SubmissionRole, Trust: cause.ByOperator, Subject: v.AppRef(), At: v.Submitted.UTC(),
		Evidence: []cause.Proof{recorded}}
	if r := said.Refusal; r != nil {
		refused := SubmissionRefused{Refusal: *r, Settings: said.Settings}
		if s := v.WebhookSkips; s != nil && r.Kind == PodSecurityRefuses && v.Spec.Driver.Secured {
			refused.Skips = s
			c.Evidence = append(c.Evidence, cause.Proof{Object: s.Config, Field: "namespaceSelector of " + s.Webhook, Value: s.Selector})
		}
		if r.Kind == AccountMissing {
			refused.Account, refused.Accounts = path.Base(r.Name), v.workloadAccounts()
		}
		c.Class, c.Topics = r.Class, r.Topics
		c.Detail = refused
		return []cause.Cause{c}
	}
	c.Certainty, c.Detail = check.Likely, SubmissionFailed{Said: said.Text, Settings: said.Settings}
	return []cause.Cause{c}
}

// Unsubmitted reports whether spark-submit failed, so that no driver was ever there.
func (v *View) Unsubmitted() bool { return v.Recorded.Submission }
