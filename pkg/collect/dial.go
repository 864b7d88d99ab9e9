package collect

import (
	"bufio"
	"context"
	"net"
	"time"

	"k8s.io/client-go/rest"
)

// readAhead is how much is taken from a connection at once. TLS asks for one record of 16 KiB after the other, each of
// which costs a system call and, where the server is as quick, a change of goroutine.
const readAhead = 128 << 10

// bufferReads lets connections be read in large pieces.
func bufferReads(config *rest.Config) {
	dial := config.Dial
	if dial == nil {
		dial = (&net.Dialer{Timeout: 30 * time.Second, KeepAlive: 30 * time.Second}).DialContext // as client-go does
	}
	config.Dial = func(ctx context.Context, network, address string) (net.Conn, error) {
		conn, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		return bufferedConn{conn, bufio.NewReaderSize(conn, readAhead)}, nil
	}
}

type bufferedConn struct {
	net.Conn
	in *bufio.Reader
}

func (c bufferedConn) Read(p []byte) (int, error) { return c.in.Read(p) }
