package mechanism

import (
	"slices"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/equality"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// executorsPending is why executors of a driver that runs have not started. With some of them at work the job is slow, without any it
// waits.
func executorsPending(v *View) []cause.Cause {
	if !v.DriverRuns() {
		return nil
	}
	waiting := v.pendingExecutors()
	var out []cause.Cause
	running, total := v.Running(), max(v.Spec.Asked(), v.Running()+len(waiting))
	for _, pods := range onFullNodes(v, alike(v, waiting)) {
		w := Waiting{Who: Who{Role: cause.ExecutorRole, N: len(pods), Of: total}}
		if running > 0 {
			w.Others = Others{Running: running, Of: total, Serve: v.IsConnect(), Stalled: v.stalledFor()}
		}
		if c, is := pendingAs(v, pods[0], w); is {
			out = append(out, c)
		}
	}
	return out
}

// alike groups pods that wait for the same reason, in their order: what is known of them differs in their names alone. One that was created
// a moment ago is left out.
func alike(v *View, waiting []*corev1.Pod) (groups [][]*corev1.Pod) {
	type key struct {
		class  cause.Class
		detail waitingDetail
	}
	var keys []key
	for _, p := range waiting {
		c, is := pending(v, p, Who{Role: cause.ExecutorRole, N: 1, Of: 1})
		d, waits := c.Detail.(waitingDetail)
		if !is || !waits || c.Class == cause.SlowButProgressing {
			continue
		}
		one := key{c.Class, d.alike(p.Name)}
		at := slices.IndexFunc(keys, func(o key) bool {
			return o.class == one.class && equality.Semantic.DeepEqual(o.detail, one.detail)
		})
		if at < 0 {
			at = len(keys)
			keys = append(keys, one)
			groups = append(groups, nil)
		}
		groups[at] = append(groups[at], p)
	}
	return groups
}

// onFullNodes adds to the pods that wait for an address the others of the same node that have not started and have no event: events
// expire, and a dump may hold few of them.
func onFullNodes(v *View, groups [][]*corev1.Pod) [][]*corev1.Pod {
	of := func(p *corev1.Pod) any {
		c, _ := pending(v, p, Who{Role: cause.ExecutorRole, N: 1, Of: 1})
		return c.Detail
	}
	for i := range groups {
		if len(groups[i]) == 0 {
			continue
		}
		d, is := of(groups[i][0]).(SandboxUnmade)
		if !is || d.Fault != NoAddresses {
			continue
		}
		for j := range groups {
			if len(groups[j]) == 0 {
				continue
			}
			_, unexplained := of(groups[j][0]).(PendingUnexplained)
			groups[j] = slices.DeleteFunc(groups[j], func(p *corev1.Pod) bool {
				same := unexplained && p.Spec.NodeName == d.Node
				if same {
					groups[i] = append(groups[i], p)
				}
				return same
			})
		}
	}
	return slices.DeleteFunc(groups, func(pods []*corev1.Pod) bool { return len(pods) == 0 })
}

// without is what was said of a pod, or a name, without the name of that pod: what remains may be the same of others.
func without(pod, text string) string { return strings.ReplaceAll(text, pod, "") }

func (v *View) pendingExecutors() []*corev1.Pod {
	var out []*corev1.Pod
	for _, p := range v.Executors {
		if p.Status.Phase == corev1.PodPending && p.DeletionTimestamp == nil {
			out = append(out, p)
		}
	}
	return out
}

// complete reports whether as many executors run as were asked for.
func complete(v *View) bool {
	return v.Running() > 0 && v.Running() >= v.Spec.Asked() && len(v.pendingExecutors()) == 0
}

// starting reports whether executors that do not run yet were created within the last two minutes.
func (v *View) starting() bool {
	list := v.pendingExecutors()
	return len(list) > 0 && !slices.ContainsFunc(list, func(p *corev1.Pod) bool { return v.Now.Sub(p.CreationTimestamp.Time) > 2*time.Minute })
}
