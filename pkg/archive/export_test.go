package archive

import (
	"archive/tar"
	"context"
)

// ReadSmall is Read with limits that are 64 times smaller, so that a bomb takes tenths of a second.
func ReadSmall(ctx context.Context, from *Limited, t *tar.Reader, first *tar.Header) (*Archive, error) {
	l := defaultLimits()
	return readWithin(ctx, limits{l.bytes / 64, l.records / 64, l.values / 64}, from, t, first)
}
