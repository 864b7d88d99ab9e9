package casefile

import (
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
	Older      int             `json:"older"`            // that did not complete, and were not asked about
	Unread     []Unread        `json:"unread,omitempty"` // whose evidence could not be read
	Unseen     []Unseen        `json:"unseen,omitempty"` // kinds that could not be listed

	AskLine string `json:"-"` // the command that has the answer of one that is listed, for people
}

// Unread is an application that could not be asked about.
type Unread struct {
	Subject snapshot.Ref `json:"subject"`
	Reason  string       `json:"reason"`
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
