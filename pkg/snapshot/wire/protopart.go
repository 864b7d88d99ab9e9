package wire

func appendProtoName(list []wireNamedThing, raw []byte) ([]wireNamedThing, error) {
	name, err := first(raw, 1)
	return append(list, wireNamedThing{name}), err
}

func appendProtoPair(list wirePairs, raw []byte) (wirePairs, error) {
	key, value, err := entry(raw)
	return append(list, wirePair{key, value}), err
}

// appendProtoQuantity reads an entry of a ResourceList; a Quantity is a message with a text.
func appendProtoQuantity(list wireQuantities, raw []byte) (wireQuantities, error) {
	key, value, err := entry(raw)
	if err != nil {
		return list, err
	}
	text, err := first(value, 1)
	return append(list, wirePair{key, text}), err
}

// protoReference reads a message whose first field is a LocalObjectReference.
func protoReference(raw []byte) (present[wireNamedThing], error) {
	out := present[wireNamedThing]{Set: true}
	local, err := first(raw, 1)
	if err != nil {
		return out, err
	}
	out.Value.Name, err = first(local, 1)
	return out, err
}

func (v *wireVolume) readProto(raw []byte) (err error) {
	*v = wireVolume{}
	m := message{rest: raw}
	for err == nil && m.next() {
		switch m.field {
		case 1:
			v.Name = m.bytes
		case 2:
			err = v.readProtoSource(m.bytes)
		}
	}
	if err != nil {
		return err
	}
	return m.err
}

func (v *wireVolume) readProtoSource(raw []byte) (err error) {
	m := message{rest: raw}
	for err == nil && m.next() {
		if m.field == 19 {
			v.ConfigMap, err = protoReference(m.bytes)
		}
	}
	if err != nil {
		return err
	}
	return m.err
}

func (e *wirePodEnvFrom) readProto(raw []byte) (err error) {
	*e = wirePodEnvFrom{}
	m := message{rest: raw}
	for err == nil && m.next() {
		switch m.field {
		case 2:
			e.ConfigMap, err = protoReference(m.bytes)
		case 3:
			e.Secret, err = protoReference(m.bytes)
		}
	}
	if err != nil {
		return err
	}
	return m.err
}

func (p *wirePort) readProto(raw []byte) error {
	*p = wirePort{}
	m := message{rest: raw}
	for m.next() {
		switch m.field {
		case 1:
			p.Name = m.bytes
		case 3:
			p.ContainerPort = int32(m.number) //nolint:gosec // int32 is how it was written
		}
	}
	return m.err
}

func (t *wirePodToleration) readProto(raw []byte) error {
	*t = wirePodToleration{}
	m := message{rest: raw}
	for m.next() {
		switch m.field {
		case 1:
			t.Key = m.bytes
		case 2:
			t.Operator = m.bytes
		case 3:
			t.Value = m.bytes
		case 4:
			t.Effect = m.bytes
		}
	}
	return m.err
}
