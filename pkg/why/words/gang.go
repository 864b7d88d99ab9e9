package words

import (
	"fmt"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// gangWords are about a gang for which no room came in time. Placeholders wait 15 minutes where nothing else is set (docs/user_guide/
// gang_scheduling.md of apache/yunikorn-site).
func gangWords(d *mechanism.GangTimedOut) Phrase {
	gaveUp := fmt.Sprintf("scheduler %s gave the gang up (style Hard, ResourceReservationTimeout)", d.Scheduler)
	if d.Short.Said != "" {
		return gangOnNodes(gaveUp, d)
	}
	of, queue := "", "its queue"
	if d.Queue != "" {
		queue = "queue " + d.Queue
		of = " of " + queue
	}
	says := fmt.Sprintf("%s: %s%s did not all get room within %s%s", gaveUp, gangSize(d), of, gangTime(d), heldBy(d))
	return Phrase{says, []command.Command{command.Do("see whether %s or the nodes were full and give that more room, or ask for fewer "+
		"executors, set gangSchedulingStyle=Soft or a longer placeholderTimeoutInSeconds in the annotation "+
		"yunikorn.apache.org/schedulingPolicyParameters", queue).With(queuesOf)}}
}

// gangOnNodes is about a gang that its queue let in, and for which nodes lacked room.
func gangOnNodes(gaveUp string, d *mechanism.GangTimedOut) Phrase {
	part := &d.Short.Part
	each := fmt.Sprintf("%d %s", part.MinMember, part.Name)
	if cpu, memory := part.Each[corev1.ResourceCPU], part.Each[corev1.ResourceMemory]; !cpu.IsZero() && !memory.IsZero() {
		each += fmt.Sprintf(" (%s vcore, %s each)", phrase.Amount(cpu, corev1.ResourceCPU), phrase.Amount(memory, corev1.ResourceMemory))
	}
	placed := "not all"
	if d.Short.All {
		placed = strconv.Itoa(d.Short.Placed)
	}
	says := fmt.Sprintf("%s: %s of %s got a node within %s, and the autoscaler adds none: %s%s", gaveUp, placed, each, gangTime(d),
		d.Short.Said, heldBy(d))
	fewer := "ask for fewer executors"
	if d.Short.All && d.Short.Placed > 0 {
		fewer = fmt.Sprintf("ask for at most %d executors", d.Short.Placed)
	}
	return Phrase{says, []command.Command{command.Do("%s, let the group of nodes grow further, or set gangSchedulingStyle=Soft in the "+
		"annotation yunikorn.apache.org/schedulingPolicyParameters (a longer timeout helps only if nodes come free)", fewer)}}
}

func gangSize(d *mechanism.GangTimedOut) string {
	if len(d.Gang.Parts) == 0 {
		return "its members"
	}
	total := d.Gang.Total()
	var parts []string
	for _, one := range d.Gang.Parts {
		parts = append(parts, fmt.Sprintf("%d %s", one.MinMember, one.Name))
	}
	return fmt.Sprintf("%s vcore and %s (%s)", phrase.Amount(total[corev1.ResourceCPU], corev1.ResourceCPU),
		phrase.Amount(total[corev1.ResourceMemory], corev1.ResourceMemory), strings.Join(parts, ", "))
}

func gangTime(d *mechanism.GangTimedOut) string {
	if d.Gang.Timeout == 0 {
		return "15 min, the default"
	}
	return fmt.Sprintf("%d s", int(d.Gang.Timeout.Seconds()))
}

// heldBy is the largest other application of the namespace: what it held at that time was not seen.
func heldBy(d *mechanism.GangTimedOut) string {
	if len(d.Holders) == 0 {
		return ""
	}
	h := d.Holders[0]
	return fmt.Sprintf("; %s of the namespace holds %s vcore now", h.Application, phrase.Amount(h.CPU, corev1.ResourceCPU))
}
