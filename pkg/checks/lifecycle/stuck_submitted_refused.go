package lifecycle

import (
	"fmt"
	"regexp"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/fix"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
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
		Object: app.Ref, Location: app.Location, App: app.Name, Severity: check.Error, Field: "status.applicationState.state",
		Kind: unnoticedDriver, Related: []snapshot.Ref{driver.Ref}, Since: driver.Started,
		Brief: fmt.Sprintf("still SUBMITTED although driver pod %q started", driver.Name),
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

// What the API server answers where a pod may not be made (kubernetes plugin/pkg/admission/resourcequota, serviceaccount,
// staging/src/k8s.io/pod-security-admission).
var (
	exceededQuota  = regexp.MustCompile(`exceeded quota: ([^,\s]+), (.+)`)
	failedQuota    = regexp.MustCompile(`failed quota: ([^:,\s]+): (must specify [^:;]+?)(?: for)?[:;]`)
	noAccount      = regexp.MustCompile(`error looking up service account ([^/\s]+)/([^:\s]+): serviceaccount "[^"]*" not found`)
	podSecurity    = regexp.MustCompile(`violates PodSecurity "([^"]+)"`)
	deniedByAnyone = regexp.MustCompile(`admission webhook "([^"]+)" denied the request`)
)

// refused states why every attempt to submit the application is refused. FAILED is over, and says so itself.
func (c *submissions) refused(app *snapshot.SparkApplication) *check.Finding {
	if app.Refusal == "" || app.Created.IsZero() || c.s.TakenAt.Sub(app.Created) <= c.p.SubmittedAfter {
		return nil
	}
	f := &check.Finding{
		Object: app.Ref, Location: app.Location, App: app.Name, Severity: check.Error, What: "refused",
		Field:    "status.applicationState.errorMessage",
		Evidence: []check.Evidence{stateOf(app), {Object: app.Ref, Field: "status.applicationState.errorMessage", Value: app.Refusal}},
	}
	text, ns := "the API server rejects the driver pod", app.Namespace
	next := command.Do("read the full error of the API server").On("get", app.Ref, "-o jsonpath={.status.applicationState.errorMessage}")
	if m := exceededQuota.FindStringSubmatch(app.Refusal); m != nil {
		quota := snapshot.Ref{APIVersion: "v1", Kind: "ResourceQuota", Namespace: ns, Name: m[1]}
		text, f.Shared, f.Severity = fmt.Sprintf("%s is used up (%s)", quota, m[2]), "quota "+ns+"/"+m[1], check.Warning
		f.Related = append(f.Related, quota)
		next = command.Do("see what uses the quota; raise it, or free some of it").On("describe", quota)
	} else if m := failedQuota.FindStringSubmatch(app.Refusal); m != nil {
		quota := snapshot.Ref{APIVersion: "v1", Kind: "ResourceQuota", Namespace: ns, Name: m[1]}
		text, f.Shared = fmt.Sprintf("%s: the driver pod %s", quota, m[2]), "quota "+ns+"/"+m[1]+" "+m[2]
		f.Related = append(f.Related, quota)
		next = command.Do("set the limits and requests that the quota asks for, in spec.driver and spec.executor").On("describe", quota)
	} else if m := noAccount.FindStringSubmatch(app.Refusal); m != nil {
		account := snapshot.Ref{APIVersion: "v1", Kind: "ServiceAccount", Namespace: ns, Name: m[2]}
		text = account.String() + " does not exist"
		f.Shared, f.Related = text, append(f.Related, account)
		next = command.Do("create the account, or correct spec.driver.serviceAccount").
			With("kubectl -n %s create serviceaccount %s", account.Namespace, account.Name)
	} else if m := podSecurity.FindStringSubmatch(app.Refusal); m != nil {
		text, f.Shared = fmt.Sprintf("PodSecurity %q does not allow the driver pod", m[1]), "pod security "+ns
		next = command.Do("set spec.driver.securityContext and spec.executor.securityContext as the namespace demands").
			With("kubectl get namespace %s -o yaml", ns)
	} else if m := deniedByAnyone.FindStringSubmatch(app.Refusal); m != nil {
		text, f.Shared = fmt.Sprintf("webhook %q rejects the driver pod", m[1]), "webhook "+m[1]+" "+ns
	}
	f.Then(next)
	f.Message = fmt.Sprintf("SUBMISSION_FAILED after %s, the last %s: %s", facts.Counted(app.SubmissionAttempts, "attempt"),
		facts.When(app.LastSubmissionAttempt, c.s.TakenAt), text)
	return f
}
