package wire

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
