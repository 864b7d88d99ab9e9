package pods

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// unmutated states the finding about an application, and the pattern that tells what was wrong with the webhook.
func unmutated(job *jobPods, in *area) check.Finding {
	app := job.app
	f := check.Finding{About: check.OfApp(app).Among([]snapshot.Ref{app.Ref}), Severity: check.Warning, Certainty: check.Likely}
	if slices.ContainsFunc(job.without, func(j judgement) bool { return j.verdict == ranNot }) && job.operator != nil &&
		job.operator.Recognised {
		f.Severity, f.Certainty = check.Error, check.Proven
	}
	lacking, fields := lackingOf(job.without)
	who, since, evidence := pattern(job)
	f.Field = fields[0]
	f.Message = fmt.Sprintf("%s fields that only the webhook adds: %s%s", who, lacking, withoutGang(job.without))
	if !since.IsZero() {
		f.Since, f.Brief = since, "every new pod lacks fields that only the webhook adds: "+lacking
	}
	f.Saw(app.Ref, "status.submissionID", app.SubmissionID)
	for i, j := range job.without {
		f.Objects = append(f.Objects, j.pod.Ref)
		if i < shownPods {
			f.Saw(j.pod.Ref, "spec", "without "+inWords(j.missing))
		}
	}
	f.Evidence = append(f.Evidence, evidence...)
	if job.operator != nil {
		f.Related = []snapshot.Ref{cmp.Or(job.operator.Webhook, job.operator.Controller).Ref}
	}
	switch {
	case job.operator != nil && job.operator.Webhook == nil:
		f.Message += fmt.Sprintf("; operator %s runs no webhook", job.operator.Stated)
	case in.with == 0 && in.apps > 1:
		f.Message += fmt.Sprintf("; so do all comparable pods in namespace %q, %d of %s", app.Namespace, in.without,
			phrase.Counted(in.apps, "application"))
	}
	return f
}

// mend is what to do: whatever keeps the webhook from pods is repaired first, by a finding of its own or here.
func mend(f *check.Finding, in *operator.Installation) {
	switch {
	case in == nil:
		f.ThenIf(check.Uncaused, command.Do("see which webhooks are registered").With("kubectl get mutatingwebhookconfigurations"))
	case in.Webhook == nil:
		f.ThenIf(check.Uncaused, command.EnableWebhook(in))
	default:
		f.ThenIf(check.Uncaused, command.Do("see what the webhook logged when the pods were created").
			With("kubectl -n %s logs deployment/%s --timestamps", in.Webhook.Namespace, in.Webhook.Name))
	}
	f.Then(command.Do("then submit the application again: pods that exist cannot be changed"))
}

// withoutGang says what becomes of pods without the batch scheduler that they were to have: their group exists all the same, and
// its scheduler waits for members that another one places.
func withoutGang(list []judgement) string {
	for _, j := range list {
		for _, f := range j.missing {
			if f.Field == snapshot.BatchScheduler {
				return fmt.Sprintf("; the default scheduler places pods one by one, not %q as a gang", f.Name)
			}
		}
	}
	return ""
}

// callTime is how long before its pod was made, and after, a call of the webhook may be logged: the API server waits 30
// seconds at most for an answer, and tries no second time.
const callTime = 30 * time.Second

// explain quotes what the operator logged while the pods were made. In 1.x the webhook answers with an error when it does
// not know the application, which lets its pods through (#2448); it says so and names the application, which proves it.
func (job *jobPods) explain(f *check.Finding, logs []snapshot.OperatorLog) {
	if job.operator == nil {
		return
	}
	name := job.app.Namespace + "/" + job.app.Name
	list := facts.Signs(job.operator.Logged(logs), func(l facts.Logged) bool {
		return slices.ContainsFunc(job.without, func(j judgement) bool {
			if l.Sign == snapshot.ApplicationNotFound {
				atCreation := near(l.First, j.pod.Created) || near(l.Last, j.pod.Created)
				return l.About == name && job.operator.Legacy() && atCreation
			}
			return l.Within(j.pod.Created.Add(-callTime), j.pod.Created.Add(callTime))
		})
	}, snapshot.ApplicationNotFound, snapshot.CertificateRefused, snapshot.HandlerPanicked)
	f.Evidence = append(f.Evidence, facts.Quote(list)...)
	if len(list) > 0 && slices.ContainsFunc(list, func(l facts.Logged) bool { return l.Sign == snapshot.ApplicationNotFound }) {
		f.Severity, f.Certainty = check.Error, check.Proven
		f.Message += "; the webhook could not find the application then"
	}
}

func near(a, b time.Time) bool { return a.Sub(b).Abs() <= callTime }

// shownPods bounds the pods that are evidence; all are among the finding's objects.
const shownPods = 3

