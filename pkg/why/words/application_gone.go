package words

import (
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// applicationGone is about an application that is not there any more.
func applicationGone(c *cause.Cause, d *mechanism.ApplicationGone) Phrase {
	at := ""
	if !d.At.IsZero() {
		at = " at " + d.At.UTC().Format(time.TimeOnly)
	}
	audit := command.Do("search the API server's audit log for who deleted it: verb delete, resource sparkapplications, name %s",
		c.Subject.Name)
	if d.Stopped {
		return Phrase{"its driver was stopped" + at + ", and the application was not seen: most likely it was deleted", []command.Command{audit}}
	}
	when := at
	if d.State != "" {
		when += " in state " + d.State
	}
	switch {
	case d.Client == "" && c.Effect:
		return Phrase{Says: "the application was deleted" + when + "; whether it had come to its end before was not seen"}
	case d.Client == "":
		return Phrase{"the application was deleted" + when + ", and nothing that was read says by whom", []command.Command{audit}}
	case d.Timeout:
		return Phrase{d.Client + " took longer than its execution_timeout and deleted the application" + when, []command.Command{command.Do(
			"raise execution_timeout of %s above what the job takes, or make the job faster, and clear the task", d.Client)}}
	default:
		return Phrase{d.Client + " deleted the application" + when, []command.Command{command.Do("read in the log of %s why", d.Client)}}
	}
}
