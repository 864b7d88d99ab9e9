package mechanism

import (
	"cmp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	helpers "k8s.io/component-helpers/resource"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// GangTimedOut is a driver that YuniKorn set to Failed because the whole gang did not get room in time: it reserves room by placeholders,
// and with the style Hard gives the application up when the time is over. Whether the queue or the nodes were full it does not say; what an
// autoscaler says of a placeholder tells of nodes, as YuniKorn asks the queue first. A rejection by a placement rule looks alike, and has
// another reason (handleFailApplicationEvent in pkg/cache/application.go of apache/yunikorn-k8shim@v1.6.0; the timeout is
// that of timeoutPlaceholderProcessing in pkg/scheduler/objects/application.go of apache/yunikorn-core@v1.6.0).
type GangTimedOut struct {
	Scheduler string
	Says      string // by the scheduler
	Queue     string // that the application asks for; empty: none
	Gang      app.Gang
	Holders   []GangHolder // other applications of the namespace that run now, by what they ask for
	Short     GangShort    // members for which no node had room; zero: nothing tells of such
}

// GangHolder is an application, and what its pods ask for together.
type GangHolder struct {
	Application string
	Pods        int
	CPU         resource.Quantity
}

// GangShort is a part of a gang of which some placeholders got no node, in the words of an autoscaler.
type GangShort struct {
	Part   app.GangPart
	Placed int  // placeholders that got a node
	All    bool // events tell of each placeholder of the part
	Said   string
}

// shortOf is the part of a gang that found no node, and what shows it.
func shortOf(v *View, p *corev1.Pod, g *app.Gang) (GangShort, []cause.Proof) {
	all := v.Placeholders(cmp.Or(p.Labels["applicationId"], p.Labels[snapshot.AppSelectorLabel]), g)
	for _, part := range g.Parts {
		out := GangShort{Part: part}
		var told app.Event
		seen := int64(0)
		for i := range all {
			switch one := &all[i]; {
			case one.Group != part.Name:
				continue
			case one.Node != "":
				out.Placed++
			case one.Said.Message != "":
				told = one.Said
			}
			seen++
		}
		if told.Message == "" {
			continue
		}
		out.All, out.Said = seen == part.MinMember, autoscalerSays(told.Message)
		return out, []cause.Proof{{Object: told.Involved, Field: "event " + told.Reason, Value: told.Message, At: told.Last}}
	}
	return GangShort{}, nil
}

// autoscalerSays is why no group of nodes grows: that they are as large as they may be, or, without what begins each such event, all of it
// (core/scaleup/orchestrator/skippedreasons.go of kubernetes/autoscaler@cluster-autoscaler-1.31.0).
func autoscalerSays(message string) string {
	if said := groupCapped.FindString(message); said != "" {
		return said
	}
	_, why, is := strings.Cut(message, "trigger scale-up: ")
	if !is {
		return message
	}
	return why
}

// Mechanism names what was found.
func (GangTimedOut) Mechanism() cause.ID { return "gang-timed-out" }

// reservationTimeout is the reason of such a pod.
const reservationTimeout = "ResourceReservationTimeout"

func gangTimedOut(v *View, p *corev1.Pod, end End) cause.Cause {
	d := GangTimedOut{Scheduler: p.Spec.SchedulerName, Says: strings.TrimSpace(p.Status.Message), Gang: app.GangOf(p), Holders: v.holders(),
		Queue: cmp.Or(p.Labels["queue"], p.Annotations["yunikorn.apache.org/queue"], v.Spec.Queue)}
	seen := v.alsoRecorded(end.Proof)
	for _, name := range []string{"yunikorn.apache.org/schedulingPolicyParameters", taskGroups} {
		if value := p.Annotations[name]; value != "" {
			seen = append(seen, cause.Proof{Object: end.Pod, Field: "metadata.annotations[" + name + "]", Value: value})
		}
	}
	short, said := shortOf(v, p, &d.Gang)
	d.Short, seen = short, append(seen, said...)
	return cause.Cause{Class: cause.Scheduling, Role: cause.DriverRole, Detail: d, Subject: end.Pod, At: end.At, Trust: cause.ByPod,
		Evidence: seen}
}

// taskGroups is the annotation of a driver that has the gang.
const taskGroups = "yunikorn.apache.org/task-groups"

// holders are the other applications of the namespace whose pods run, the largest first.
func (v *View) holders() []GangHolder {
	byName := map[string]*GangHolder{}
	var out []*GangHolder
	for i := range v.Neighbors {
		p := &v.Neighbors[i]
		name := p.Labels["sparkoperator.k8s.io/app-name"]
		if name == "" || p.Namespace != v.Subject.Namespace || p.Status.Phase != corev1.PodRunning {
			continue
		}
		if byName[name] == nil {
			byName[name] = &GangHolder{Application: name}
			out = append(out, byName[name])
		}
		h := byName[name]
		h.Pods++
		h.CPU.Add(helpers.PodRequests(p, helpers.PodResourcesOptions{})[corev1.ResourceCPU])
	}
	slices.SortStableFunc(out, func(a, b *GangHolder) int { return b.CPU.Cmp(a.CPU) })
	list := make([]GangHolder, 0, len(out))
	for _, h := range out {
		list = append(list, *h)
	}
	return list
}
