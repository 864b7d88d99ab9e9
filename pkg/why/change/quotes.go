package change

import (
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// ReadByShell is a value that a shell reads before Spark does.
type ReadByShell struct{}

func (ReadByShell) reason() {}

// meantForShell matches what a value has that was perhaps written for the shell: quotes, and variables.
var meantForShell = lazyregexp.New(`['"` + "`" + `]|\$[\w{(]`)

// quotes puts a value in single quotes that holds none: in them, a shell changes nothing (2.2.2 Single-Quotes of POSIX.1-2024).
func quotes(v *mechanism.View, c *cause.Cause) []Change {
	d, is := c.Detail.(mechanism.UnquotedSetting)
	object, prefix := owner(v)
	if !is || object.Name == "" || meantForShell.MatchString(d.Value) {
		return nil
	}
	return []Change{{Object: object, Path: below(prefix, d.In, d.Key), From: d.Value, To: "'" + d.Value + "'", Because: ReadByShell{}}}
}
