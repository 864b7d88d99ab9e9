package controlplane

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"net"
	"sync"
)

// ports are a hundred ports of this machine that one cluster may use: it listens on the first of them, so that no cluster of
// another process takes the same hundred. A program listens some seconds after its port was drawn, and ports drawn freely
// met in that time. They lie below the range from which the kernel serves connections (ip_local_port_range, 32768 at least).
type ports struct {
	mark net.Listener // on the first port

	mu   sync.Mutex
	last int // port that was drawn
}

const lowestPort, portsEach, portBlocks = 20000, 100, 120

// reservePorts takes a hundred that no cluster has. Call release.
func reservePorts() (*ports, error) {
	for _, block := range rand.Perm(portBlocks) {
		first := lowestPort + block*portsEach
		mark, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", first))
		if err != nil {
			continue // another cluster's
		}
		return &ports{mark: mark, last: first}, nil
	}
	return nil, fmt.Errorf("reserving ports: all %d ranges from %d are taken", portBlocks, lowestPort)
}

// free returns n ports on which nothing listens, at no address. Each is drawn again only after all others.
func (p *ports) free(n int) (drawn []int, err error) {
	p.mu.Lock()
	defer p.mu.Unlock()
	first := p.mark.Addr().(*net.TCPAddr).Port
	for range portsEach - 1 {
		if len(drawn) == n {
			return drawn, nil
		}
		p.last++
		if p.last == first+portsEach {
			p.last = first + 1
		}
		l, err := net.Listen("tcp", fmt.Sprintf(":%d", p.last)) // as the operator's webhook does
		if err != nil {
			continue // in use
		}
		if err := l.Close(); err != nil {
			return nil, fmt.Errorf("drawing a port: %w", err)
		}
		drawn = append(drawn, p.last)
	}
	if len(drawn) < n {
		return nil, fmt.Errorf("finding %d free ports between %d and %d: %d are free", n, first+1, first+portsEach-1, len(drawn))
	}
	return drawn, nil
}

// release lets other clusters have the ports. It may be called more than once, and on none.
func (p *ports) release() error {
	if p == nil {
		return nil
	}
	if err := p.mark.Close(); err != nil && !errors.Is(err, net.ErrClosed) {
		return fmt.Errorf("releasing the ports: %w", err)
	}
	return nil
}
