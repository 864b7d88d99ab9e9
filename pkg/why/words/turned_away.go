package words

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// queuesOf reads the queues of YuniKorn.
const queuesOf = "kubectl get configmap -A --field-selector metadata.name=yunikorn-configs -o yaml"

// named is the name of a queue behind the word, where it is known.
func named(queue string) string {
	if queue == "" {
		return ""
	}
	return " " + queue
}

// turnedAwayWords are about an application that its scheduler rejected.
func turnedAwayWords(pod snapshot.Ref, d *mechanism.TurnedAway) Phrase {
	rejected := fmt.Sprintf("scheduler %s rejected the driver", d.Scheduler)
	switch d.Why {
	case mechanism.QueueNotFIFO:
		return Phrase{fmt.Sprintf("%s: its queue%s does not sort applications first in, first out, and then takes no gang", rejected,
			named(d.Queue)), []command.Command{command.Do("set application.sort.policy of the queue to fifo in ConfigMap yunikorn-configs, or " +
			"name one that has it in spec.batchSchedulerOptions.queue")}}
	case mechanism.QueueBelowAGang:
		return gangTooLarge(rejected, d)
	case mechanism.QueueNotLeaf:
		return Phrase{fmt.Sprintf("%s: queue%s has queues below it, and then takes no application", rejected, named(d.Queue)),
			[]command.Command{command.Do("name one of the queues below it in spec.batchSchedulerOptions.queue").With(queuesOf)}}
	}
	says := fmt.Sprintf("%s before any node ran it (%s): %s", rejected, d.Reason, sentence(d.Says))
	if d.Queue != "" {
		says += "; the application asks for queue " + d.Queue
	}
	do := command.Do("read what the scheduler says of it")
	if d.Why == mechanism.NotPlaced {
		do = command.Do("set a queue that the scheduler's placement rules accept for this namespace and user")
	}
	return Phrase{says, []command.Command{do.With("kubectl -n %s describe pod %s", pod.Namespace, pod.Name)}}
}

// gangTooLarge is about a gang that a queue can never have room for.
func gangTooLarge(rejected string, d *mechanism.TurnedAway) Phrase {
	fewer := "ask for fewer or smaller executors"
	if part, n, known := d.Fitting(); known {
		fewer = fmt.Sprintf("ask for %d %s at most", n, part.Name)
	}
	do := []command.Command{command.Do("%s, or raise resources.max of queue%s, or of one above it, in ConfigMap yunikorn-configs", fewer,
		named(d.Queue)).With(queuesOf)}
	if len(d.Gang.Parts) == 0 {
		return Phrase{fmt.Sprintf("%s: the whole gang asks for more than its queue%s may have", rejected, named(d.Queue)), do}
	}
	var parts []string
	for _, one := range d.Gang.Parts {
		name := one.Name
		if one.MinMember != 1 {
			name = fmt.Sprintf("%d × %s", one.MinMember, name)
		}
		parts = append(parts, name+" "+amounts(one.Each, ""))
	}
	may := "more than queue" + named(d.Queue) + " may have"
	if len(d.Most) > 0 {
		may = fmt.Sprintf("and queue%s may have %s", named(d.Queue), amounts(d.Most, " of memory"))
	}
	return Phrase{fmt.Sprintf("%s: its gang asks for %s at once (%s), %s", rejected, amounts(d.Gang.Total(), " of memory"),
		strings.Join(parts, ", "), may), do}
}

// amounts are memory, with words behind it, then cores, then what else is asked for.
func amounts(of corev1.ResourceList, memory string) string {
	var out []string
	add := func(name corev1.ResourceName, unit string) {
		if q, has := of[name]; has {
			out = append(out, phrase.Amount(q, name)+unit)
		}
	}
	add(corev1.ResourceMemory, memory)
	add(corev1.ResourceCPU, " vcore")
	for _, name := range slices.Sorted(maps.Keys(of)) {
		if !slices.Contains([]corev1.ResourceName{corev1.ResourceMemory, corev1.ResourceCPU}, name) {
			add(name, " "+string(name))
		}
	}
	return strings.Join(out, " and ")
}
