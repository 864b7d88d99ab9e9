package words

import (
	"fmt"
	"strings"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/command"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/phrase"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

func (t Terms) queueFull(d *mechanism.QueueFull) Phrase {
	if len(d.Room.Short) > 0 {
		return t.queueLacks(d)
	}
	out := Phrase{Says: pendingFor(d.Waiting) + ": " + sentence(d.Said)}
	if d.Queue != "" {
		out.Says += " (queue " + d.Queue + ")"
	}
	if d.Unfit != nil {
		out.Do = t.unfitNext(d.Waiting, d.Unfit)
	} else {
		out.Do = []command.Command{command.Do("wait, raise the quota of the queue, or ask for less")}
	}
	return out
}

// queueLacks is about a queue whose capability was seen: too small for the group, or for what it asks beside others.
func (t Terms) queueLacks(d *mechanism.QueueFull) Phrase {
	var asks, most, held []string
	for i := range d.Room.Short {
		s := &d.Room.Short[i]
		asks = append(asks, phrase.Amount(s.Asks, s.Resource)+" "+nounOf(s.Resource))
		most = append(most, phrase.Amount(s.Most, s.Resource)+" "+nounOf(s.Resource))
		held = append(held, phrase.Amount(s.Held, s.Resource)+" of "+most[i])
	}
	queue, begin := d.Room.Queue.Name, fmt.Sprintf("%s: PodGroup %s asks for %s at once, and queue %s ", pendingFor(d.Waiting),
		d.Room.Group.Name, strings.Join(asks, ", "), d.Room.Queue.Name)
	if !d.Room.Never {
		return Phrase{Says: fmt.Sprintf("%shas %s allocated (%s)", begin, strings.Join(held, ", "), sentence(d.Said)),
			Do: []command.Command{t.do("wait until others of queue %s end, raise its spec.capability, or lower "+t.groupSize(&d.Room), queue).
				On("describe", d.Room.Queue)}}
	}
	return Phrase{Says: fmt.Sprintf("%smay have %s at most (capability), so it never fits (%s)", begin, strings.Join(most, ", "),
		sentence(d.Said)), Do: []command.Command{t.do("raise spec.capability of queue %s to %s, or lower "+t.groupSize(&d.Room), queue,
		strings.Join(asks, ", ")).On("describe", d.Room.Queue)}}
}

// groupSize are the fields that say how much a group asks for.
func (t Terms) groupSize(r *mechanism.QueueRoom) string {
	if r.BySpec {
		return "spec.batchSchedulerOptions.resources"
	}
	return "{executor.instances}, {executor.cores} or {executor.memory}"
}
