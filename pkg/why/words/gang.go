package words

import (
	"fmt"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// gangWords are about a gang for which no room came in time. Placeholders wait 15 minutes where nothing else is set (docs/user_guide/
// gang_scheduling.md of apache/yunikorn-site).
func gangWords(d *mechanism.GangTimedOut) Phrase {
	queue := "its queue"
	if d.Queue != "" {
		queue = "queue " + d.Queue
	}
	says := fmt.Sprintf("scheduler %s gave the application up (ResourceReservationTimeout, gangSchedulingStyle Hard): %s had no room for "+
		"its whole gang%s within %s%s", d.Scheduler, queue, gangSize(d), gangTime(d), heldBy(d))
	return Phrase{says, []command.Command{command.Do("free %s or raise its max, ask for fewer executors, or set gangSchedulingStyle=Soft or "+
		"a longer placeholderTimeoutInSeconds in the annotation yunikorn.apache.org/schedulingPolicyParameters", queue).
		With(queuesOf)}}
}

func gangSize(d *mechanism.GangTimedOut) string {
	if len(d.Gang.Parts) == 0 {
		return ""
	}
	total := d.Gang.Total()
	var parts []string
	for _, one := range d.Gang.Parts {
		parts = append(parts, fmt.Sprintf("%d %s", one.MinMember, one.Name))
	}
	return fmt.Sprintf(" of %s vcore and %s (%s)", phrase.Amount(total[corev1.ResourceCPU], corev1.ResourceCPU),
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
