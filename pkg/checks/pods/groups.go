package pods

import (
	"slices"
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/facts"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// group is pods of one application that are in one plight: a finding.
type group struct {
	pods []*snapshot.Pod // the driver first, if it is among them
}

// groups are found by what tells their findings apart, and keep the order in which they were opened.
type groups struct {
	at   map[[3]string]*group
	list []*group
}

func (g *groups) add(pod *snapshot.Pod, what string) {
	key := [3]string{pod.Namespace, pod.App(), what}
	if g.at == nil {
		g.at = map[[3]string]*group{}
	}
	one := g.at[key]
	if one == nil {
		one = &group{}
		g.at[key], g.list = one, append(g.list, one)
	}
	if pod.Role() == facts.DriverRole {
		one.pods = slices.Insert(one.pods, 0, pod)
		return
	}
	one.pods = append(one.pods, pod)
}

// refs are the pods of a group, or nil if it is one pod, which the finding names anyway.
func (g *group) refs() []snapshot.Ref {
	if len(g.pods) == 1 {
		return nil
	}
	out := make([]snapshot.Ref, 0, len(g.pods))
	for _, pod := range g.pods {
		out = append(out, pod.Ref)
	}
	return out
}

// since is how long ago the oldest pod was made.
func (g *group) since(now time.Time) string {
	oldest := slices.MinFunc(g.pods, func(a, b *snapshot.Pod) int { return a.Created.Compare(b.Created) })
	return facts.Age(oldest.Created, now)
}

// requests are what all pods of a group hold together.
func (g *group) requests() snapshot.Requests {
	var sum snapshot.Requests
	for _, pod := range g.pods {
		sum.MilliCPU += pod.Requests.MilliCPU
		sum.Memory += pod.Requests.Memory
	}
	return sum
}
