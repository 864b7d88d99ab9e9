// Package probe asks webhook replicas which certificate they serve: a TLS hello through the API server's port-forward to
// one pod, and nothing more. It judges nothing: the chain that was served is what the caller gets.
package probe

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"sync"
	"time"

	"k8s.io/client-go/rest"
)

const (
	patience = 5 * time.Second // for one pod, from the first byte to the last
	parallel = 8               // pods that are asked at once
)

// Target is one replica.
type Target struct {
	Namespace, Pod string
	Port           int32
	ServerName     string // the name that the API server asks for
}

// Answer is what a replica served, in DER with the leaf first, or why nothing was learned.
type Answer struct {
	Chain [][]byte
	Err   error
}

// Certificates asks all targets and returns an answer for each, in their order.
func Certificates(ctx context.Context, config *rest.Config, targets []Target) []Answer {
	return prober{patience: patience, dial: func(t Target) (net.Conn, error) { return forward(config, t) }}.all(ctx, targets)
}

// prober asks by way of a dial that knows no context: the port-forward of client-go takes none.
type prober struct {
	patience time.Duration
	dial     func(Target) (net.Conn, error)
}

func (p prober) all(ctx context.Context, targets []Target) []Answer {
	answers := make([]Answer, len(targets))
	var wg sync.WaitGroup
	slots := make(chan struct{}, parallel)
	for i, t := range targets {
		slots <- struct{}{}
		wg.Go(func() {
			defer func() { <-slots }()
			answers[i] = p.one(ctx, t)
		})
	}
	wg.Wait()
	return answers
}

// one bounds a dial and a hello by the time for one pod. A dial that outlives it is closed when it ends.
func (p prober) one(ctx context.Context, t Target) Answer {
	ctx, cancel := context.WithTimeout(ctx, p.patience)
	defer cancel()
	type dialed struct {
		conn net.Conn
		err  error
	}
	done := make(chan dialed, 1)
	go func() {
		conn, err := p.dial(t)
		done <- dialed{conn, err}
	}()
	select {
	case <-ctx.Done():
		go func() {
			if late := <-done; late.err == nil {
				_ = late.conn.Close()
			}
		}()
		return Answer{Err: ctx.Err()}
	case d := <-done:
		if d.err != nil {
			return Answer{Err: d.err}
		}
		return hello(ctx, d.conn, t.ServerName)
	}
}

// hello does the handshake and closes. Whether the chain is to be trusted is not its question, so it takes any: a
// handshake that breaks off at the certificate would look like a fault in the operator's log.
func hello(ctx context.Context, conn net.Conn, name string) Answer {
	client := tls.Client(conn, &tls.Config{ServerName: name, InsecureSkipVerify: true}) //nolint:gosec // see above
	defer client.Close()                                                                //nolint:errcheck // nothing was sent
	if err := client.HandshakeContext(ctx); err != nil {
		if ctx.Err() != nil {
			return Answer{Err: ctx.Err()}
		}
		return Answer{Err: fmt.Errorf("no TLS: %w", err)}
	}
	var a Answer
	for _, c := range client.ConnectionState().PeerCertificates {
		a.Chain = append(a.Chain, c.Raw)
	}
	return a
}
