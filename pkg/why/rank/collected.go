package rank

import "github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"

// collected adds what a driver did last to what killed it.
func collected(v *mechanism.View, all []Answer) []Answer {
	for i := range all {
		if c, is := mechanism.CollectedBy(v, &all[i].Cause); is {
			all[i].add(With, c)
			all[i].advise(c)
		}
	}
	return all
}
