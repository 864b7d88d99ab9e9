package lifecycle

import (
	"fmt"
	"path"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

const unnoticedDriver check.Kind = "unnoticed"

// unnoticed states that the driver runs and the operator does not get further than SUBMITTED. It then makes the UI Service
// and the ingresses, and writes the status only when all that worked (reconcileSubmittedSparkApplication,
// internal/controller/sparkapplication/controller.go@v2.2.1 to @v2.5.2; #2698, #2260, #2868).
func (c *submissions) unnoticed(app *snapshot.SparkApplication, driver *snapshot.Pod) *check.Finding {
	if driver.Started.IsZero() || c.s.TakenAt.Sub(driver.Started) <= c.p.SubmittedAfter {
		return nil
	}
	in, _ := c.controllers.Of(app)
	if in != nil && in.Down() {
		c.waiting.Add(in)
		return nil
	}
	f := &check.Finding{
		About: check.OfApp(app), Severity: check.Error, Field: "status.applicationState.state",
		Identity: check.Identity{Kind: unnoticedDriver}, Related: []snapshot.Ref{driver.Ref},
		Verdict: check.Verdict{Since: driver.Started, Brief: fmt.Sprintf("still SUBMITTED although driver pod %q started", driver.Name)},
		Message: fmt.Sprintf("still SUBMITTED although driver pod %q started %s: the operator fails before it updates the status", driver.Name,
			facts.When(driver.Started, c.s.TakenAt)),
		Evidence: []check.Evidence{
			stateOf(app), {Object: driver.Ref, Field: "status.phase", Value: driver.Phase},
			{Object: driver.Ref, Field: "status.startTime", Value: driver.Started.Format(time.RFC3339)},
		},
	}
	judgedBy(f, in)
	if in == nil {
		f.Then(command.Do("see which operator should record it").With("kubectl get deployments -A"))
		return f
	}
	readLog(f, in)
	f.ThenRepair(lookAgain)
	f.Shared = "unnoticed " + in.Controller.Namespace + "/" + in.Controller.Name
	if !in.Legacy() && app.UIService == "" {
		f.Message += "; it has created no UI Service"
		f.Evidence = append(f.Evidence, check.Evidence{Object: app.Ref, Field: "status.driverInfo.webUIServiceName", Value: "none"})
	}
	f.Fixes = []fix.Intent{fix.Touch{Application: app.Ref, State: app.State, At: c.s.TakenAt,
		Consequence: "it retries to record that the driver runs", Quiet: true}}
	return f
}

// refused states why every attempt to submit the application is refused. FAILED is over, and says so itself.
func (c *submissions) refused(app *snapshot.SparkApplication) *check.Finding {
	if app.Refusal == "" || app.Created.IsZero() || c.s.TakenAt.Sub(app.Created) <= c.p.SubmittedAfter {
		return nil
	}
	f := &check.Finding{
		About: check.OfApp(app), Severity: check.Error, Identity: check.Identity{What: "refused"},
		Field:    "status.applicationState.errorMessage",
		Evidence: []check.Evidence{stateOf(app), {Object: app.Ref, Field: "status.applicationState.errorMessage", Value: app.Refusal}},
	}
	r, _ := mechanism.NewMessages().Refused(app.Refusal)
	text, next := c.refusal(f, &r, app.Namespace)
	if next.Text == "" {
		next = command.Do("read the full error of the API server").On("get", app.Ref, "-o jsonpath={.status.applicationState.errorMessage}")
	}
	f.Then(next)
	f.Message = fmt.Sprintf("SUBMISSION_FAILED after %s, the last %s: %s", phrase.Counted(app.SubmissionAttempts, "attempt"),
		facts.When(app.LastSubmissionAttempt, c.s.TakenAt), text)
	return f
}

// refusal is what refused the driver pod, and what to do about it, if that is known.
func (c *submissions) refusal(f *check.Finding, r *mechanism.Refusal, ns string) (text string, next check.Command) {
	ref := func(kind, name string) snapshot.Ref {
		out := snapshot.Ref{APIVersion: "v1", Kind: kind, Namespace: ns, Name: name}
		f.Related = append(f.Related, out)
		return out
	}
	switch r.Kind {
	case mechanism.QuotaExceeded, mechanism.QuotaExceededUntold:
		quota := ref("ResourceQuota", r.Name)
		text = quota.String() + " is used up"
		f.Shared = "quota " + ns + "/" + quota.Name
		f.Severity = check.Warning
		if r.Kind == mechanism.QuotaExceeded {
			text += " (" + r.Said + ")"
		}
		next = command.Do("see what uses the quota; raise it, or free some of it").On("describe", quota)
	case mechanism.QuotaCountsUnset:
		quota := ref("ResourceQuota", r.Name)
		text, f.Shared = fmt.Sprintf("%s: the driver pod %s", quota, r.Said), "quota "+ns+"/"+quota.Name+" "+r.Said
		next = command.Do("set the limits and requests that the quota asks for, in spec.driver and spec.executor").On("describe", quota)
	case mechanism.AccountMissing:
		account := ref("ServiceAccount", path.Base(r.Name))
		text = account.String() + " does not exist"
		f.Shared = text
		next = command.Do("create the account, or correct spec.driver.serviceAccount").
			With("kubectl -n %s create serviceaccount %s", account.Namespace, account.Name)
	case mechanism.PodSecurityRefuses:
		text, f.Shared = fmt.Sprintf("PodSecurity %q does not allow the driver pod", r.Name), "pod security "+ns
		next = command.Do("set spec.driver.securityContext and spec.executor.securityContext as the namespace demands").
			With("kubectl get namespace %s -o yaml", ns)
	case mechanism.WebhookDenies:
		text, f.Shared = fmt.Sprintf("webhook %q rejects the driver pod", r.Name), "webhook "+r.Name+" "+ns
	default:
		text = "the API server rejects the driver pod"
	}
	return text, next
}
