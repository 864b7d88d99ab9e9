// Package await reads files and stdin until the context ends: a FIFO, a terminal or a stalled pipe may never deliver anything.
package await

import (
	"context"
	"io"
	"os"
)

// Reader returns a reader that gives up when the context ends, even where nothing arrives: a terminal, a stalled pipe. What
// reads from a file cannot be interrupted, so that it is left behind.
func Reader(ctx context.Context, r io.Reader) io.Reader {
	return &awaited{ctx: ctx, r: r, buf: make([]byte, 64<<10)}
}

type awaited struct {
	ctx     context.Context
	r       io.Reader
	buf     []byte // of the read that goes on, or what it brought
	pending chan arrival
	got     arrival
}

type arrival struct {
	bytes []byte
	err   error
}

func (a *awaited) Read(p []byte) (int, error) {
	if err := a.ctx.Err(); err != nil {
		return 0, err
	}
	if len(a.got.bytes) == 0 && a.got.err == nil {
		if a.pending == nil {
			a.pending = make(chan arrival, 1)
			go func() {
				n, err := a.r.Read(a.buf)
				a.pending <- arrival{a.buf[:n], err}
			}()
		}
		select {
		case a.got = <-a.pending:
			a.pending = nil
		case <-a.ctx.Done():
			return 0, a.ctx.Err()
		}
	}
	n := copy(p, a.got.bytes)
	if a.got.bytes = a.got.bytes[n:]; len(a.got.bytes) > 0 {
		return n, nil
	}
	err := a.got.err
	a.got.err = nil
	return n, err
}

// Open opens a file whose reads give up when the context ends. So does opening it: a FIFO is not open before somebody
// writes to it (fifo(7)).
func Open(ctx context.Context, path string) (io.ReadCloser, error) {
	type opened struct {
		file *os.File
		err  error
	}
	done := make(chan opened, 1)
	go func() {
		f, err := os.Open(path)
		done <- opened{f, err}
	}()
	select {
	case <-ctx.Done():
		go func() {
			if late := <-done; late.err == nil {
				_ = late.file.Close()
			}
		}()
		return nil, ctx.Err()
	case o := <-done:
		if o.err != nil {
			return nil, o.err
		}
		return struct {
			io.Reader
			io.Closer
		}{Reader(ctx, o.file), o.file}, nil
	}
}
