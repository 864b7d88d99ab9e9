package collect

import (
	"bufio"
	"context"
	"net"
	"net/http"
	"time"

	"k8s.io/client-go/rest"
)

// readAhead is how much is taken from a connection at once. TLS asks for one record of 16 KiB after the other, each of
// which costs a system call and, where the server is as quick, a change of goroutine.
const readAhead = 128 << 10

// Connection is the way to an API server, with the credentials. Any number of scans share it and what it keeps open.
type Connection struct {
	config *rest.Config
	http   *http.Client
}

// Connect prepares a connection; nothing is sent yet. An error is one of the configuration.
func Connect(config *rest.Config) (*Connection, error) {
	config = rest.CopyConfig(config)
	// A large list costs the API server half the processor time over HTTP/1.1, and the client two thirds: HTTP/2 hands each
	// 4 KiB from the handler to the connection's own goroutine, and counts them for flow control (docs/performance.md).
	config.NextProtos = []string{"http/1.1"}
	bufferReads(config)
	client, err := rest.HTTPClientFor(config)
	return &Connection{config, client}, err
}

// Host is the server's address, as the configuration has it.
func (c *Connection) Host() string { return c.config.Host }

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
		return bufferedConn{conn, bufio.NewReaderSize(socketReader(conn), readAhead)}, nil
	}
}

type bufferedConn struct {
	net.Conn
	in *bufio.Reader
}

func (c bufferedConn) Read(p []byte) (int, error) { return c.in.Read(p) }
