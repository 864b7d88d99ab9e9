package mechanism_test

import (
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/words"
)

// saidCause is a cause in words.
type saidCause struct {
	cause.Cause

	Message string
}

// said are all causes, in words.
func said(e *app.Evidence) []saidCause {
	var out []saidCause
	for _, c := range mechanism.Causes(e) {
		out = append(out, saidCause{c, words.Terms{}.Of(&c).Says})
	}
	return out
}
