// Package words says what causes are: the only place where sentences and advice are made. It is given causes as values and returns text;
// nothing decides on that text. One file holds the words of what belongs together, as the files of package mechanism do.
package words

import (
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// Phrase is how a cause is said.
type Phrase struct {
	Says string            // one line, lower case, a fact with its numbers
	Do   []command.Command // what to do, the first thing first
}

// Of says a cause. It panics on a detail for which there are no words: a test asks for those of every mechanism.
func (t Terms) Of(c *cause.Cause) Phrase {
	for _, say := range t.subjects() {
		if p, known := say(c); known {
			return p
		}
	}
	panic("no words for mechanism " + string(c.Detail.Mechanism()))
}

// subjects are the words by what they are about. Each knows the details of its own mechanisms and leaves the others alone.
func (t Terms) subjects() []func(*cause.Cause) (Phrase, bool) {
	return []func(*cause.Cause) (Phrase, bool){
		work, t.relations, explains, t.failureCauses, t.atWork, unexplained,
		t.schedulingWords,
		t.containerWords,
		t.volumeWords,
		startWords,
		t.refusedWords,
		queueWords,
		t.endWords,
		firstCauseWords,
		t.exitWords,
		goneWords,
		t.outcomeWords, t.apacheWords,
		scheduleWords, ofRuns,
		stoppedWords,
		t.submissionWords,
		operatorWords,
		t.serverDownWords,
		serverWords,
		t.serverUnmadeWords,
		t.logWords,
	}
}
