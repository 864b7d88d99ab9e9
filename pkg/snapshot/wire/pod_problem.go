package wire

import (
	"encoding/binary"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

type wireCondition struct {
	Type    wireText `json:"type"`
	Status  wireText `json:"status"`
	Since   wireTime `json:"lastTransitionTime"`
	Reason  wireText `json:"reason"`
	Message wireText `json:"message"`
}

// scheduling says why a pending pod has no node, and what the scheduler says about it. A kubelet that has the pod
// reports the condition, too.
func (d *Decoder) scheduling(s *wirePodStatus) (reason, message string) {
	if c := condition(s, "PodScheduled"); c != nil {
		if string(c.Status) != "False" {
			return "", ""
		}
		return intern(&d.sharer, c.Reason), d.message(c.Message)
	}
	if len(s.Containers)+len(s.InitContainers) > 0 {
		return "", ""
	}
	return snapshot.NoScheduler, ""
}

// unready keeps of a driver where it is, if it is being deleted or runs without being ready. When a node is lost, the node
// controller makes its pods unready and later deletes them, and the phase stays (kubernetes@v1.36.3
// pkg/controller/util/node/controller_utils.go, MarkPodsNotReady; pkg/controller/tainteviction/taint_eviction.go). A kubelet
// makes a pod unready only with its containers, or with a reason (pkg/kubelet/status/generate.go, GeneratePodReadyCondition).
func (d *Decoder) unready(s *wirePodStatus, p *snapshot.Pod, t *snapshot.PodProblem) {
	if p.Role() != "driver" || string(s.Phase) == "Failed" {
		return
	}
	ready := condition(s, "Ready")
	switch {
	case p.Terminating():
	case string(s.Phase) != "Running" && string(s.Phase) != "Unknown", ready != nil && string(ready.Status) == "True":
		return
	}
	t.Node = intern(&d.sharer, s.node)
	t.Reason = intern(&d.sharer, s.Reason)
	t.Disruption = d.disruption(s)
	containers := condition(s, "ContainersReady")
	if ready != nil && string(ready.Status) != "True" && len(ready.Reason) == 0 && containers != nil && string(containers.Status) == "True" {
		t.LostSince = ready.Since.Time
	}
}

// disruption returns who ends a pod that does not end by itself, as the condition says (Kubernetes 1.26 and later).
func (d *Decoder) disruption(s *wirePodStatus) string {
	if c := condition(s, "DisruptionTarget"); c != nil && string(c.Status) == "True" {
		return intern(&d.sharer, c.Reason)
	}
	return ""
}

func condition(s *wirePodStatus, kind string) *wireCondition {
	for i := range s.Conditions {
		if c := &s.Conditions[i]; string(c.Type) == kind {
			return c
		}
	}
	return nil
}

// readProto reads a PodStatus (field numbers: api/core/v1/generated.proto).
func (s *wirePodStatus) readProto(raw []byte) (err error) {
	m := message{rest: raw}
	for err == nil && m.next() {
		switch m.field {
		case 1:
			s.Phase = m.bytes
		case 2:
			s.conditions = append(s.conditions, m.bytes)
		case 3:
			s.Message = m.bytes
		case 4:
			s.Reason = m.bytes
		case 7:
			s.StartTime.Time, err = protoTime(m.bytes)
		case 8:
			var c *wireContainerStatus
			s.Containers, c = more(s.Containers)
			err = c.readProto(m.bytes)
		case 10:
			var c *wireContainerStatus
			s.InitContainers, c = more(s.InitContainers)
			err = c.readProto(m.bytes)
		}
	}
	if err != nil {
		return err
	}
	if string(s.Phase) != "Succeeded" { // of those nobody asks
		for _, raw := range s.conditions {
			var c *wireCondition
			s.Conditions, c = more(s.Conditions)
			if err := c.readProto(raw); err != nil {
				return err
			}
		}
	}
	return m.err
}

// reset empties a status and keeps its memory.
func (s *wirePodStatus) reset() {
	*s = wirePodStatus{
		Conditions: s.Conditions[:0], conditions: s.conditions[:0], Containers: s.Containers[:0], InitContainers: s.InitContainers[:0],
	}
}

func (c *wireContainerStatus) readProto(raw []byte) (err error) {
	*c = wireContainerStatus{}
	m := message{rest: raw}
	for err == nil && m.next() {
		switch m.field {
		case 1:
			c.Name = m.bytes
		case 2:
			err = c.readProtoState(m.bytes)
		case 6:
			c.Image = m.bytes
		}
	}
	if err != nil {
		return err
	}
	return m.err
}

func (c *wireContainerStatus) readProtoState(raw []byte) (err error) {
	m := message{rest: raw}
	for err == nil && m.next() {
		switch m.field {
		case 1:
			c.State.Waiting.Set = true
			err = c.State.Waiting.Value.readProto(m.bytes)
		case 2:
			c.State.Running.Set = true
		case 3:
			c.State.Terminated.Set = true
			err = c.State.Terminated.Value.readProto(m.bytes)
		}
	}
	if err != nil {
		return err
	}
	return m.err
}

func (w *wireWaiting) readProto(raw []byte) error {
	m := message{rest: raw}
	for m.next() {
		switch m.field {
		case 1:
			w.Reason = m.bytes
		case 2:
			w.Message = m.bytes
		}
	}
	return m.err
}

func (t *wireTerminated) readProto(raw []byte) (err error) {
	m := message{rest: raw}
	for err == nil && m.next() {
		switch m.field {
		case 1:
			t.ExitCode = int32(m.number) //nolint:gosec // int32 is how it was written
		case 3:
			t.Reason = m.bytes
		case 4:
			t.Message = m.bytes
		case 6:
			t.FinishedAt.Time, err = protoTime(m.bytes)
		}
	}
	if err != nil {
		return err
	}
	return m.err
}

// explain reads of a pod's spec what its status makes sense with.
func (s *wirePodStatus) explain(spec []byte) (err error) {
	switch string(s.Phase) {
	case "Succeeded", "Failed":
		return nil
	}
	if s.node, err = first(spec, 10); err == nil {
		s.scheduler, err = first(spec, 19)
	}
	return err
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

// appendProblem appends all that tells one from others.
func appendProblem(key []byte, t *snapshot.PodProblem) []byte {
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
