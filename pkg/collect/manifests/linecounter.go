package manifests

import (
	"bytes"
	"errors"
	"io"
	"math/bits"
)

// lineCounter remembers where newlines are until they have been asked for, a bit for each byte: a text may be nothing else. It refuses to
// read on when what was read since then is more than one document can be.
type lineCounter struct {
	in    io.Reader
	most  func() int64 // bytes of a document
	err   error        // what reading ended with, unless it was the end
	read  int64
	asked int64    // the last offset that was asked for
	base  int64    // offset of the first mark
	marks []uint64 // of newlines that were read and not yet counted
	line  int
}

func (l *lineCounter) Read(p []byte) (int, error) {
	if most := l.most(); l.read-l.asked > 2*most {
		l.err = tooLarge(most)
		return 0, l.err
	}
	n, err := l.in.Read(p)
	for at := 0; at < n; {
		i := bytes.IndexByte(p[at:n], '\n')
		if i < 0 {
			break
		}
		l.mark(l.read + int64(at+i) - l.base)
		at += i + 1
	}
	l.read += int64(n)
	if err != nil && !errors.Is(err, io.EOF) {
		l.err = err
	}
	return n, err
}

func (l *lineCounter) mark(offset int64) {
	for int64(len(l.marks)) <= offset/64 {
		l.marks = append(l.marks, 0)
	}
	l.marks[offset/64] |= 1 << (offset % 64)
}

// at returns the line of an offset. Offsets must not go backwards.
func (l *lineCounter) at(offset int64) int {
	l.asked = max(l.asked, offset)
	rest := offset - l.base
	for ; rest >= 64; rest -= 64 {
		if len(l.marks) == 0 {
			l.base += rest - rest%64
			rest %= 64
			break
		}
		l.line += bits.OnesCount64(l.marks[0])
		l.marks = l.marks[1:]
		l.base += 64
	}
	if len(l.marks) > 0 && rest > 0 {
		before := uint64(1)<<rest - 1
		l.line += bits.OnesCount64(l.marks[0] & before)
		l.marks[0] &^= before
	}
	return l.line
}
