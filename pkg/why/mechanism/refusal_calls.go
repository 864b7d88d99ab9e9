package mechanism

import (
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/lazyregexp"
)

// CallFault is why the API server could not call a webhook, as far as its words tell.
type CallFault int

// The faults.
const (
	OtherFault CallFault = iota
	UnknownAuthority
	CertificateExpired
	OtherName      // its certificate is for another name
	NoService      // the Service does not exist
	NoEndpoints    // the Service has no pod that is ready
	NotListening   // the connection was refused
	NoAnswerInTime // the call timed out
)

// Endpoint is a Service that was called, and its port.
type Endpoint struct{ Namespace, Name, Port string }

// faults are the words of each (crypto/x509/verify.go and net/http/client.go of golang/go@go1.24, net/dial.go; no endpoints and not found:
// staging/src/k8s.io/apiserver/pkg/util/proxy/proxy.go and pkg/util/webhook/serviceresolver.go of kubernetes@v1.36.3).
//
//nolint:gochecknoglobals // a table
var faults = []struct {
	fault CallFault
	text  *lazyregexp.Regexp
}{
	{UnknownAuthority, lazyregexp.New(`x509: certificate signed by unknown authority`)},
	{CertificateExpired, lazyregexp.New(`x509: certificate has expired or is not yet valid`)},
	{OtherName, lazyregexp.New(`x509: (?:certificate is valid for .+, not |certificate is not valid for any names|` +
		`certificate relies on legacy Common Name field)`)},
	{NoService, lazyregexp.New(`service "[^"]+" not found`)},
	{NoEndpoints, lazyregexp.New(`no endpoints available for service`)},
	{NotListening, lazyregexp.New(`connect(?:ion)?: connection refused|connection refused`)},
	{NoAnswerInTime, lazyregexp.New(`context deadline exceeded|i/o timeout|Client\.Timeout exceeded|no route to host`)},
}

func faultOf(said string) CallFault {
	for _, one := range faults {
		if one.text.MatchString(said) {
			return one.fault
		}
	}
	return OtherFault
}

// calledAt is the address of a Service, as the API server calls it.
var calledAt = lazyregexp.New(`Post "?https://([\w-]+)\.([\w-]+)\.svc(?:\.[\w.-]+)?:(\d+)`)

func endpointIn(text string) Endpoint {
	if m := calledAt.FindStringSubmatch(text); m != nil {
		return Endpoint{Namespace: m[2], Name: m[1], Port: m[3]}
	}
	return Endpoint{}
}
