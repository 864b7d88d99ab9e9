package words

import (
	"cmp"
	"fmt"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// endWords are about drivers and executors that the cluster ended.
func (t Terms) endWords(c *cause.Cause) (Phrase, bool) {
	switch d := c.Detail.(type) {
	case mechanism.OOM:
		return t.oomWords(d), true
	case mechanism.Eviction:
		return t.evictionWords(c.Role, d), true
	case mechanism.Preemption:
		return t.preemptionWords(c.Role, d), true
	case mechanism.Drain:
		return t.drainWords(&d), true
	case mechanism.Descheduling:
		return removalWords(d.Removal, mechanism.Descheduled), true
	case mechanism.LostNode:
		return t.lostNodeWords(&d), true
	case mechanism.PastDeadline:
		return deadlineWords(d), true
	case mechanism.Rejection:
		return t.rejectionWords(&d), true
	default:
		return Phrase{}, false
	}
}

// of is how many executors ended alike: "2 executors of 7".
func of(l mechanism.Lost) string {
	return fmt.Sprintf("%s of %d", phrase.Counted(l.N, "executor"), l.Of)
}

func (t Terms) oomWords(d mechanism.OOM) Phrase {
	limit := Limit(d.Limit) + behind("; ", inMemory(d.Tmpfs, d.Spilled, "it"))
	if d.Lost.N == 0 {
		do := "raise {driver.memoryOverhead}, or {driver.memory} if its heap is full"
		if !d.Gone {
			do += ", and keep the job from collecting so much"
		}
		return Phrase{"driver exceeded its memory limit and the kernel killed it (OOMKilled, 137): " + limit,
			[]command.Command{t.do(do)}}
	}
	their, them := "their", "them"
	if d.Lost.N == 1 {
		their, them = "its", "it"
	}
	return Phrase{fmt.Sprintf("%s exceeded %s memory limit and the kernel killed %s (OOMKilled, 137): limit %s", of(d.Lost), their, them,
		limit),
		[]command.Command{
			t.do("raise {executor.memoryOverhead}, or lower the heap, off-heap or Python memory that shares the limit"),
			t.do("use more partitions or fewer {executor.cores}, so that each task holds less")}}
}

func (t Terms) evictionWords(role cause.Role, d mechanism.Eviction) Phrase {
	if d.Unfit != nil {
		return t.imageUnfit(role, &d)
	}
	do := []command.Command{t.EvictionNext(role, d.For)}
	if d.Volume.Name != "" {
		less := "keep spark.local.dir on a volume claim"
		if role == cause.ExecutorRole {
			less = "let each executor write less (more executors, more partitions), or " + less
		}
		do = []command.Command{t.do("raise sizeLimit of volume %s above %s, or %s", d.Volume.Name, d.Volume.Limit.String(), less)}
	}
	if d.Server {
		do = []command.Command{command.Do("request for container %s in spec.server.template what it uses, so that the kubelet evicts others "+
			"first", d.Container)}
	}
	switch {
	case d.Lost.N > 0:
		return Phrase{fmt.Sprintf("the kubelet evicted %s%s (Evicted): %s", of(d.Lost), want(d.For), sentence(d.Says)), do}
	case d.Node != "":
		return Phrase{fmt.Sprintf("the kubelet evicted the %s from node %s%s (Evicted): %s", driver(d.Server), d.Node, want(d.For),
			sentence(d.Says)), do}
	default:
		return Phrase{"the kubelet evicted the " + driver(d.Server) + want(d.For) + " (Evicted): " + sentence(d.Says), do}
	}
}

// imageUnfit is about an image that a node had no room for.
func (t Terms) imageUnfit(role cause.Role, d *mechanism.Eviction) Phrase {
	who, image, disk := "the "+driver(d.Server)+", which never ran", d.Unfit.Image, "its disk"
	if d.Lost.N > 0 {
		who = of(d.Lost) + " before they ran"
	}
	if !d.Unfit.Size.IsZero() {
		image += " (" + phrase.Amount(d.Unfit.Size, corev1.ResourceStorage) + " on another node)"
	}
	if !d.Unfit.Disk.IsZero() {
		disk += " of " + phrase.Amount(d.Unfit.Disk, corev1.ResourceStorage)
	}
	return Phrase{fmt.Sprintf("node %s has no room for image %s: %s was full while it was unpacked (no space left on device), and the "+
		"kubelet evicted %s", orThe(d.Unfit.Node), image, disk, who), []command.Command{t.about(role).do("choose nodes with a larger disk for " +
		"{the role} ({role.nodeSelector}), give these a larger one, or make the image smaller")}}
}

// EvictionNext is what to do about an eviction by the kubelet, by what it was for.
func (t Terms) EvictionNext(role cause.Role, of mechanism.Shortage) command.Command {
	switch of {
	case mechanism.OwnDisk:
		return t.about(role).do("raise the ephemeral-storage limit or the sizeLimit of the volume of {the role}, or put spark.local.dir on a " +
			"volume (a claim named spark-local-dir-1)")
	case mechanism.DiskShortage:
		return t.about(role).do("request ephemeral-storage for {the role} in its template, or put spark.local.dir on a volume (a claim named " +
			"spark-local-dir-1), so that the node keeps room")
	default:
		return t.about(role).do("request for {the role} what it uses ({role.memory} and {role.memoryOverhead}), so that the kubelet evicts " +
			"others first")
	}
}

func (t Terms) preemptionWords(role cause.Role, d mechanism.Preemption) Phrase {
	own := ""
	if d.Class != "" {
		own = " (its own class is " + d.Class + ")"
	}
	do := []command.Command{t.PriorityNext(role)}
	if d.Lost.N > 0 {
		return Phrase{fmt.Sprintf("the scheduler preempted %s for pods of higher priority%s: %s", of(d.Lost), own, sentence(d.Says)), do}
	}
	return Phrase{"the scheduler preempted the " + driver(d.Server) + " for a pod of higher priority" + own + ": " + sentence(d.Says), do}
}

// PriorityNext is what to do about a preemption.
func (t Terms) PriorityNext(role cause.Role) command.Command {
	return t.about(role).do("set {role.priorityClassName} to a class of higher priority, or leave room for both")
}

// want is what a node had too little of.
func want(s mechanism.Shortage) string {
	switch s {
	case mechanism.MemoryShortage:
		return " for want of memory"
	case mechanism.DiskShortage:
		return " for want of disk"
	default:
		return ""
	}
}

func (t Terms) drainWords(d *mechanism.Drain) Phrase {
	switch {
	case d.Interrupted.Told:
		return t.interruptedWords(d)
	case d.Lost.N > 0 || d.Gone:
		return removalWords(d.Removal, mechanism.Drained)
	case d.Server:
		return lostServerWords(d.Removal, mechanism.Drained)
	}
	by := ""
	if d.Asked {
		by = " by " + cmp.Or(d.By, "a controller")
	}
	return Phrase{fmt.Sprintf("the driver was evicted from node %s%s: %s", d.Node, by, sentence(d.Says)), []command.Command{
		command.Do("run the driver on nodes that are not drained while it runs, or protect it with a PodDisruptionBudget")}}
}

func (t Terms) lostNodeWords(d *mechanism.LostNode) Phrase {
	whole := d.Node != "" && (!d.Gone || d.By == "" && !d.Asked)
	switch {
	case d.Lost.N > 0:
		return removalWords(d.Removal, mechanism.NodeLost)
	case d.Server:
		return lostServerWords(d.Removal, mechanism.NodeLost)
	case d.Spot.Is() && whole:
		return t.spotWords(d)
	case d.Gone && !whole:
		return removalWords(d.Removal, mechanism.NodeLost)
	case d.Vanished:
		return Phrase{fmt.Sprintf("node %s was lost under the driver: %s", d.Node, vanished), []command.Command{staysNext(d.Remover)}}
	}
	p := Phrase{fmt.Sprintf("node %s was lost under the driver: %s", d.Node, sentence(d.Says)), []command.Command{
		command.Do("check node %s", d.Node).With("kubectl describe node %s", d.Node)}}
	if d.Held > 0 {
		p.Says = fmt.Sprintf("node %s was lost under the driver, so the application, which was deleted%s, keeps terminating: its driver pod "+
			"stays until the node is back or deleted", d.Node, ago(d.Held))
		p.Do = append(p.Do, command.Do("if the node is gone for good, delete it: Kubernetes then removes the driver pod").
			With("kubectl delete node %s", d.Node))
	}
	return p
}

// vanished says that the machine of a node is gone.
const vanished = "the cloud provider has its machine no more"

// spotWords are about a driver on a node that its provider may take back: executors that are lost there are replaced, and a driver is not.
func (t Terms) spotWords(d *mechanism.LostNode) Phrase {
	next := "keep the driver off nodes with label %s=%s ({driver.nodeSelector}, or its affinity); executors may stay there"
	if !d.Spot.Restarts {
		next += "; restartPolicy OnFailure with onFailureRetries runs the application again"
	}
	says := sentence(d.Says)
	if d.Vanished {
		says = vanished
	}
	return Phrase{fmt.Sprintf("spot node %s was lost under the driver: %s", d.Node, says),
		[]command.Command{t.do(next, d.Spot.Key, d.Spot.Value)}}
}

func lostServerWords(d mechanism.Removal, kind mechanism.EndKind) Phrase {
	return Phrase{fmt.Sprintf("the server was lost with node %s (%s): %s", d.Node, OfEnd(mechanism.EndReason{Kind: kind}), sentence(d.Says)),
		[]command.Command{command.Do("run the server on nodes that stay, or protect it with a PodDisruptionBudget")}}
}

func deadlineWords(d mechanism.PastDeadline) Phrase {
	do := []command.Command{command.Do("raise activeDeadlineSeconds in the driver's template")}
	switch {
	case d.Lost.N > 0:
		return removalWords(d.Removal, mechanism.Deadline)
	case d.Server:
		return Phrase{"the server ran longer than activeDeadlineSeconds in spec.server.template allow (DeadlineExceeded)",
			[]command.Command{command.Do("remove activeDeadlineSeconds from spec.server.template")}}
	case d.Seconds > 0:
		return Phrase{fmt.Sprintf("the driver ran longer than its activeDeadlineSeconds of %d (DeadlineExceeded)", d.Seconds), do}
	default:
		return Phrase{"the driver ran longer than its activeDeadlineSeconds allow (DeadlineExceeded)", do}
	}
}

// removalWords are about executors, and about a driver that is gone.
func removalWords(d mechanism.Removal, kind mechanism.EndKind) Phrase {
	why := OfEnd(mechanism.EndReason{Kind: kind})
	if d.Lost.N > 0 {
		if kind == mechanism.Drained && d.By != "" {
			why += " by " + d.By
		}
		return Phrase{fmt.Sprintf("%s lost (%s): %s", of(d.Lost), why, sentence(d.Says)), []command.Command{decommissionNext(d.Decommissions)}}
	}
	do := []command.Command{staysNext(d.Remover)}
	if kind == mechanism.Descheduled {
		return Phrase{fmt.Sprintf("the descheduler evicted the driver (%s): %s", d.Reason, sentence(d.Says)), do}
	}
	how := why
	if d.By != "" {
		how += " by " + d.By
	}
	if d.Node != "" {
		how += ", " + d.Node
	}
	return Phrase{fmt.Sprintf("the driver was lost (%s): %s", how, sentence(d.Says)), do}
}

// decommissionNext is how executors outlive nodes that leave (docs/configuration.md@v3.5.5, spark.decommission.enabled).
func decommissionNext(set bool) command.Command {
	if set {
		return command.Do("give executors the time to move their blocks (executor.terminationGracePeriodSeconds), or run them on nodes that stay")
	}
	return command.Do("set spark.decommission.enabled and spark.storage.decommission.shuffleBlocks.enabled for nodes that leave")
}

// staysNext is how a driver tells those who remove nodes to wait for it (karpenter.sh/docs/concepts/disruption, and the FAQ of the cluster
// autoscaler).
func staysNext(r mechanism.Remover) command.Command {
	switch r {
	case mechanism.KarpenterExpiry:
		return command.Do("raise expireAfter or terminationGracePeriod of the NodePool above the time that the job takes, or run the driver on " +
			"nodes that stay")
	case mechanism.Karpenter:
		return command.Do("annotate the driver with karpenter.sh/do-not-disrupt: \"true\" (spec.driver.annotations), or run it on " +
			"nodes that stay")
	case mechanism.Descheduler:
		return command.Do("protect the driver with a PodDisruptionBudget, which the descheduler obeys, or leave its namespace out of the " +
			"descheduler's policy")
	case mechanism.ClusterAutoscaler:
		return command.Do("annotate the driver with cluster-autoscaler.kubernetes.io/safe-to-evict: \"false\" (spec.driver.annotations), or " +
			"run it on nodes that stay")
	default:
		return command.Do("run the driver on nodes that stay while it runs")
	}
}
