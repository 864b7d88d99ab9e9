package whole

import (
	"bytes"
	"errors"
	"io"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// What is kept of a log.
const (
	HeadBytes = 256 << 10
	TailBytes = 4 << 20
)

// Text is the beginning and the end of a log, as it was read.
type Text struct {
	Head, Tail []byte // Head is empty where Tail is everything
	Dropped    int    // bytes between them
	Read       int    // bytes
	Lines      int    // that were read
}

// ReadLog reads a log to its end, or until it is longer than most bytes; it holds no more than the beginning and so many bytes of the end.
// What was read counts, whatever the error.
func ReadLog(r io.Reader, tail int, most int64) (Text, error) {
	var out Text
	ring, at := []byte(nil), 0 // the end of the ring is at
	buf := make([]byte, 32<<10)
	var err error
	for err == nil && int64(out.Read) < most {
		var n int
		n, err = r.Read(buf)
		part := buf[:n]
		out.Read += n
		out.Lines += bytes.Count(part, []byte("\n"))
		if room := HeadBytes - len(out.Head); room > 0 {
			took := min(room, len(part))
			out.Head, part = append(out.Head, part[:took]...), part[took:]
		}
		for len(part) > 0 {
			if len(ring) < tail {
				took := min(tail-len(ring), len(part))
				ring, part = append(ring, part[:took]...), part[took:]
				continue
			}
			took := copy(ring[at:], part)
			at, part = (at+took)%tail, part[took:]
		}
	}
	if errors.Is(err, io.EOF) {
		err = nil
	}
	out.Tail = append(append(make([]byte, 0, len(ring)+len(out.Head)), ring[at:]...), ring[:at]...)
	if out.Dropped = out.Read - len(out.Head) - len(out.Tail); out.Dropped == 0 && out.Read <= tail {
		out.Head, out.Tail = nil, append(out.Head, out.Tail...)
	}
	if out.Dropped > 0 {
		out.cut()
	} else if kept := bytes.LastIndexByte(out.Head, '\n') + 1; len(out.Head) > 0 { // a line in two could hide a secret
		out.Head, out.Tail = out.Head[:kept], append(bytes.Clone(out.Head[kept:]), out.Tail...)
	}
	return out, err
}

// cut drops the lines of which only a part is kept: half a secret could not be told from other text.
func (t *Text) cut() {
	kept := bytes.LastIndexByte(t.Head, '\n') + 1
	from := bytes.IndexByte(t.Tail, '\n') + 1
	t.Dropped += len(t.Head) - kept + from
	t.Head, t.Tail = t.Head[:kept], t.Tail[from:]
}

// Begun returns an end of a log with the beginning of it that was read by itself: nobody knows how much lies between.
func (t Text) Begun(head []byte) Text {
	t.Head, t.Dropped = head[:bytes.LastIndexByte(head, '\n')+1], -1
	return t
}

// Of makes the record of a container's log.
func (t Text) Of(pod snapshot.Ref, container string, previous bool) *snapshot.PodLog {
	return snapshot.LogOf(pod, container, previous, string(t.Head), string(t.Tail), t.Dropped)
}
