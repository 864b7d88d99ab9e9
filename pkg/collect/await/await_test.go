package await

import (
	"context"
	"io"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"
)

// TestReaderReads holds that what is awaited is read as it would be without waiting, in whatever pieces it comes.
func TestReaderReads(t *testing.T) {
	text := strings.Repeat("a line of some length\n", 10_000)
	for name, r := range map[string]io.Reader{
		"whole": strings.NewReader(text), "byte by byte": iotest.OneByteReader(strings.NewReader(text)),
		"with the end": iotest.DataErrReader(strings.NewReader(text)),
	} {
		require.NoError(t, iotest.TestReader(Reader(t.Context(), r), []byte(text)), name)
	}
	_, err := io.ReadAll(Reader(t.Context(), iotest.ErrReader(io.ErrUnexpectedEOF)))
	require.ErrorIs(t, err, io.ErrUnexpectedEOF)
}

// TestReaderGivesUp holds that a read ends with the context, and every read after it.
func TestReaderGivesUp(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	read, write := io.Pipe()
	t.Cleanup(func() { _ = write.Close() })
	r := Reader(ctx, read)
	go func() {
		_, _ = write.Write([]byte("one")) // returns when it was read
		cancel()
	}()
	_, err := io.ReadAll(r)
	require.ErrorIs(t, err, context.Canceled)
	_, err = r.Read(make([]byte, 1))
	require.ErrorIs(t, err, context.Canceled)
}
