package manifests

import (
	"bytes"
	"errors"
	"io"
)

// lineCounter remembers where newlines are until they have been asked for, and refuses to read on when what was
// read since then is more than one document can be.
type lineCounter struct {
	in     io.Reader
	err    error // what reading ended with, unless it was the end
	read   int64
	asked  int64   // the last offset that was asked for
	breaks []int64 // offsets of newlines that were read and not yet counted
	line   int
}

func (l *lineCounter) Read(p []byte) (int, error) {
	if l.read-l.asked > 2*maxDocument {
		l.err = errTooLarge
		return 0, l.err
	}
	n, err := l.in.Read(p)
	for at := 0; at < n; {
		i := bytes.IndexByte(p[at:n], '\n')
		if i < 0 {
			break
		}
		l.breaks = append(l.breaks, l.read+int64(at+i))
		at += i + 1
	}
	l.read += int64(n)
	if err != nil && !errors.Is(err, io.EOF) {
		l.err = err
	}
	return n, err
}

// at returns the line of an offset. Offsets must not go backwards.
func (l *lineCounter) at(offset int64) int {
	i := 0
	for i < len(l.breaks) && l.breaks[i] < offset {
		i++
	}
	l.line += i
	l.breaks = l.breaks[i:]
	l.asked = max(l.asked, offset)
	return l.line
}
