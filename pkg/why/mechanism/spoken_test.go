package mechanism_test

import (
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/words"
)

// spoken are all causes, with what is said of them.
func spoken(e *app.Evidence) []cause.Cause {
	all := mechanism.Causes(e)
	for i := range all {
		if c := &all[i]; c.Detail != nil {
			p := words.Of(c)
			c.Message, c.Next = p.Says, p.Do
		}
	}
	return all
}
