//go:build !linux

package collect

import (
	"io"
	"net"
)

// socketReader returns the connection itself: only Linux's system calls are known to be safe to make directly.
func socketReader(conn net.Conn) io.Reader { return conn }
