package mechanism

import (
	"cmp"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	helpers "k8s.io/component-helpers/resource"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// GangTimedOut is a driver that YuniKorn set to Failed because its queue did not come to have room for the whole gang in time: it reserves
// room by placeholders, and with the style Hard gives the application up when the time is over. A rejection by a placement rule looks
// alike, and has another reason (handleFailApplicationEvent in pkg/cache/application.go of apache/yunikorn-k8shim@v1.6.0; the timeout is
// that of timeoutPlaceholderProcessing in pkg/scheduler/objects/application.go of apache/yunikorn-core@v1.6.0).
type GangTimedOut struct {
	Scheduler string
	Says      string // by the scheduler
	Queue     string // that the application asks for; empty: none
	Gang      app.Gang
	Holders   []GangHolder // other applications of the namespace that run now, by what they ask for
}

// GangHolder is an application, and what its pods ask for together.
type GangHolder struct {
	Application string
	Pods        int
	CPU         resource.Quantity
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
