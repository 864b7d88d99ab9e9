package words

import (
	"fmt"
	"strings"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// submissionWords are about a spark-submit that failed.
func (t Terms) submissionWords(c *cause.Cause) (Phrase, bool) {
	switch d := c.Detail.(type) {
	case mechanism.SubmissionRefused:
		refusal := d.Refusal
		refusal.Said, _, _ = strings.Cut(refusal.Said, "Caused by: ") // the client of Kubernetes wraps it, and says it again
		p := t.Refused(&refusal, TheDriver())
		if d.Skips != nil {
			return Phrase{Says: "the submission failed: Pod Security admission refused the driver, which lacks the securityContext of the spec: " +
				skips(d.Skips) + "; " + sentence("it violates "+d.Refusal.Name+": "+d.Refusal.Said),
				Do: []command.Command{seeNamespace(d.Skips, c.Subject.Namespace)}}, true
		}
		if len(d.Accounts) > 0 {
			p.Do = []command.Command{t.do("name one that exists in {spec.driver.serviceAccount}: %s; or create service account %s and bind it to "+
				"a role", phrase.FirstOf(d.Accounts), d.Account).With("kubectl -n %s get rolebindings -o wide", c.Subject.Namespace)}
		}
		return Phrase{Says: "the submission failed: " + sentence(p.Says), Do: p.Do}, true
	case mechanism.SubmissionFailed:
		return Phrase{Says: "the submission failed: " + sentence(LastWords(d.Said)), Do: []command.Command{
			command.Do("read what spark-submit printed in the log of the operator's controller")}}, true
	case mechanism.SparkSubmitKilled:
		says := "spark-submit was killed (SIGKILL) inside the operator's controller, most likely by the memory limit that it shares with it"
		if d.Limit != "" {
			says = "spark-submit was killed (SIGKILL) inside the operator's controller, whose memory limit of " + d.Limit + " it shares"
		}
		return Phrase{Says: says, Do: []command.Command{
			command.Do("raise the memory limit of the operator's controller to 1Gi or more, or lower controller.workers")}}, true
	case mechanism.SpecHalfRead:
		return Phrase{Says: "the submission failed: the operator gave spark-submit no deploy mode, though spec.mode is cluster; it read the " +
			"application while it took up a change of the spec",
			Do: []command.Command{command.Do("delete the application and create it again: its spec is complete")}}, true
	case mechanism.DriverNameTaken:
		return driverNameTaken(d), true
	default:
		return Phrase{}, false
	}
}

func driverNameTaken(d mechanism.DriverNameTaken) Phrase {
	h := d.Holder
	if h == nil {
		return Phrase{Says: fmt.Sprintf("the submission failed: a pod %q already existed, and it is gone by now", d.Name),
			Do: []command.Command{command.Do("submit it again, once nothing else uses the pod name %s", d.Name)}}
	}
	do := []command.Command{
		command.Do("look whether pod %s does the job's work, and let it finish", d.Name).On("logs", h.Pod),
		command.Do("delete the pod if it does not, or set another spec.driver.podName, then submit again"),
	}
	if d.Fixed && !h.Own {
		do = []command.Command{
			command.Do("let it finish, or take spec.driver.podName out, so that each run names its own driver; then submit again").
				On("logs", h.Pod)}
	}
	return Phrase{
		Says: fmt.Sprintf("the submission failed: pod %q already existed, of %s: %s since %s, and this submission was at %s", d.Name,
			holder(h), h.Phase, h.Created.UTC().Format(time.TimeOnly), d.Submitted.UTC().Format(time.TimeOnly)),
		Do: do}
}

// holder is whose pod it is.
func holder(h *mechanism.PodHolder) string {
	switch {
	case h.Application == "":
		return "no SparkApplication"
	case !h.Own:
		return fmt.Sprintf("SparkApplication %q", h.Application)
	case h.Submission != "":
		return fmt.Sprintf("submission %q of this application", h.Submission)
	default:
		return "another submission of this application"
	}
}

// LastWords are those of spark-submit that say why it failed, without what the operator and Java put around them.
func LastWords(text string) string {
	text = mechanism.FirstAnswer(text)
	text = strings.TrimPrefix(text, "failed to submit spark application: ")
	text = unwrapped(text)
	_, rest, found := strings.Cut(text, `Exception in thread "main" `)
	if !found {
		return text
	}
	if at := strings.LastIndex(rest, "\nCaused by: "); at >= 0 {
		rest = rest[at+len("\nCaused by: "):]
	}
	rest, _, _ = strings.Cut(rest, "\n\tat ") // frames say where, not what
	return rest
}
