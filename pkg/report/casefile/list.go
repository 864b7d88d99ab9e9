package casefile

import (
	"fmt"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// ListKind is what several case files call themselves in JSON and YAML.
const ListKind = "CaseFileList"

// List are the case files of the applications that failed, hang or wait, the newest first.
type List struct {
	APIVersion string          `json:"apiVersion"`
	Kind       string          `json:"kind"`
	Metadata   report.Metadata `json:"metadata"`
	Tool       report.Tool     `json:"tool"`
	Items      []*Document     `json:"items"`
	Fine       int             `json:"fine"`             // that were asked about, and of which nothing is wrong
	Completed  int             `json:"completed"`        // that were not asked about, because they completed
	Older      int             `json:"older"`            // that did not complete, and were not asked about: there are too many
	Unread     []Unread        `json:"unread,omitempty"` // whose evidence could not be read
	Unseen     []Unseen        `json:"unseen,omitempty"` // kinds that could not be listed

	AskLine string `json:"-"` // the command that has the answer of one that is listed, for people
}

// Unread is an application that could not be asked about.
type Unread struct {
	Subject snapshot.Ref `json:"subject"`
	Reason  string       `json:"reason"`
}

// Text says which application could not be read, and why.
func (u *Unread) Text() string {
	return strings.TrimPrefix(u.Subject.Namespace+"/"+u.Subject.Name, "/") + " could not be read: " + u.Reason
}

// Answered reports whether each application has an answer.
func (l *List) Answered() bool {
	for _, d := range l.Items {
		if !d.Answered() {
			return false
		}
	}
	return len(l.Unread) == 0
}

// Cause is the cause of an application in short, and how sure it is: "proven: Driver exceeded its memory limit …".
func (d *Document) Cause() string {
	if sure := d.Verdict.Sure(); sure != "" {
		return sure + ": " + d.Verdict.Short()
	}
	return d.Verdict.Short()
}

// Headline counts what is listed.
func (l *List) Headline() string {
	n := len(l.Items) + len(l.Unread)
	switch {
	case n > 0:
		return phrase.Counted(n, "application") + " " + phrase.Verb(n, "failed, hangs or waits", "failed, hang or wait")
	case l.Fine+l.Completed+l.Older == 0:
		return "no application was found"
	default:
		return "nothing failed, hangs or waits"
	}
}

// Rest counts what is not listed; empty: all of them are.
func (l *List) Rest() string {
	var parts []string
	for _, of := range []struct {
		count int
		is    string
	}{{l.Fine, phrase.Verb(l.Fine, "runs", "run") + " normally"}, {l.Completed, "completed"},
		{l.Older, phrase.Verb(l.Older, "more was", "more were") + " not looked at"}} {
		if of.count > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", of.count, of.is))
		}
	}
	return strings.Join(parts, "; ")
}
