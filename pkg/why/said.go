package why

import (
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/words"
)

// inWords says the causes that hold a detail.
func inWords(all []cause.Cause) []cause.Cause {
	for i := range all {
		if c := &all[i]; c.Detail != nil && c.Message == "" {
			p := words.Of(c)
			c.Message, c.Next = p.Says, p.Do
		}
	}
	return all
}
