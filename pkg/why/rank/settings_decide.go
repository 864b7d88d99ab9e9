package rank

import (
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// What is added here is a setting, or its default, without which the verdict would not have come about.

// filesInMemory says in brief, too, what else takes of the memory at whose limit executors were killed, and it says so before what came of
// that.
func filesInMemory(v *mechanism.View, a *Answer) {
	c, is := mechanism.InMemory(v, &a.Cause)
	if !is {
		return
	}
	d, _ := c.Detail.(mechanism.FilesInMemory)
	first := &a.Clauses[0]
	switch {
	case !d.Scratch():
		a.add(Also, c)
		return
	case !mechanism.WereOOMKilled(&first.Cause) || first.Form != Whole:
		a.add(With, c)
		return
	}
	loss, after := *first, *first
	loss.Form, after.Form, after.Joint = Loss, AfterLoss, With
	a.Clauses = slices.Concat([]Clause{loss, {Cause: c, Joint: Because}, after}, a.Clauses[1:])
	a.Evidence = slices.Concat(a.Evidence, c.Evidence)
	a.about(&c)
}

// ansiByDefault says so in brief, too: it tells why code fails that ran before. Two signatures name the setting in their advice.
func ansiByDefault(v *mechanism.View, a *Answer) {
	if c, is := mechanism.ANSIRefused(v, &a.Cause); is {
		a.add(With, c)
		if a.Signature != "cast-invalid-input" && a.Signature != "decimal-range" {
			a.advise(c)
		}
	}
}
