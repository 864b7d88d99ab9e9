package words

import (
	"fmt"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// schedulingWords are about pods that no node runs.
func (t Terms) schedulingWords(c *cause.Cause) (Phrase, bool) {
	switch d := c.Detail.(type) {
	case mechanism.SchedulingGated:
		return Phrase{Says: who(d.Waiting) + are(d.Waiting) + "held back by scheduling gates" + lasting(d.For) + ": " +
			strings.Join(d.Gates, ", "),
			Do: []command.Command{command.Do("ask the controller that sets the gate, which admits the pod when its queue has room")}}, true
	case mechanism.NodeComing:
		return Phrase{Says: pendingFor(d.Waiting) + " while the autoscaler adds a node: " + sentence(d.Said)}, true
	case mechanism.PlaceholdersSmaller:
		return t.placeholdersSmaller(&d), true
	case mechanism.Unschedulable:
		return Phrase{Says: pendingFor(d.Waiting) + ": " + unfit(d.Waiting, &d.Unfit), Do: t.unfitNext(d.Waiting, &d.Unfit)}, true
	case mechanism.QueueFull:
		return t.queueFull(&d), true
	case mechanism.SchedulerSilent:
		return Phrase{Says: pendingFor(d.Waiting) + ", and scheduler " + d.Scheduler + " has written nothing about it: it does not run here, " +
			"or its queue is stuck",
			Do: []command.Command{command.Do("check that scheduler %s is installed and runs, or remove batchScheduler from the spec", d.Scheduler).
				With("kubectl get pods -A | grep -i %s", d.Scheduler)}}, true
	case mechanism.PendingUnexplained:
		return Phrase{Says: pendingFor(d.Waiting) + ", and nothing here shows why"}, true
	default:
		return Phrase{}, false
	}
}

func (t Terms) placeholdersSmaller(d *mechanism.PlaceholdersSmaller) Phrase {
	p := Phrase{Says: fmt.Sprintf("%s: YuniKorn cannot put it in place of a placeholder: one of task group %s holds %s %s, and it asks for %s",
		pendingFor(d.Waiting), d.Group, d.Holds.String(), d.Resource, d.Asks.String())}
	switch t := t.about(d.Who.Role); d.Uncounted {
	case app.PySparkMemory:
		p.Says += "; the difference is spark.executor.pyspark.memory, which the task group leaves out"
		p.Do = []command.Command{t.do("unset spark.executor.pyspark.memory, and add as much to {executor.memoryOverhead}, which the task group " +
			"counts")}
	case app.OffHeapMemory:
		p.Says += "; the difference is spark.memory.offHeap.size, which the task group leaves out"
		p.Do = []command.Command{command.Do("upgrade the operator to 2.1.0 or later, whose task groups count off-heap memory")}
	default:
		p.Do = []command.Command{t.do("find what makes {the role} ask for more than the spec says: a LimitRange, a webhook or a pod template")}
	}
	return p
}

func unfit(w mechanism.Waiting, u *mechanism.Unfit) string {
	says := "no node can take it: " + sentence(u.Said)
	if fits := room(w, &u.Room); fits != "" {
		says = fits + "; the scheduler says: " + sentence(u.Said)
		if but := beyond(u); but != "" {
			says = but + "; " + fits
		}
	}
	if u.NoNode {
		says += "; the autoscaler could not add a node: " + sentence(u.OfNoNode)
	}
	if c := cappedWords(&u.Capped); c != "" {
		says = c + "; " + says
	}
	if u.Group.Ref.Name != "" {
		says += "; PodGroup " + u.Group.Ref.Name + " wants room for all of it at once"
		if u.Group.Wants != "" {
			says += " (" + u.Group.Wants + ")"
		}
	}
	return says
}

// cappedWords says that an autoscaler adds no more nodes; empty: it does not say so.
func cappedWords(c *mechanism.Capped) string {
	switch {
	case c.Said == "":
		return ""
	case !c.Limit.IsZero():
		return fmt.Sprintf("NodePool %s may have %s %s and has %s, so one node more would exceed its limit", c.Pool,
			phrase.Amount(c.Limit, c.Of), nounOf(c.Of), phrase.Amount(c.Used, c.Of))
	case c.Pool != "":
		return fmt.Sprintf("Karpenter may add no node to NodePool %s (%s)", c.Pool, c.Said)
	default:
		return "the autoscaler may add no more nodes (" + c.Said + ")"
	}
}

// cappedNext is what lets an autoscaler add nodes.
func cappedNext(c *mechanism.Capped, w *mechanism.Waiting) string {
	grow := "raise the largest size of the group of nodes that the autoscaler manages, or free room on its nodes"
	if c.Pool != "" {
		grow = "raise spec.limits of NodePool " + c.Pool
	}
	if !c.Limit.IsZero() {
		grow = fmt.Sprintf("raise spec.limits.%s of NodePool %s above %s", c.Of, c.Pool, c.Limit.String())
	}
	if w.Others.Running > 0 {
		grow += fmt.Sprintf(", or let it end with %d executors: a change of the spec starts it again", w.Others.Running)
	}
	return grow
}

// beyond are the nodes that would take the pod but for what is not computed; empty: there are none.
func beyond(u *mechanism.Unfit) string {
	if u.Room.None {
		return ""
	}
	var parts []string
	if full := fullNodes(u); full != "" {
		parts = append(parts, full)
	}
	for _, r := range u.Beyond() {
		parts = append(parts, fmt.Sprintf("%d of %d nodes %s", r.Nodes, u.Nodes, r.Why))
	}
	return strings.Join(parts, "; ")
}

// fullNodes are the nodes that could take the pod, had other pods left room; empty: the arithmetic shows what is short, or none is full.
func fullNodes(u *mechanism.Unfit) string {
	if len(u.Room.Short) > 0 {
		return ""
	}
	most, of := 0, []string{}
	for _, r := range u.Refusals {
		if r.Lacks != "" {
			most, of = max(most, r.Nodes), append(of, r.Lacks)
		}
	}
	if most == 0 {
		return ""
	}
	return fmt.Sprintf("%d of %d nodes %s too little free %s", most, u.Nodes, phrase.Verb(most, "has", "have"), strings.Join(of, " and "))
}

func (t Terms) unfitNext(w mechanism.Waiting, u *mechanism.Unfit) []command.Command {
	switch {
	case u.Group.Ref.Name != "":
		return []command.Command{t.do("free room for the whole group, or lower {executor.instances}, {executor.cores} or "+
			"{executor.memory}").
			On("describe", u.Group.Ref)}
	case u.Capped.Said != "":
		return []command.Command{command.Do("%s", cappedNext(&u.Capped, &w))}
	case u.NoNode:
		return []command.Command{command.Do("get such machines from the cloud (zone, quota, machine type), or let the pod use others: its " +
			"selector, affinity and size")}
	default:
		return []command.Command{t.about(w.Who.Role).ofNodes(u)}
	}
}

// ofNodes is what to do where the nodes are known by their labels and taints, or as the scheduler complains of them.
func (t Terms) ofNodes(u *mechanism.Unfit) command.Command {
	in := t.filled("{role.nodeSelector} or {role.affinity}")
	if u.SelectedBy != "" {
		in = u.SelectedBy
	}
	switch {
	case u.Complaint == mechanism.Untolerated && u.Room.None:
		return t.do("add the toleration of %s to {role.tolerations}, or add nodes without that taint", strings.Join(u.Room.Taints, ", "))
	case u.Complaint == mechanism.LabelsDiffer && u.Room.None && u.Room.Untolerated == 0:
		return command.Do("correct %s, or label a node as it asks", in)
	default:
		return t.complaintNext(u.Complaint)
	}
}

func (t Terms) complaintNext(of mechanism.Complaint) command.Command {
	switch of {
	case mechanism.PortTaken:
		return t.do("remove hostPort or hostNetwork from {the role}: a node has each port once")
	case mechanism.DiskShort:
		return t.do("request less ephemeral-storage for {the role}, put spark.local.dir on a volume, or add nodes with more local disk")
	case mechanism.RoomShort:
		return t.do("request less for {the role} (%s), free room, or add nodes", t.sizes("{role.cores} or {role.coreRequest}, {role.memory}, "+
			"{role.memoryOverhead}"))
	case mechanism.VolumesMost:
		return t.do("use fewer volumes for {the role}, or add nodes")
	case mechanism.PodsRepel:
		return t.do("relax the anti-affinity between pods in {role.affinity}, or of the pods that run there, or add nodes")
	case mechanism.SpreadUnmet:
		return t.do("relax topologySpreadConstraints in {the spec of the role} (whenUnsatisfiable: ScheduleAnyway), or add nodes where it " +
			"may run")
	case mechanism.Reserved:
		return t.do("add nodes that {the role} may use: those with this taint are kept for the cluster itself")
	case mechanism.AllCordoned:
		return t.do("uncordon the nodes that fit {the role} once their maintenance is over, or add nodes").With("kubectl get nodes")
	case mechanism.LabelsDiffer:
		return t.do("correct {role.nodeSelector} or {role.affinity}, or label a node as it asks; nodes with a taint need {role.tolerations}")
	case mechanism.Untolerated:
		return t.do("add the toleration that the nodes ask for to {role.tolerations}, or add nodes without that taint")
	default:
		return t.do("change what the scheduler names in {the spec of the role}")
	}
}
