package controlplane

import (
	"fmt"
	"io"
	"net"
	"strconv"
	"sync"
)

// relay listens on the address that every webhook pod reports and passes each connection on to the
// next process in turn, as the endpoints of a Service would be taken in turn.
type relay struct {
	port     int
	listener net.Listener

	mu       sync.Mutex
	backends []string
	next     int
	open     map[net.Conn]bool // connections of clients
}

func startRelay(address string, port int) (*relay, error) {
	l, err := net.Listen("tcp", net.JoinHostPort(address, strconv.Itoa(port)))
	if err != nil {
		return nil, fmt.Errorf("listening for the webhook Service: %w", err)
	}
	r := &relay{port: l.Addr().(*net.TCPAddr).Port, listener: l, open: map[net.Conn]bool{}}
	go r.serve()
	return r, nil
}

func (r *relay) close() { r.listener.Close() }

func (r *relay) setBackends(addresses []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.backends = addresses
}

func (r *relay) pick() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.backends) == 0 {
		return ""
	}
	r.next++
	return r.backends[r.next%len(r.backends)]
}

func (r *relay) serve() {
	for {
		conn, err := r.listener.Accept()
		if err != nil {
			return // closed
		}
		go r.pass(conn)
	}
}

// drop closes the connections that there are.
func (r *relay) drop() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for conn := range r.open {
		conn.Close()
	}
}

func (r *relay) hold(conn net.Conn) (release func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.open[conn] = true
	return func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		delete(r.open, conn)
	}
}

func (r *relay) pass(client net.Conn) {
	defer client.Close()
	defer r.hold(client)()
	address := r.pick()
	if address == "" {
		return // nobody serves: the caller sees the connection close
	}
	server, err := net.Dial("tcp", address)
	if err != nil {
		return
	}
	defer server.Close()
	go func() {
		defer client.Close()
		defer server.Close()
		io.Copy(server, client)
	}()
	io.Copy(client, server)
}
