package words

import (
	"fmt"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// heldBySecret says where a credential comes from, and where a new one goes.
func heldBySecret(d *mechanism.HeldBySecret) Phrase {
	by := "envFrom"
	if d.Variable != "" {
		by = "variable " + d.Variable
	}
	says := fmt.Sprintf("the %s is key %s of Secret %s (%s)", d.What, d.Key, d.Secret, by)
	into := fmt.Sprintf("into key %s of Secret %s", d.Key, d.Secret)
	if d.Owner.Name != "" {
		into = fmt.Sprintf("where %s %s takes key %s of Secret %s from", d.Owner.Kind, d.Owner.Name, d.Key, d.Secret)
	}
	what := d.What
	if d.Signed {
		what += ", whole and without a line break at its end,"
	}
	return Phrase{says, []command.Command{command.Do("put a valid %s %s, and run the application again", what, into)}}
}
