package mechanism_test

import (
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/words"
)

// said are all causes, in words.
func said(e *app.Evidence) []cause.Cause {
	all := mechanism.Causes(e)
	for i := range all {
		if c := &all[i]; c.Detail != nil {
			p := words.Of(c)
			c.Message, c.Next = p.Says, p.Do
		}
	}
	return all
}
