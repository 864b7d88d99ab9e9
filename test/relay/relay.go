// Package relay passes TCP connections on, as a Service does, where no kube-proxy runs.
package relay

import (
	"fmt"
	"io"
	"net"
	"strconv"
	"sync"
)

// Relay listens on one address and passes each connection on to the next backend in turn, as the endpoints of a Service
// would be taken in turn.
type Relay struct {
	Port     int // that it listens on
	listener net.Listener

	mu       sync.Mutex
	backends []string
	next     int
	open     map[net.Conn]bool // connections of clients
}

// Start listens on an address and a port; port 0 means any that is free. It has no backends yet.
func Start(address string, port int) (*Relay, error) {
	l, err := net.Listen("tcp", net.JoinHostPort(address, strconv.Itoa(port)))
	if err != nil {
		return nil, fmt.Errorf("listening for a Service: %w", err)
	}
	r := &Relay{Port: l.Addr().(*net.TCPAddr).Port, listener: l, open: map[net.Conn]bool{}}
	go r.serve()
	return r, nil
}

// Close stops listening.
func (r *Relay) Close() { r.listener.Close() }

// SetBackends has further connections go to these addresses, each a host and a port.
func (r *Relay) SetBackends(addresses ...string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.backends = addresses
}

func (r *Relay) pick() string {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.backends) == 0 {
		return ""
	}
	r.next++
	return r.backends[r.next%len(r.backends)]
}

func (r *Relay) serve() {
	for {
		conn, err := r.listener.Accept()
		if err != nil {
			return // closed
		}
		go r.pass(conn)
	}
}

// Drop closes the connections that are open.
func (r *Relay) Drop() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for conn := range r.open {
		conn.Close()
	}
}

func (r *Relay) hold(conn net.Conn) (release func()) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.open[conn] = true
	return func() {
		r.mu.Lock()
		defer r.mu.Unlock()
		delete(r.open, conn)
	}
}

func (r *Relay) pass(client net.Conn) {
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
