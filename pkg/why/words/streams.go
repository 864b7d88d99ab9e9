package words

import (
	"fmt"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// streamAtWork says how far a stream is.
func streamAtWork(d *mechanism.StreamAtWork) string {
	s := &d.Stream
	who := "its stream"
	if s.Name != "" {
		who = "stream " + s.Name
	}
	says := fmt.Sprintf("%s gets on: batch %d", who, s.Batch)
	switch {
	case s.Rows > 0 && s.Took > 0:
		says += fmt.Sprintf(" (%s in %s)", phrase.Counted(s.Rows, "row"), age(s.Took))
	case s.Rows > 0:
		says += " (" + phrase.Counted(s.Rows, "row") + ")"
	}
	says += " finished" + ago(d.Ago)
	if s.Every > 0 {
		says += ", one every " + age(s.Every)
	}
	if d.Waits {
		says += ", and waits for new data"
	}
	if d.Others > 0 {
		says += fmt.Sprintf("; so %s %s", phrase.Verb(d.Others, "does", "do"), phrase.Counted(d.Others, "other stream"))
	}
	return says
}

// sessionClosed is about a client whose session is over.
func sessionClosed(d *mechanism.SessionClosed) Phrase {
	says := "SESSION_CLOSED"
	if at := d.Complaint.At; !at.IsZero() {
		says += " at " + at.UTC().Format("15:04")
	}
	says += " is of one client, whose session was over: it has to open another"
	next := "let that client open a new session"
	if d.Timeout != "" {
		next += fmt.Sprintf("; to keep sessions longer than %s, raise spark.connect.session.manager.defaultSessionTimeout", d.Timeout)
	}
	return Phrase{Says: says, Do: []command.Command{command.Do("%s", next)}}
}
