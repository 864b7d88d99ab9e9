package wire

import (
	"errors"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// protoPod reads a Pod (field numbers: api/core/v1/generated.proto). Texts in status point into raw.
func (d *Decoder) protoPod(raw []byte, p *snapshot.Pod) error {
	d.status.reset()
	var spec []byte
	m := message{rest: raw}
	for m.next() {
		var err error
		switch m.field {
		case 1:
			err = d.protoMetadata(m.bytes, &p.Object)
		case 2:
			if spec != nil {
				return errTwoSpecs
			}
			spec = m.bytes
		case 3:
			err = d.status.readProto(m.bytes)
		}
		if err != nil {
			return err
		}
	}
	if m.err != nil {
		return m.err
	}
	if err := d.status.explain(spec); err != nil {
		return err
	}
	d.fromStatus(&d.status, p) // when labels have told the role
	d.spec.reset()
	err := d.spec.readProto(spec)
	if err != nil {
		return err
	}
	p.Requests, p.Features, err = d.fromSpec(&d.spec, p.Role())
	return err
}

// errTwoSpecs is for a message that no API server writes: fields that come twice would have to be merged.
var errTwoSpecs = errors.New("has two specs")

// more makes room for one more element, with whatever memory the one that was there before had.
func more[T any](list []T) ([]T, *T) {
	if len(list) < cap(list) {
		list = list[:len(list)+1]
	} else {
		var zero T
		list = append(list, zero)
	}
	return list, &list[len(list)-1]
}

// reset empties a spec and keeps its memory.
func (s *wirePodSpec) reset() {
	*s = wirePodSpec{
		Containers: s.Containers[:0], InitContainers: s.InitContainers[:0], Volumes: s.Volumes[:0], HostAliases: s.HostAliases[:0],
		Tolerations: s.Tolerations[:0], NodeSelector: s.NodeSelector[:0],
	}
}

func (c *wireContainer) reset() {
	requests, limits := c.Resources.Requests[:0], c.Resources.Limits[:0]
	*c = wireContainer{Env: c.Env[:0], EnvFrom: c.EnvFrom[:0], Ports: c.Ports[:0]}
	c.Resources.Requests, c.Resources.Limits = requests, limits
}

func (s *wirePodSpec) readProto(raw []byte) (err error) {
	m := message{rest: raw}
	for err == nil && m.next() {
		switch m.field {
		case 1:
			var v *wireVolume
			s.Volumes, v = more(s.Volumes)
			err = v.readProto(m.bytes)
		case 2:
			var c *wireContainer
			s.Containers, c = more(s.Containers)
			err = c.readProto(m.bytes)
		case 4:
			s.TerminationGrace = present[int64]{true, int64(m.number)} //nolint:gosec // int64 is how it was written
		case 7:
			s.NodeSelector, err = appendProtoPair(s.NodeSelector, m.bytes)
		case 11:
			s.HostNetwork = m.number != 0
		case 14:
			s.SecurityContext = len(m.bytes) > 0
		case 18:
			s.Affinity.Set = true
		case 19:
			s.SchedulerName = m.bytes
		case 20:
			s.InitContainers, err = appendProtoName(s.InitContainers, m.bytes)
		case 22:
			var t *wirePodToleration
			s.Tolerations, t = more(s.Tolerations)
			err = t.readProto(m.bytes)
		case 23:
			var ip []byte
			ip, err = first(m.bytes, 1)
			s.HostAliases = append(s.HostAliases, wireHostAlias{ip})
		case 24:
			s.PriorityClassName = m.bytes
		case 26:
			s.DNSConfig.Set = true
		case 27:
			s.ShareProcesses = m.number != 0
		}
	}
	if err != nil {
		return err
	}
	return m.err
}

func (c *wireContainer) readProto(raw []byte) (err error) {
	c.reset()
	m := message{rest: raw}
	for err == nil && m.next() {
		switch m.field {
		case 1:
			c.Name = m.bytes
		case 6:
			var p *wirePort
			c.Ports, p = more(c.Ports)
			err = p.readProto(m.bytes)
		case 7:
			c.Env, err = appendProtoName(c.Env, m.bytes)
		case 8:
			err = c.readProtoResources(m.bytes)
		case 12:
			c.Lifecycle.Set = true
		case 15:
			c.SecurityContext = len(m.bytes) > 0
		case 19:
			var e *wirePodEnvFrom
			c.EnvFrom, e = more(c.EnvFrom)
			err = e.readProto(m.bytes)
		}
	}
	if err != nil {
		return err
	}
	return m.err
}

func (c *wireContainer) readProtoResources(raw []byte) (err error) {
	m := message{rest: raw}
	for err == nil && m.next() {
		switch m.field {
		case 1:
			c.Resources.Limits, err = appendProtoQuantity(c.Resources.Limits, m.bytes)
		case 2:
			c.Resources.Requests, err = appendProtoQuantity(c.Resources.Requests, m.bytes)
		}
	}
	if err != nil {
		return err
	}
	return m.err
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
