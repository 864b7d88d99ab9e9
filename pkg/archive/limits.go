package archive

import (
	"bytes"
	"errors"
	"fmt"
	"io"
)

// What an archive may hold. A fleet of 100,000 pods and 10,000 applications takes less than a tenth of each. A record in
// memory takes at most some 1,000 bytes and 120 for every value in it, so that these bound memory, too.
const (
	maxManifest = 16 << 20
	maxEntry    = 16 << 20
)

// limits are those of a whole archive.
type limits struct{ bytes, records, values int64 }

func defaultLimits() limits { return limits{bytes: 2 << 30, records: 2 << 20, values: 32 << 20} }

// budget is what of the limits is left. Writers keep to it as well.
type budget struct{ limits, left limits }

func newBudget(l limits) *budget { return &budget{l, l} }

func (b *budget) tooLarge() error {
	return fmt.Errorf("it holds more than %d MiB, %d records or %d values", b.limits.bytes>>20, b.limits.records, b.limits.values)
}

func (b *budget) entry(size int64) error {
	if b.left.bytes -= size; b.left.bytes < 0 {
		return b.tooLarge()
	}
	return nil
}

func (b *budget) record(line []byte) error {
	b.left.records--
	for _, c := range []byte(",{[") {
		b.left.values -= int64(bytes.Count(line, []byte{c}))
	}
	if b.left.records < 0 || b.left.values < 0 {
		return b.tooLarge()
	}
	return nil
}

// Limited is a reader that fails when it has handed out Left bytes, once Bounded is set: a tar may have more in its
// headers than in its entries.
type Limited struct {
	R       io.Reader
	Bounded bool
	Left    int64
}

// errEndless is about what is not in an entry, or is more than its entry declares.
var errEndless = errors.New("it goes on beyond what its entries declare")

// Read hands out what is left.
func (l *Limited) Read(p []byte) (int, error) {
	if !l.Bounded {
		return l.R.Read(p)
	}
	if l.Left <= 0 {
		return 0, errEndless
	}
	n, err := l.R.Read(p[:min(int64(len(p)), l.Left)])
	l.Left -= int64(n)
	return n, err
}
