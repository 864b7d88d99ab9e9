package collect

import (
	"errors"
	"io"
	"net"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// socketPair returns both ends of a connection on this machine.
func socketPair(t *testing.T) (ours net.Conn, reader io.Reader, theirs *net.TCPConn) {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	require.NoError(t, err)
	ours, err = net.Dial("tcp", l.Addr().String())
	require.NoError(t, err)
	accepted, err := l.Accept()
	require.NoError(t, err)
	theirs, ok := accepted.(*net.TCPConn)
	require.True(t, ok)
	t.Cleanup(func() { _, _, _ = l.Close(), ours.Close(), theirs.Close() })
	return ours, socketReader(ours), theirs
}

func TestSocketReadsWhatArrives(t *testing.T) {
	_, reader, theirs := socketPair(t)
	buf := make([]byte, 8)
	n, err := reader.Read(nil)
	require.NoError(t, err)
	require.Zero(t, n)
	go func() {
		time.Sleep(20 * time.Millisecond) // the reader waits
		_, _ = theirs.Write([]byte("first"))
	}()
	n, err = reader.Read(buf)
	require.NoError(t, err)
	require.Equal(t, "first", string(buf[:n]))
	_, err = theirs.Write([]byte("more than there is room for"))
	require.NoError(t, err)
	require.NoError(t, theirs.CloseWrite())
	rest, err := io.ReadAll(reader)
	require.NoError(t, err, "the end is io.EOF")
	require.Equal(t, "more than there is room for", string(rest))
}

func TestSocketFailsAsAConnectionDoes(t *testing.T) {
	buf := make([]byte, 8)
	var netErr net.Error

	ours, reader, _ := socketPair(t)
	require.NoError(t, ours.SetReadDeadline(time.Now().Add(10*time.Millisecond)))
	_, err := reader.Read(buf)
	require.ErrorAs(t, err, &netErr)
	require.True(t, netErr.Timeout())

	ours, reader, _ = socketPair(t)
	closed := make(chan error)
	go func() { _, err := reader.Read(buf); closed <- err }()
	time.Sleep(10 * time.Millisecond) // the reader waits
	require.NoError(t, ours.Close())
	require.ErrorIs(t, <-closed, net.ErrClosed)

	_, reader, theirs := socketPair(t)
	require.NoError(t, theirs.SetLinger(0))
	require.NoError(t, theirs.Close(), "with a reset")
	_, err = reader.Read(buf)
	require.ErrorIs(t, err, syscall.ECONNRESET)
	require.ErrorAs(t, err, new(*net.OpError))
}

func TestWhatIsNoSocketReadsItself(t *testing.T) {
	ours, theirs := net.Pipe()
	require.Equal(t, io.Reader(ours), socketReader(ours))
	require.NoError(t, errors.Join(ours.Close(), theirs.Close()))
}
