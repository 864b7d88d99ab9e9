// Package apiserver makes the one HTTP client with which sparkdoctor reads from an API server and writes to it: where
// requests may go, how much an answer may hold, and which protocol is spoken. It makes no request itself.
package apiserver

import (
	"fmt"
	"net/http"

	"k8s.io/client-go/rest"
)

// Connection is the way to an API server, with the credentials. Any number of scans share it and what it keeps open.
type Connection struct {
	config *rest.Config
	http   *http.Client
}

// Connect prepares a connection; nothing is sent yet. An error is one of the configuration.
func Connect(config *rest.Config) (*Connection, error) {
	config = rest.CopyConfig(config)
	server, _, err := rest.DefaultServerUrlFor(config)
	if err != nil {
		return nil, fmt.Errorf("the address of the API server: %w", err)
	}
	config.Wrap(func(next http.RoundTripper) http.RoundTripper {
		return &guard{next, server, config.Timeout, config.DisableCompression}
	})
	// A large list costs the API server half the processor time over HTTP/1.1, and the client two thirds: HTTP/2 hands each
	// 4 KiB from the handler to the connection's own goroutine, and counts them for flow control.
	config.NextProtos = []string{"http/1.1"}
	client, err := rest.HTTPClientFor(config)
	if err != nil {
		return nil, err
	}
	if client.Transport, err = withFallback(config, client.Transport); err != nil {
		return nil, err
	}
	return &Connection{config, client}, nil
}

// Host returns the server's address, as the configuration has it.
func (c *Connection) Host() string { return c.config.Host }

// Config returns the configuration, for what makes connections of its own: a port-forward. They are held to the same server.
func (c *Connection) Config() *rest.Config { return rest.CopyConfig(c.config) }

// Client returns the HTTP client.
func (c *Connection) Client() *http.Client { return c.http }
