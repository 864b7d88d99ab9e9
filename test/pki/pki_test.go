package pki_test

import (
	"crypto/tls"
	"crypto/x509"
	"net"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/pki"
)

func TestIssue(t *testing.T) {
	authority, err := pki.New("one")
	require.NoError(t, err)
	pair, err := authority.Issue(pki.Request{User: "u", Groups: []string{"g"}, Hosts: []string{"host"},
		Addresses: []net.IP{net.IPv4(10, 0, 0, 1)}})
	require.NoError(t, err)
	both, err := tls.X509KeyPair(pair.Certificate, pair.Key)
	require.NoError(t, err, "the key belongs to the certificate")

	roots := x509.NewCertPool()
	require.True(t, roots.AppendCertsFromPEM(authority.PEM()))
	for _, name := range []string{"host", "10.0.0.1"} {
		_, err = both.Leaf.Verify(x509.VerifyOptions{Roots: roots, DNSName: name})
		require.NoError(t, err, name)
	}
	_, err = both.Leaf.Verify(x509.VerifyOptions{Roots: roots, DNSName: "other"})
	require.Error(t, err)
	_, err = both.Leaf.Verify(x509.VerifyOptions{Roots: roots, KeyUsages: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth}})
	require.NoError(t, err)

	other, err := pki.New("one")
	require.NoError(t, err)
	strangers := x509.NewCertPool()
	require.True(t, strangers.AppendCertsFromPEM(other.PEM()))
	_, err = both.Leaf.Verify(x509.VerifyOptions{Roots: strangers})
	require.Error(t, err, "an authority of the same name is another one")
}