// pattern says which of an application's pods the webhook missed: all of them, as with a selector or a configuration
// that does not cover them; all since a time, when it died; or some, when one of several replicas is at fault.
func pattern(job *jobPods) (who string, since time.Time, evidence []check.Evidence) {
	all := len(job.with) + len(job.without)
	byAge := func(a, b *snapshot.Pod) int { return a.Created.Compare(b.Created) }
	bad := make([]*snapshot.Pod, 0, len(job.without))
	for _, j := range job.without {
		bad = append(bad, j.pod)
	}
	first := slices.MinFunc(bad, byAge)
	made := func(pod *snapshot.Pod, what string) check.Evidence {
		return check.Evidence{Object: pod.Ref, Field: "metadata.creationTimestamp", Value: pod.Created.Format(time.RFC3339) + ", " + what}
	}
	if len(job.with) == 0 {
		if all == 1 {
			return fmt.Sprintf("%s %q lacks", first.Role(), first.Name), since, nil
		}
		return fmt.Sprintf("all %d pods lack", all), since, []check.Evidence{made(first, "the first, not mutated")}
	}
	last := slices.MaxFunc(job.with, byAge)
	evidence = []check.Evidence{made(last, "the last that was mutated"), made(first, "the first that was not")}
	if last.Created.Before(first.Created) {
		return fmt.Sprintf("every pod since %s, %d of %d, lacks", first.Created.Format(time.RFC3339), len(bad), all), first.Created, evidence
	}
	return fmt.Sprintf("%d of %d pods lack", len(bad), all), since, evidence
}

// lackingOf names what pods lack, by path in the application: "spec.driver.env (A, B)".
func lackingOf(list []judgement) (text string, paths []string) {
	byPath := map[string][]snapshot.Feature{}
	for _, j := range list {
		for _, f := range j.missing {
			path := pathOf(f.Field, j.pod.Role())
			if !slices.Contains(byPath[path], f) {
				byPath[path] = append(byPath[path], f)
			}
		}
	}
	for path := range byPath {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	parts := make([]string, 0, len(paths))
	for _, path := range paths {
		parts = append(parts, path+bracketed(byPath[path]))
	}
	return strings.Join(parts, ", "), paths
}

func pathOf(field snapshot.Field, role string) string {
	if field.OfSpec() {
		return "spec." + string(field)
	}
	return "spec." + role + "." + string(field)
}

// inWords names features without a role: "env (A, B), tolerations (dedicated)".
func inWords(list []snapshot.Feature) string {
	var parts []string
	for len(list) > 0 {
		field := list[0].Field
		n := slices.IndexFunc(list, func(f snapshot.Feature) bool { return f.Field != field })
		if n < 0 {
			n = len(list)
		}
		parts = append(parts, string(field)+bracketed(list[:n]))
		list = list[n:]
	}
	return strings.Join(parts, ", ")
}

// bracketed lists a few names in brackets, or nothing for what has none.
func bracketed(list []snapshot.Feature) string {
	const most = 3
	var names []string
	for _, f := range list {
		if f.Name != "" {
			names = append(names, f.Name)
		}
	}
	slices.Sort(names)
	if len(names) == 0 {
		return ""
	}
	if len(names) > most {
		names = append(names[:most], fmt.Sprintf("and %d more", len(names)-most))
	}
	return " (" + strings.Join(names, ", ") + ")"
}

// executorEnv is the finding that no fault of admission causes.
const executorEnv check.Kind = "executor-env"

// droppedEnv states what the release itself gets wrong: the webhook ran, or nothing tells that it did not.
func droppedEnv(job *jobPods) check.Finding {
	flaw, _ := operator.FlawOf(job.release(), snapshot.Env, facts.ExecutorRole)
	f := check.Finding{
		About: check.OfApp(job.app).Among([]snapshot.Ref{job.app.Ref}), Severity: check.Warning, Identity: check.Identity{Kind: executorEnv},
		Field: pathOf(snapshot.Env, facts.ExecutorRole),
		Evidence: []check.Evidence{{Object: job.app.Ref, Field: pathOf(snapshot.Env, facts.ExecutorRole),
			Value: inWords(job.dropped[0].dropped)}},
	}
	for i, j := range job.dropped {
		f.Objects = append(f.Objects, j.pod.Ref)
		if i < shownPods {
			f.Saw(j.pod.Ref, "spec", "without "+inWords(j.dropped))
		}
	}
	f.Then(command.Do("set driver.env as well: this release adds the executors' env only then"))
	bug, _, _ := strings.Cut(flaw.Source, ",")
	f.Message = fmt.Sprintf("operator %s adds the executors' env only if the driver has one (%s): %s without %s", job.operator.Stated, bug,
		phrase.Counted(len(job.dropped), "executor"), inWords(job.dropped[0].dropped))
	return f
}
