package mechanism

import (
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
)

// Collected is the last job of a driver that ran out of memory, where it brings its whole result there: Python's part of it lies outside
// the heap.
type Collected struct{ logs.Collects }

// Mechanism names it.
func (Collected) Mechanism() cause.ID { return "collected" }

// CollectedBy returns what a driver collected before it was killed for memory.
func CollectedBy(v *View, about *cause.Cause) (cause.Cause, bool) {
	d, is := about.Detail.(OOM)
	last := v.Work.Collects
	if !is || d.Lost.N > 0 || d.Tmpfs.LocalDirs || last == nil {
		return cause.Cause{}, false
	}
	return cause.Cause{Class: about.Class, Role: cause.DriverRole, Subject: about.Subject, Trust: cause.ByDriverLog, Detail: Collected{*last},
		Evidence: []cause.Proof{{Object: Ref(v.Driver), Field: v.logField(), Value: last.Line}}}, true
}
