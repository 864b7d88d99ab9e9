package change

import (
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// StartsAlone is a JVM that a debugger may connect to later.
type StartsAlone struct{}

func (StartsAlone) reason() {}

// debugger lets a JVM start without a debugger, where a field of the spec makes it wait. What else stands in a field may be a secret that
// is not kept: then the field is not written again.
func debugger(v *mechanism.View, c *cause.Cause) []Change {
	d, is := c.Detail.(mechanism.DebuggerAwaited)
	object, prefix := owner(v)
	if !is || len(d.Given.Path) == 0 || object.Name == "" || strings.Contains(d.Given.Value, snapshot.Redacted) {
		return nil
	}
	option := strings.Replace(d.Option, "suspend=y", "suspend=n", 1)
	if option == d.Option {
		option += ",suspend=n"
	}
	return []Change{{Object: object, Path: below(prefix, d.Given.Path...), From: d.Given.Value,
		To: strings.Replace(d.Given.Value, d.Option, option, 1), Because: StartsAlone{}}}
}
