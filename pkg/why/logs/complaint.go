package logs

// complaint is the last error that a logger wrote before Spark stopped; nil: none.
func (s *story) complaint() *Complaint {
	end := len(s.entries)
	if s.stopping >= 0 {
		end = s.stopping
	}
	for at := end - 1; at >= 0; at-- {
		e := &s.entries[at]
		if e.level < failure && e.uncaught == caught {
			continue
		}
		return s.complaintOf(at)
	}
	return nil
}

func (s *story) complaintOf(at int) *Complaint {
	out, links := &Complaint{Line: s.entries[at].first, At: s.timeOf(at)}, s.chain(at)
	if len(links) == 0 || effects(links) {
		return out
	}
	out.Root = rootOf(links).throwable()
	if f := ownFrame(links); f != nil {
		out.Frame = f.place()
	}
	return out
}
