package collect

import (
	"bufio"
	"bytes"
	"cmp"
	"errors"
	"io"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

const (
	maxLogLine    = 64 << 10 // of a longer line the rest is passed over
	maxKept       = 4 << 10  // bytes of a line that are looked through for secrets
	maxQuote      = 300      // bytes of a line that are quoted
	maxLogEntries = 1000     // of one container
)

type logKey struct {
	sign  snapshot.Sign
	about string
}

// logDigest keeps of a log the lines that tell something, those of one sign and subject as one.
type logDigest struct {
	reader  operator.LogReader
	entries map[logKey]*snapshot.LogEntry
	bytes   int
}

func newLogDigest() *logDigest {
	return &logDigest{reader: operator.NewLogReader(), entries: map[logKey]*snapshot.LogEntry{}}
}

// read takes in a log as the kubelet gives it with timestamps, one at the start of each line, and no more of it than
// was asked for.
func (d *logDigest) read(r io.Reader) error {
	in := bufio.NewReaderSize(io.LimitReader(r, logBytes), maxLogLine)
	for {
		line, err := in.ReadSlice('\n')
		d.bytes += len(line)
		whole := !errors.Is(err, bufio.ErrBufferFull)
		if at, text, found := bytes.Cut(bytes.TrimSpace(line), []byte(" ")); found {
			if t, bad := time.Parse(time.RFC3339Nano, string(at)); bad == nil && snapshot.Writable(t) {
				d.line(t.UTC().Truncate(time.Second), string(text))
			}
		}
		for ; !whole; whole = !errors.Is(err, bufio.ErrBufferFull) {
			line, err = in.ReadSlice('\n')
			d.bytes += len(line)
		}
		if errors.Is(err, io.EOF) {
			return nil
		}
		if err != nil {
			return err
		}
	}
}

func (d *logDigest) line(t time.Time, text string) {
	line, tells := d.reader.Read(text)
	if !tells {
		return
	}
	e := d.entries[logKey{line.Sign, line.About}]
	if e == nil {
		if len(d.entries) == maxLogEntries {
			return
		}
		e = &snapshot.LogEntry{Sign: line.Sign, About: line.About, First: t}
		d.entries[logKey{line.Sign, line.About}] = e
	}
	e.Count++
	e.Last = t
	e.Text = line.Text
}

// quote takes secrets out of a line before it is shortened: half of one would not be known for what it is. Of a very
// long line the end goes before, at the end of a word.
func quote(text string) string {
	cut := len(text) > maxKept
	if cut {
		text = text[:maxKept]
		text = text[:max(0, strings.LastIndexAny(text, " \t"))]
	}
	text = snapshot.Redact(strings.ToValidUTF8(text, "\ufffd"))
	text = strings.Join(strings.Fields(text), " ")
	if len(text) > maxQuote {
		end := maxQuote
		for !utf8.RuneStart(text[end]) {
			end--
		}
		text, cut = snapshot.Redact(text[:end]), true // the mark of a secret may have been cut
	}
	if cut {
		text += "…"
	}
	return text
}

func (d *logDigest) sorted() []snapshot.LogEntry {
	out := make([]snapshot.LogEntry, 0, len(d.entries))
	for _, e := range d.entries {
		e.Text = quote(e.Text)
		out = append(out, *e)
	}
	slices.SortFunc(out, func(a, b snapshot.LogEntry) int {
		return cmp.Or(cmp.Compare(a.Sign, b.Sign), cmp.Compare(a.About, b.About))
	})
	return out
}
