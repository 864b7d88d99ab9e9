package probe

import (
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/client-go/rest"
	"k8s.io/client-go/tools/portforward"
	"k8s.io/client-go/transport/spdy"
	"k8s.io/streaming/pkg/httpstream"
)

// forward opens one connection to a port of a pod, over WebSocket, or SPDY where that is not possible, as kubectl does
// (k8s.io/kubectl/pkg/cmd/portforward@v0.37.0, createDialer). No local port is opened.
func forward(config *rest.Config, t Target) (net.Conn, error) {
	dialer, err := dialerFor(config, t)
	if err != nil {
		return nil, fmt.Errorf("preparing a port-forward: %w", err)
	}
	conn, _, err := dialer.Dial(portforward.PortForwardProtocolV1Name)
	if err != nil {
		return nil, refusal(err, t)
	}
	s, err := openStreams(conn, t.Port)
	if err != nil {
		_ = conn.Close()
		return nil, fmt.Errorf("opening a stream to port %d: %w", t.Port, err)
	}
	return s, nil
}

func dialerFor(config *rest.Config, t Target) (httpstream.Dialer, error) {
	base, _, err := rest.DefaultServerUrlFor(config)
	if err != nil {
		return nil, err
	}
	target := base.JoinPath("api", "v1", "namespaces", t.Namespace, "pods", t.Pod, "portforward")
	overSPDY, err := spdyDialer(config, target)
	if err != nil {
		return nil, err
	}
	overWebSocket, err := portforward.NewSPDYOverWebsocketDialerForStreaming(target, config)
	if err != nil {
		return nil, err
	}
	// Also where a WebSocket is forbidden: up to Kubernetes 1.34 it needs "get", while SPDY needs "create".
	return portforward.NewFallbackDialerForStreaming(overWebSocket, overSPDY, func(err error) bool {
		return httpstream.IsUpgradeFailure(err) || httpstream.IsHTTPSProxyError(err)
	}), nil
}

func spdyDialer(config *rest.Config, target *url.URL) (httpstream.Dialer, error) {
	transport, upgrader, err := spdy.RoundTripperFor(config)
	if err != nil {
		return nil, err
	}
	return spdy.NewDialerForStreaming(upgrader, &http.Client{Transport: transport}, http.MethodPost, target), nil
}

// refusal makes an error that API machinery knows out of the text which the SPDY dialer makes of a refusal.
func refusal(err error, t Target) error {
	if strings.Contains(err.Error(), "is forbidden:") {
		return apierrors.NewForbidden(schema.GroupResource{Resource: "pods/portforward"}, t.Pod, errors.New("not allowed"))
	}
	return err
}

// stream makes a net.Conn of the data stream of a port-forward. Deadlines do nothing: closing it ends every read.
type stream struct {
	httpstream.Stream
	conn  httpstream.Connection
	cause chan error // what the other side says of the forwarding, once
}

// openStreams follows k8s.io/client-go/tools/portforward, handleConnection.
func openStreams(conn httpstream.Connection, port int32) (*stream, error) {
	headers := http.Header{}
	headers.Set(corev1.StreamType, corev1.StreamTypeError)
	headers.Set(corev1.PortHeader, strconv.Itoa(int(port)))
	headers.Set(corev1.PortForwardRequestIDHeader, "0")
	failures, err := conn.CreateStream(headers)
	if err != nil {
		return nil, err
	}
	_ = failures.Close() // nothing is written to it
	headers.Set(corev1.StreamType, corev1.StreamTypeData)
	data, err := conn.CreateStream(headers)
	if err != nil {
		return nil, err
	}
	s := &stream{Stream: data, conn: conn, cause: make(chan error, 1)}
	go func() {
		text, _ := io.ReadAll(io.LimitReader(failures, 4<<10))
		if len(text) > 0 {
			s.cause <- errors.New(strings.TrimSpace(string(text)))
			_ = data.Reset()
		}
	}()
	return s, nil
}

// Read returns why the forwarding failed in place of the end that this causes.
func (s *stream) Read(b []byte) (int, error) {
	n, err := s.Stream.Read(b)
	if err == nil || n > 0 {
		return n, err
	}
	select {
	case cause := <-s.cause:
		return n, cause
	case <-time.After(100 * time.Millisecond): // the two streams are not in order
		return n, err
	}
}

// Close closes the connection and with it both streams.
func (s *stream) Close() error {
	_ = s.Reset()
	return s.conn.Close()
}

type noAddress struct{}

func (noAddress) Network() string { return "portforward" }
func (noAddress) String() string  { return "pod" }

func (s *stream) LocalAddr() net.Addr              { return noAddress{} }
func (s *stream) RemoteAddr() net.Addr             { return noAddress{} }
func (s *stream) SetDeadline(time.Time) error      { return nil }
func (s *stream) SetReadDeadline(time.Time) error  { return nil }
func (s *stream) SetWriteDeadline(time.Time) error { return nil }
