package snapshot

import (
	"encoding/binary"
	"time"
)

// Trouble is what keeps a pod from working, or how it ended. Pods that work have none.
type Trouble struct {
	Scheduling string // why a pending pod has no node: Unschedulable, SchedulingGated, or NoScheduler
	Scheduler  string // spec.schedulerName of a pod without a node, if it is not the default
	Queue      string // the annotation of a pod without a node that names the queue of a batch scheduler
	Reason     string // status.reason: Evicted, DeadlineExceeded, NodeLost
	Message    string // of the scheduler, or of the failed pod, first 512 bytes
	Disruption string // reason of the condition DisruptionTarget: who ended the pod, if it did not end by itself
	Containers []ContainerTrouble

	// Of a driver that runs and is not ready, or is being deleted.
	Node      string    // spec.nodeName
	LostSince time.Time // when it became unready although its containers are ready: the node controller does that
}

// NoScheduler is the Scheduling of a pending pod of which neither a scheduler nor a kubelet has said anything.
const NoScheduler = "NoScheduler"

// StillRunning is the Reason of an init container for which the others of a pending pod wait.
const StillRunning = "StillRunning"

// ContainerTrouble is a container that waits for more than its turn, that keeps others waiting, or that ended.
type ContainerTrouble struct {
	Name, Image     string
	Init            bool
	Ended           bool
	ExitCode        int
	Reason, Message string    // first 512 bytes of the message
	Finished        time.Time // of one that ended
}

// Container returns what is wrong with one of the containers of these names, or nil.
func (t *Trouble) Container(names ...string) *ContainerTrouble {
	if t == nil {
		return nil
	}
	for _, name := range names {
		for i := range t.Containers {
			if c := &t.Containers[i]; c.Name == name && !c.Init {
				return c
			}
		}
	}
	return nil
}

type wirePodStatus struct {
	Phase          wireText              `json:"phase"`
	Reason         wireText              `json:"reason"`
	Message        wireText              `json:"message"`
	StartTime      wireTime              `json:"startTime"`
	Conditions     []wireCondition       `json:"conditions"`
	Containers     []wireContainerStatus `json:"containerStatuses"`
	InitContainers []wireContainerStatus `json:"initContainerStatuses"`

	conditions             [][]byte // in protobuf, not yet read
	scheduler, node, queue wireText // of spec and metadata: they explain what the status says
}

type wireContainerStatus struct {
	Name  wireText `json:"name"`
	Image wireText `json:"image"`
	State struct {
		Waiting    present[wireWaiting]    `json:"waiting"`
		Running    present[ignored]        `json:"running"`
		Terminated present[wireTerminated] `json:"terminated"`
	} `json:"state"`
}

type wireWaiting struct {
	Reason  wireText `json:"reason"`
	Message wireText `json:"message"`
}

type wireTerminated struct {
	ExitCode   int32    `json:"exitCode"`
	Reason     wireText `json:"reason"`
	Message    wireText `json:"message"`
	FinishedAt wireTime `json:"finishedAt"`
}

// keptMessage bounds what is kept of a message that a kubelet or a scheduler wrote.
const keptMessage = 512

// trouble returns what is wrong with a pod, nil if nothing is. Of pods that succeeded only drivers tell when: there are
// as many as applications, and executors do not matter by then.
func (d *Decoder) trouble(s *wirePodStatus, p *Pod) *Trouble {
	var t Trouble
	switch driver := p.Role() == "driver"; string(s.Phase) {
	case "Pending":
		if t.Scheduling, t.Message = d.scheduling(s); t.Scheduling != "" {
			t.Queue = d.text(s.queue)
			if string(s.scheduler) != defaultScheduler {
				t.Scheduler = d.text(s.scheduler)
			}
		}
		d.unready(s, p, &t)
	case "Failed", "Unknown":
		t.Reason, t.Message, t.Disruption = d.text(s.Reason), d.message(s.Message), d.disruption(s)
		d.unready(s, p, &t)
	case "Succeeded":
		if !driver {
			return nil
		}
	default:
		d.unready(s, p, &t)
	}
	d.containers = d.containers[:0]
	for i := range s.InitContainers {
		d.container(&s.InitContainers[i], true, string(s.Phase) == "Pending")
	}
	for i := range s.Containers {
		d.container(&s.Containers[i], false, false)
	}
	t.Containers = d.containers
	if t.Scheduling == "" && t.Reason == "" && t.Disruption == "" && t.Node == "" && t.LostSince.IsZero() && len(t.Containers) == 0 {
		return nil
	}
	key := t.appendTo(d.key[:0])
	d.key = key
	kept, _ := shared(d.troubles, maxSets, key, func() (*Trouble, error) {
		made := t
		made.Message, made.Queue, made.Containers = Redact(t.Message), Redact(t.Queue), append([]ContainerTrouble(nil), t.Containers...)
		for i := range made.Containers {
			c := &made.Containers[i]
			c.Image, c.Message = Redact(c.Image), Redact(c.Message)
		}
		return &made, nil
	})
	return kept
}

// container keeps a container that waits for something else than its turn, and one that ended; of init containers,
// which end before the others begin, those that failed, and while the others wait those that run.
func (d *Decoder) container(s *wireContainerStatus, init, awaited bool) {
	out := ContainerTrouble{Init: init}
	switch {
	case s.State.Terminated.Set:
		end := &s.State.Terminated.Value
		if init && end.ExitCode == 0 {
			return
		}
		out.Ended, out.ExitCode, out.Finished = true, int(end.ExitCode), end.FinishedAt.Time
		out.Reason, out.Message = d.text(end.Reason), d.message(end.Message)
	case s.State.Waiting.Set:
		reason := string(s.State.Waiting.Value.Reason)
		if reason == "" || reason == "ContainerCreating" || reason == "PodInitializing" {
			return
		}
		out.Reason, out.Message = d.text(s.State.Waiting.Value.Reason), d.message(s.State.Waiting.Value.Message)
	case s.State.Running.Set && awaited:
		out.Reason = StillRunning
	default:
		return
	}
	out.Name, out.Image = d.text(s.Name), d.text(s.Image)
	d.containers = append(d.containers, out)
}

func (d *Decoder) message(text wireText) string {
	if len(text) > keptMessage {
		return excerpt(text, keptMessage)
	}
	return d.text(text)
}

// appendTo appends all that tells one from others.
func (t *Trouble) appendTo(key []byte) []byte {
	for _, text := range []string{t.Scheduling, t.Scheduler, t.Queue, t.Reason, t.Message, t.Disruption, t.Node} {
		key = appendSized(key, text)
	}
	key = binary.AppendVarint(key, t.LostSince.Unix())
	for i := range t.Containers {
		c := &t.Containers[i]
		for _, text := range []string{c.Name, c.Image, c.Reason, c.Message} {
			key = appendSized(key, text)
		}
		key = append(key, oneIf(c.Init), oneIf(c.Ended))
		key = binary.AppendVarint(binary.AppendVarint(key, int64(c.ExitCode)), c.Finished.Unix())
	}
	return key
}
