package archive

import (
	"archive/tar"
	"context"
	"io"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/input"
)

// ReadSmall is Read with limits that are 64 times smaller, so that a bomb takes tenths of a second.
func ReadSmall(ctx context.Context, from *Limited, t *tar.Reader, first *tar.Header) (*Archive, error) {
	l := defaultLimits()
	return readWithin(ctx, limits{l.bytes / 64, l.records / 64, l.values / 64}, large(), from, t, first)
}

// large is a budget that is not spent on what tests read.
func large() *input.Budget {
	spent := new(input.Budget)
	_, _ = io.Copy(io.Discard, spent.Packed(io.LimitReader(zeros{}, 1<<30)))
	return spent
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { return len(p), nil }
