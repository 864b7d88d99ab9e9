package mechanism

import (
	"time"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// IngressSpeaksHTTP1 is a server of Spark Connect that is up, behind an ingress controller of nginx that speaks HTTP/1 to it: the server
// speaks gRPC, which is HTTP/2, so each call fails with 502. The log of the controller says so with the address of the server's pod
// (kubernetes/ingress-nginx docs/user-guide/nginx-configuration/annotations.md@controller-v1.11.3, Backend Protocol). A server that is not
// up looks alike to clients; then nginx says that it cannot connect. A call from before the server started is left out.
type IngressSpeaksHTTP1 struct {
	Host string // by which clients call the ingress
}

// Mechanism names it.
func (IngressSpeaksHTTP1) Mechanism() cause.ID { return "ingress-speaks-http1" }

var calledHost = lazyregexp.New(`, server: ([\w.*-]+),`)

func ingressSpeaksHTTP1(v *View) []cause.Cause {
	if !v.serverUp() || len(v.Proxied) == 0 {
		return nil
	}
	last := v.Proxied[len(v.Proxied)-1]
	if last.At.Before(v.serverStart().Add(-time.Minute)) {
		return nil
	}
	found := IngressSpeaksHTTP1{}
	if m := calledHost.FindStringSubmatch(last.Text); m != nil && m[1] != "_" {
		found.Host = m[1]
	}
	return []cause.Cause{{Class: cause.Network, Role: cause.DriverRole, Subject: Ref(v.Driver), At: last.At, Trust: cause.ByCondition,
		Detail: found, Evidence: []cause.Proof{{Object: last.Pod, Field: "log " + last.Container, Value: last.Text, At: last.At}}}}
}
