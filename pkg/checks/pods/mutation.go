package pods

import (
	"slices"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/spark"
)

// mutated says whether the webhook ran for a pod.
type mutated int

const (
	untold   mutated = iota // nothing that it would have changed
	ran                     // the pod has what only the webhook brings
	hardly                  // the pod lacks some of it
	ranNot                  // the pod lacks so much that the webhook cannot have run
	disputed                // it lacks something by some releases and not by others
)

// judgement is what the fields of one pod say.
type judgement struct {
	pod     *snapshot.Pod
	verdict mutated
	missing []snapshot.Feature // what the pod lacks, sorted
	dropped []snapshot.Feature // what the release itself does not carry though it should
}

// lacks reports whether the pod lacks something that the webhook brings.
func (j judgement) lacks() bool { return j.verdict == hardly || j.verdict == ranNot }

// conclusive are the fields that nothing but the webhook adds and nothing takes away: one of them that is missing
// whole proves that the webhook did not run. The others are single values that somebody else may choose, too.
func conclusive(f snapshot.Field) bool {
	return slices.Contains([]snapshot.Field{
		snapshot.Env, snapshot.EnvFrom, snapshot.VolumeMounts, snapshot.RoleConfigMaps, snapshot.SparkConfigMap,
		snapshot.HadoopConfigMap, snapshot.Sidecars, snapshot.InitContainers,
	}, f)
}

// judge compares a pod with what its application asks of the webhook of a release. A field counts only if that
// release would have changed this pod.
func judge(v operator.Version, app *snapshot.SparkApplication, pod *snapshot.Pod) judgement {
	j := judgement{pod: pod}
	named := pod.Features.ContainerNamed(snapshot.SparkContainers(pod.Role())...)
	var there, gone []snapshot.Field
	for list := spark.WebhookNeeds(app, pod.Role()); len(list) > 0; {
		field := list[0].Field
		n := slices.IndexFunc(list, func(f snapshot.Feature) bool { return f.Field != field })
		if n < 0 {
			n = len(list)
		}
		wanted := list[:n]
		list = list[n:]
		lacks := !slices.ContainsFunc(wanted, func(f snapshot.Feature) bool { return !pod.Features.Lacks(f) })
		switch {
		case !operator.Mutates(v, field, named):
		case flawed(v, app, pod, field):
			if lacks && field == snapshot.Env {
				j.dropped = wanted
			}
		case slices.ContainsFunc(wanted, pod.Features.Has):
			there = append(there, field)
		case lacks:
			gone = append(gone, field)
			j.missing = append(j.missing, wanted...)
		}
	}
	j.verdict = weigh(there, gone)
	return j
}

// flawed reports whether the release fails to carry a field to this pod.
func flawed(v operator.Version, app *snapshot.SparkApplication, pod *snapshot.Pod, field snapshot.Field) bool {
	flaw, known := operator.FlawOf(v, field, pod.Role())
	switch {
	case !known:
		return false
	case flaw.NeedsDriver:
		return !spark.DriverSets(app, field)
	default:
		return !pod.Features.ContainerNamed(flaw.OnlyContainer)
	}
}

// weigh decides from the fields that are there and those that are missing whole. The webhook does all or nothing, so
// a conclusive field that is there speaks against what is missing.
func weigh(there, gone []snapshot.Field) mutated {
	provenRan, provenNot := slices.ContainsFunc(there, conclusive), slices.ContainsFunc(gone, conclusive)
	switch {
	case len(there)+len(gone) == 0:
		return untold
	case len(gone) == 0, provenRan && !provenNot:
		return ran
	case provenRan:
		return hardly
	case provenNot, len(gone) > 1 && len(there) == 0:
		return ranNot
	default:
		return hardly
	}
}
