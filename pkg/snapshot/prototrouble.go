package snapshot

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
	*s = wirePodStatus{Conditions: s.Conditions[:0], conditions: s.conditions[:0], Containers: s.Containers[:0], InitContainers: s.InitContainers[:0]}
}

func (c *wireCondition) readProto(raw []byte) (err error) {
	*c = wireCondition{}
	m := message{rest: raw}
	for err == nil && m.next() {
		switch m.field {
		case 1:
			c.Type = m.bytes
		case 2:
			c.Status = m.bytes
		case 4:
			c.Since.Time, err = protoTime(m.bytes)
		case 5:
			c.Reason = m.bytes
		case 6:
			c.Message = m.bytes
		}
	}
	if err != nil {
		return err
	}
	return m.err
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
