package facts

import (
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
)

// ToldTo is the flag that says what a controller takes.
func ToldTo(in *operator.Installation) check.Evidence {
	return check.Evidence{Object: in.Controller.Ref, Field: "what the controller watches", Value: in.Scope()}
}
