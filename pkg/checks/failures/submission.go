package failures

import (
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/words"
)

// Why a submission failed.
const (
	nameTaken      check.Kind = "name taken"
	submitKilled   check.Kind = "spark-submit killed"
	webhookFailed  check.Kind = "webhook failed"
	noAccount      check.Kind = "no account"
	notAllowed     check.Kind = "not allowed"
	refused        check.Kind = "refused"
	submissionFail check.Kind = "submission"
)

// ofSubmission reports whether no driver was ever there.
func ofSubmission(fault check.Kind) bool {
	switch fault {
	case nameTaken, submitKilled, webhookFailed, noAccount, notAllowed, refused, submissionFail:
		return true
	default:
		return false
	}
}

// submission is why spark-submit failed. Its output is kept in part: what the API server answered comes first.
func submission(app *snapshot.SparkApplication, said *mechanism.Recorded) end {
	e := end{class: cause.Submission, fault: submissionFail, key: string(submissionFail), certainty: check.Likely}
	switch {
	case said.NameTaken:
		e.fault, e.certainty = nameTaken, check.Proven
		e.text = "the submission failed: a pod with the name of the driver already existed"
		e.related = []snapshot.Ref{facts.DriverRef(app)}
		e.next = []check.Command{command.Do("see which pod has the name of the driver").On("get", e.related[0])}
		e.key = string(nameTaken) + " " + app.DriverPod()
		return e
	case said.Killed:
		e.fault = submitKilled
		e.alike = true
		e.platform = true
		e.text = "spark-submit was killed (SIGKILL) in the operator's controller, whose memory limit it shares"
		e.key = string(submitKilled)
		e.next = []check.Command{command.Do("raise the memory limit of the operator's controller to 1Gi or more")}
		return e
	}
	r, text := said.Refusal, said.Text
	switch {
	case r != nil:
		e.class = r.Class
		e.fault = refused
		e.certainty = check.Proven
		e.alike = true
		e.key = r.Key()
		p := words.Terms{}.Refused(r, words.TheDriver())
		e.text, e.next = "the submission failed: "+phrase.OneLine(p.Says, keptText), p.Do
	case text == "":
		e.text = "the submission failed, and the operator recorded no reason"
		return e
	default:
		e.text = "the submission failed: " + phrase.OneLine(words.LastWords(text), keptText)
		e.key += " " + e.text
		return e
	}
	switch {
	case r.Kind == mechanism.WebhookUncalled && strings.HasSuffix(r.Name, snapshot.SparkGroup): // the name of one of the operator's
		e.fault, e.platform = webhookFailed, true
	case r.Kind == mechanism.AccountMissing:
		e.fault = noAccount
	case e.class == cause.Credentials:
		e.fault, e.platform = notAllowed, true
	}
	return e
}
