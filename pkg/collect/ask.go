package collect

import (
	"context"
	"errors"
	"io"
	"net"
	"net/http"
	"strconv"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
)

// pending is a page that was asked for. Its answer waits, unread, in the connection.
type pending struct {
	token  string
	cancel context.CancelFunc
	done   chan struct{}
	body   io.ReadCloser
	err    error
}

// ask asks for a page and does not wait for the answer.
func (l *lister) ask(ctx context.Context, token string, limit int64) *pending {
	selector := l.selector
	if selector == "" {
		selector = l.src.LabelSelector
	}
	ctx, cancel := context.WithCancel(metered(ctx, l.src.View))
	p := &pending{token: token, cancel: cancel, done: make(chan struct{})}
	go func() {
		defer close(p.done)
		p.body, p.err = l.c.stream(ctx, &l.spent, l.res.path(l.namespace), acceptOf(l.src.Encoding), map[string]string{
			"limit": strconv.FormatInt(limit, 10), "continue": token, "labelSelector": selector, "fieldSelector": l.src.FieldSelector,
		})
	}()
	return p
}

// wait returns the body of the answer. Closing it ends the request.
func (p *pending) wait() (io.ReadCloser, error) {
	<-p.done
	if p.err != nil {
		p.cancel()
		return nil, p.err
	}
	return closer{p.body, p.cancel}, nil
}

// drop gives up on an answer that nobody will read.
func (p *pending) drop() {
	if p == nil {
		return
	}
	p.cancel()
	if <-p.done; p.body != nil {
		_ = p.body.Close()
	}
}

type closer struct {
	io.ReadCloser
	cancel context.CancelFunc
}

func (c closer) Close() error {
	err := c.ReadCloser.Close()
	c.cancel()
	return err
}

// passing reports whether an error may be gone when the same is asked again: an answer that was cut short, a server that
// failed or is starting, a connection that was reset. client-go itself only repeats what comes with Retry-After.
func passing(err error) bool {
	var status apierrors.APIStatus
	var op *net.OpError
	switch {
	case errors.Is(err, errCutShort):
		return true
	case errors.As(err, &status):
		code := int(status.Status().Code)
		return code == http.StatusInternalServerError || code == http.StatusBadGateway ||
			code == http.StatusServiceUnavailable || code == http.StatusGatewayTimeout
	case errors.As(err, &op):
		return !op.Timeout()
	default:
		return errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF)
	}
}

// pause waits before another attempt, a little longer each time.
func pause(ctx context.Context, attempt int) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(100 * time.Millisecond << attempt):
		return nil
	}
}
