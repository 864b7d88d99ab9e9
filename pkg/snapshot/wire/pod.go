package wire

import (
	"github.com/go-json-experiment/json"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/redact"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// decodePod reads a pod into d.pod.
func (d *Decoder) decodePod(_ snapshot.Source, item Item) (*snapshot.Pod, error) {
	p := &d.pod
	*p = snapshot.Pod{}
	var err error
	if item.Encoding == snapshot.JSON {
		err = d.jsonPod(item.Raw, p)
	} else {
		err = d.protoPod(item.Raw, p)
	}
	p.APIVersion = "v1"
	p.Kind = "Pod"
	p.Location = item.Location
	return p, err
}

func (d *Decoder) jsonPod(raw []byte, p *snapshot.Pod) (err error) {
	var w wirePod
	err = json.Unmarshal(raw, &w, Options())
	p.Object = w.Metadata.object()
	d.object(&p.Object)
	if err != nil {
		return err
	}
	w.Status.scheduler = w.Spec.SchedulerName
	w.Status.node = w.Spec.NodeName
	w.Status.queue = wireText(w.Metadata.Annotations.Queue)
	d.fromStatus(&w.Status, p)
	p.Requests, p.Features, err = d.fromSpec(&w.Spec, p.Role())
	return err
}

func (d *Decoder) fromStatus(s *wirePodStatus, p *snapshot.Pod) {
	p.Phase = intern(&d.sharer, s.Phase)
	p.Started = s.StartTime.Time
	p.Trouble = d.problem(s, p)
}

func (d *Decoder) fromSpec(s *wirePodSpec, role string) (r snapshot.Requests, f snapshot.Features, err error) {
	if r, err = d.requestsOf(s.Containers); err == nil {
		f, err = d.podFeatures(s, role)
	}
	return r, f, err
}

func (d *Decoder) requestsOf(containers []wireContainer) (snapshot.Requests, error) {
	var r snapshot.Requests
	for i := range containers {
		requests := containers[i].Resources.Requests
		cpu, err := d.quantity(requests.of("cpu"))
		if err != nil {
			return r, err
		}
		memory, err := d.quantity(requests.of("memory"))
		if err != nil {
			return r, err
		}
		r.MilliCPU += cpu.MilliValue()
		r.Memory += memory.Value()
	}
	return r, nil
}

// namesQueue reports whether an annotation is one of them.
func namesQueue[T string | []byte](annotation T) bool {
	switch string(annotation) {
	case snapshot.QueueOfVolcano, snapshot.QueueOfVolcanoGroup, snapshot.QueueOfYuniKorn:
		return true
	default:
		return false
	}
}

// trouble returns what is wrong with a pod, nil if nothing is. Of pods that succeeded only drivers tell when: there are
// as many as applications, and executors do not matter by then.
func (d *Decoder) problem(s *wirePodStatus, p *snapshot.Pod) *snapshot.PodProblem {
	var t snapshot.PodProblem
	switch driver := p.Role() == "driver"; string(s.Phase) {
	case "Pending":
		if t.Scheduling, t.Message = d.scheduling(s); t.Scheduling != "" {
			t.Queue = intern(&d.sharer, s.queue)
			if string(s.scheduler) != defaultScheduler {
				t.Scheduler = intern(&d.sharer, s.scheduler)
			}
		}
		d.unready(s, p, &t)
	case "Failed", "Unknown":
		t.Reason = intern(&d.sharer, s.Reason)
		t.Message = d.message(s.Message)
		t.Disruption = d.disruption(s)
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
	key := appendProblem(d.key[:0], &t)
	d.key = key
	kept, _ := shared(d.problems, maxSets, key, func() (*snapshot.PodProblem, error) {
		made := t
		made.Message, made.Queue = snapshot.Redact(t.Message), snapshot.Redact(t.Queue)
		made.Containers = append([]snapshot.ContainerProblem(nil), t.Containers...)
		for i := range made.Containers {
			c := &made.Containers[i]
			c.Image, c.Message = snapshot.Redact(c.Image), snapshot.Redact(c.Message)
		}
		return &made, nil
	})
	return kept
}

// container keeps a container that waits for something else than its turn, and one that ended; of init containers,
// which end before the others begin, those that failed, and while the others wait those that run.
func (d *Decoder) container(s *wireContainerStatus, init, awaited bool) {
	out := snapshot.ContainerProblem{Init: init}
	switch {
	case s.State.Terminated.Set:
		end := &s.State.Terminated.Value
		if init && end.ExitCode == 0 {
			return
		}
		out.Ended = true
		out.ExitCode = int(end.ExitCode)
		out.Finished = end.FinishedAt.Time
		out.Reason, out.Message = intern(&d.sharer, end.Reason), d.message(end.Message)
	case s.State.Waiting.Set:
		reason := string(s.State.Waiting.Value.Reason)
		if reason == "" || reason == "ContainerCreating" || reason == "PodInitializing" {
			return
		}
		out.Reason, out.Message = intern(&d.sharer, s.State.Waiting.Value.Reason), d.message(s.State.Waiting.Value.Message)
	case s.State.Running.Set && awaited:
		out.Reason = snapshot.StillRunning
	default:
		return
	}
	out.Name, out.Image = intern(&d.sharer, s.Name), intern(&d.sharer, s.Image)
	d.containers = append(d.containers, out)
}

func (d *Decoder) message(text wireText) string {
	if len(text) > keptMessage {
		return redact.Excerpt(text, keptMessage)
	}
	return intern(&d.sharer, text)
}
