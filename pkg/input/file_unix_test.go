//go:build unix

package input_test

import (
	"context"
	"net"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/input"
)

// TestOnlyFilesAreRead: a device, a socket and a directory are refused by name, also behind a link; a pipe and a file are read.
func TestOnlyFilesAreRead(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	require.NoError(t, os.WriteFile(at("file"), []byte("text"), 0o600))
	require.NoError(t, os.Symlink("/dev/zero", at("link")))
	socket, err := net.Listen("unix", at("socket"))
	require.NoError(t, err)
	t.Cleanup(func() { _ = socket.Close() })
	for path, is := range map[string]string{"/dev/zero": "a device", at("link"): "a device", at("socket"): "a socket", dir: "a directory"} {
		_, err := input.ReadFile(t.Context(), path, nil, 10)
		require.ErrorContains(t, err, path+": is "+is+", not a file")
	}
	text, err := input.ReadFile(t.Context(), at("file"), nil, 4)
	require.NoError(t, err)
	require.Equal(t, "text", string(text))

	require.NoError(t, syscall.Mkfifo(at("pipe"), 0o600))
	wrote := make(chan error, 1)
	go func() { wrote <- os.WriteFile(at("pipe"), []byte("piped"), 0o600) }()
	text, err = input.ReadFile(t.Context(), at("pipe"), nil, 10)
	require.NoError(t, err)
	require.Equal(t, "piped", string(text))
	require.NoError(t, <-wrote)
}

// TestAPipeWithoutWriterIsLeft: nothing is waited for longer than the context lasts.
func TestAPipeWithoutWriterIsLeft(t *testing.T) {
	path := filepath.Join(t.TempDir(), "pipe")
	require.NoError(t, syscall.Mkfifo(path, 0o600))
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := input.ReadFile(ctx, path, nil, 10)
	require.ErrorIs(t, err, context.Canceled)
}

// TestLargeFilesAreRefused: of a file, and of standard input, one byte too many is enough.
func TestLargeFilesAreRefused(t *testing.T) {
	path := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(path, []byte("12345"), 0o600))
	for most, refused := range map[int64]bool{5: false, 4: true} {
		_, err := input.ReadFile(t.Context(), path, nil, most)
		require.Equal(t, refused, err != nil)
		_, err = input.ReadFile(t.Context(), "-", strings.NewReader("12345"), most)
		require.Equal(t, refused, err != nil)
		if refused {
			require.ErrorIs(t, err, input.ErrTooLarge)
		}
	}
}
