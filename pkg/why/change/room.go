package change

import (
	"strconv"

	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// room is about pods that ask for more than any node has: what fits on the largest.
func room(v *mechanism.View, c *cause.Cause) []Change {
	d, is := c.Detail.(mechanism.Unschedulable)
	if !is || !d.Room.None || d.Group.Ref.Name != "" {
		return nil
	}
	var out []Change
	node := ""
	for i := range d.Room.Short {
		s := &d.Room.Short[i]
		anotherNode := node != "" && s.Node != node
		if s.Lack < s.Of || s.Read > 0 || s.Node == "" || anotherNode {
			return nil // no one node has room for what each of them has
		}
		node = s.Node
		fits := FitsNode{Node: s.Node, Most: s.Most, Of: string(s.Resource), Counted: s.Counted, Some: d.Room.Of > 0,
			Chosen: s.Of < d.Room.Nodes}
		most := s.Most
		if !s.Counted {
			most = *resource.NewMilliQuantity(most.MilliValue()/10*9, most.Format) // other pods take a part of it, such as those of DaemonSets
		}
		switch s.Resource {
		case corev1.ResourceMemory:
			out = append(out, smaller(v, roleOf(c), most.Value()>>20, fits)...)
		case corev1.ResourceCPU:
			out = append(out, fewer(v, roleOf(c), most, fits)...)
		default:
			return nil
		}
	}
	if len(out) < len(d.Room.Short) {
		return nil // one without the other does not help
	}
	return out
}

// least is the smallest heap in MiB that is proposed, and the part of the present one: a job that needs 64 GiB does not run with 2.
const (
	least     = 512
	leastPart = 4
	roundedTo = 256
)

// smaller is the heap with which a container of a role has at most so many MiB.
func smaller(v *mechanism.View, role cause.Role, most int64, because Reason) []Change {
	sum := v.Spec.Memory(string(role))
	var now, rest int64
	for _, part := range sum.Parts {
		switch {
		case part.Of == app.HeapMemory:
			now = part.MiB
		case part.Of == app.OverheadMemory && sum.Factor > 0, part.Uncounted:
		default:
			rest += part.MiB
		}
	}
	to := most - rest
	if sum.Factor > 0 {
		to = min(int64(float64(to)/(1+sum.Factor)), to-sum.Least)
	}
	to -= to % roundedTo
	if to < least || to < now/leastPart || to >= now {
		return nil
	}
	return []Change{set(v, heap(role), mebi(to), because)}
}

// fewer is the request of CPU that a node can give. How many tasks run at once stays with cores.
func fewer(v *mechanism.View, role cause.Role, most resource.Quantity, because Reason) []Change {
	to := strconv.FormatInt(most.MilliValue(), 10) + "m"
	if most.MilliValue() >= 1000 {
		to = strconv.FormatInt(most.MilliValue()/1000, 10)
	}
	if most.MilliValue() < 100 {
		return nil
	}
	c := set(v, coreRequest(role), to, because)
	if c.From == nil && c.Implied == "" {
		c.Implied = cores(role).now(v)
	}
	return []Change{c}
}
