package controlplane

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strings"
	"time"
)

// nodeAddress returns this machine's own address. Endpoints may not hold loopback addresses
// (core/v1 validation), so the webhook Service needs another one; packets to it stay on the machine.
func nodeAddress() (string, error) {
	addrs, err := net.InterfaceAddrs()
	if err != nil {
		return "", fmt.Errorf("listing this machine's addresses: %w", err)
	}
	for _, addr := range addrs {
		ipnet, ok := addr.(*net.IPNet)
		if ok && ipnet.IP.To4() != nil && ipnet.IP.IsGlobalUnicast() {
			return ipnet.IP.String(), nil
		}
	}
	return "", errors.New("this machine has no IPv4 address besides loopback; the webhook Service needs one")
}

// Until polls a condition until it holds, an error is final or time is up. The last reason the
// condition gave for not holding is part of the error.
func Until(ctx context.Context, timeout time.Duration, what string, holds func(context.Context) (bool, error)) error {
	ctx, cancel := context.WithTimeout(ctx, timeout)
	defer cancel()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	var reason error
	for {
		ok, err := holds(ctx)
		if ok {
			return nil
		}
		if final := new(finalError); errors.As(err, &final) {
			return fmt.Errorf("waiting for %s: %w", what, final.err)
		}
		// The last request is not sent where the client's rate limit would let it wait too long: that says nothing of what is waited for.
		if err != nil && ctx.Err() == nil && !strings.Contains(err.Error(), "would exceed context deadline") {
			reason = err
		}
		select {
		case <-ctx.Done():
			return fmt.Errorf("waiting for %s: %w (last: %w)", what, ctx.Err(), reason)
		case <-tick.C:
		}
	}
}

// finalError ends Until at once.
type finalError struct{ err error }

func (e *finalError) Error() string { return e.err.Error() }
