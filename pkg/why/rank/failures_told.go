package rank

import (
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// failuresTold gives executors that fail one after the other, while the job goes on with others, the cause that the pod of one tells which
// the kubelet rejected, or the log of one.
func failuresTold(v *mechanism.View, all []Answer) []Answer {
	failing := func(a Answer) bool { _, is := a.Detail.(mechanism.ExecutorsFailing); return is }
	at := slices.IndexFunc(all, func(a Answer) bool {
		d, is := a.Detail.(mechanism.Running)
		return is && d.Failed > 0 && a.Class == cause.SlowButProgressing
	})
	if at < 0 || !slices.ContainsFunc(all, failing) {
		return all
	}
	if rejected := slices.IndexFunc(all, ofExecutorsRejected); rejected >= 0 {
		one := all[rejected].Cause
		all[at].add(With, one)
		all[at].advise(one)
		return slices.DeleteFunc(all, func(a Answer) bool { return failing(a) || ofExecutorsRejected(a) })
	}
	told, is := mechanism.FailureTold(v)
	if !is {
		return all
	}
	all[at].add(Also, told)
	all[at].advise(told)
	return slices.DeleteFunc(all, failing)
}

func ofExecutorsRejected(a Answer) bool {
	d, is := a.Detail.(mechanism.Rejection)
	return is && d.Lost.N > 0
}
