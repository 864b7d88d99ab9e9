//go:build linux && !race

package collect

import (
	"io"
	"net"
	"os"
	"syscall"
	"unsafe"
)

// socket reads a connection without telling Go's scheduler that a system call begins, which it need not know: a socket of
// package net does not block. Told, it wakes the thread that watches over system calls, and that sleeps whenever all
// goroutines wait for the server: once for each of 30,000 records of a large scan (docs/performance.md).
type socket struct {
	net.Conn
	raw  syscall.RawConn
	once func(fd uintptr) (ready bool)

	into []byte // of the read that goes on, and what became of it
	n    int
	err  syscall.Errno
}

// socketReader returns what reads a connection; of what is no socket, the connection itself.
func socketReader(conn net.Conn) io.Reader {
	has, ok := conn.(syscall.Conn)
	if !ok {
		return conn
	}
	raw, err := has.SyscallConn()
	if err != nil {
		return conn
	}
	s := &socket{Conn: conn, raw: raw}
	s.once = s.try
	return s
}

// Read waits as the connection's own Read does: until there is something, the deadline passes or somebody closes it.
func (s *socket) Read(p []byte) (int, error) {
	if len(p) == 0 {
		return 0, nil
	}
	s.into = p
	err := s.raw.Read(s.once)
	s.into = nil
	switch {
	case err != nil:
		return 0, err
	case s.err != 0:
		return 0, &net.OpError{Op: "read", Net: s.LocalAddr().Network(), Source: s.LocalAddr(), Addr: s.RemoteAddr(), Err: os.NewSyscallError("read", s.err)}
	case s.n == 0:
		return 0, io.EOF
	default:
		return s.n, nil
	}
}

// try reads what is there, and reports whether that was anything.
func (s *socket) try(fd uintptr) bool {
	for {
		n, _, err := syscall.RawSyscall(syscall.SYS_READ, fd, uintptr(unsafe.Pointer(unsafe.SliceData(s.into))), uintptr(len(s.into)))
		if err != syscall.EINTR {
			s.n, s.err = int(n), err //nolint:gosec // at most what there was room for
			return err != syscall.EAGAIN
		}
	}
}
