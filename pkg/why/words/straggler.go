package words

import (
	"cmp"
	"fmt"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// straggler is about the last task of a stage.
func straggler(c *cause.Cause, d *mechanism.Straggler) Phrase {
	last := fmt.Sprintf("the last of %d", d.Stage.Of)
	if n := d.Stage.Of - d.Stage.Done; n > 1 {
		last = fmt.Sprintf("one of the last %d of %d", n, d.Stage.Of)
	}
	says := fmt.Sprintf("most likely data skew: task %s of %s, %s, has been running%s on executor %s, which keeps spilling to disk (%s, the "+
		"last%s)", d.Spilling.Task, d.Stage.Name(), last, lasting(d.For), cmp.Or(d.Executor, d.Pod.Name),
		phrase.Counted(d.Spilling.Times, "time"), ago(d.Ago))
	do := []command.Command{
		threadDump("let it finish, or filter or salt the most frequent key (often null) of the join or grouping, and run "+
			"it again; a thread dump shows what the task does", c.Subject.Namespace, c.Subject.Name)}
	if d.Adaptive == "false" {
		do[0].Text = "let it finish, or set spark.sql.adaptive.enabled to true, which splits skewed partitions of a join (skewJoin), and run " +
			"it again; else salt or filter the most frequent key"
	}
	return Phrase{says, do}
}
