package rank

import (
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// mainJarMissing puts the jar that Spark skipped before the main class that it then did not find. The warning alone proves nothing: that
// the class was not found after it does.
func mainJarMissing(v *mechanism.View, all []Answer) []Answer {
	for i := range all {
		a := &all[i]
		if !Logged(&a.Cause) || !Stands(&a.Cause) {
			continue
		}
		missing, is := mechanism.WithoutMainJar(v, &a.Cause)
		if !is {
			continue
		}
		a.Clauses[0].Form = Attempts
		a.head(missing)
		a.Class, a.Certainty, a.Advice = missing.Class, missing.Certainty, []cause.Cause{missing}
		a.Evidence = slices.Concat(a.Evidence, missing.Evidence)
		return withoutMisled(all, i)
	}
	return all
}

// connectUnpackaged puts the package that holds the class of a server before that class.
func connectUnpackaged(v *mechanism.View, all []Answer) []Answer {
	all = explains(mechanism.WithoutConnect)(v, all)
	at := slices.IndexFunc(all, func(a Answer) bool { return Logged(&a.Cause) && a.Signature == "connect-server-missing" })
	if at < 0 || !Stands(&all[at].Cause) {
		return all
	}
	return withoutMisled(all, at)
}

// withoutMisled leaves out what only the exit code tells of a missing main class, where the log tells more: its evidence goes to that.
func withoutMisled(all []Answer, by int) []Answer {
	for i := range all {
		if mechanism.MisledByCode(&all[i].Cause) {
			all[by].Evidence = slices.Concat(all[by].Evidence, all[i].Evidence)
		}
	}
	return slices.DeleteFunc(all, func(a Answer) bool { return mechanism.MisledByCode(&a.Cause) })
}

// unquotedSetting takes the last words of bash for what they are where a setting of the spec led to them.
func unquotedSetting(v *mechanism.View, all []Answer) []Answer {
	for i := range all {
		if c, is := mechanism.Unquoted(v, &all[i].Cause); is {
			all[i] = alone(c)
		}
	}
	return all
}
