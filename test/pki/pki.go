// Package pki is the certificate authority of one test cluster, as kubeadm makes one for a real cluster.
package pki

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/elliptic"
	"crypto/rand"
	"crypto/x509"
	"crypto/x509/pkix"
	"encoding/pem"
	"fmt"
	"math/big"
	"net"
	"time"

	"k8s.io/client-go/util/cert"
	"k8s.io/client-go/util/keyutil"
)

// lifetime of certificates; no cluster of the bed lives that long.
const lifetime = 24 * time.Hour

// Authority signs certificates.
type Authority struct {
	cert *x509.Certificate
	key  crypto.Signer
}

// Request says whom a certificate is for: a client by its name and groups, a server by its host names and addresses.
type Request struct {
	User      string
	Groups    []string
	Hosts     []string
	Addresses []net.IP
}

// Pair is a certificate and its key, in PEM.
type Pair struct{ Certificate, Key []byte }

// New makes an authority.
func New(name string) (*Authority, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return nil, fmt.Errorf("making the key of the authority: %w", err)
	}
	own, err := cert.NewSelfSignedCACert(cert.Config{CommonName: name}, key)
	if err != nil {
		return nil, fmt.Errorf("signing the certificate of the authority: %w", err)
	}
	return &Authority{cert: own, key: key}, nil
}

// PEM returns the authority's own certificate.
func (a *Authority) PEM() []byte {
	return pem.EncodeToMemory(&pem.Block{Type: cert.CertificateBlockType, Bytes: a.cert.Raw})
}

// Issue makes a key and signs a certificate for it, for clients and servers alike.
func (a *Authority) Issue(r Request) (Pair, error) {
	key, err := ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	if err != nil {
		return Pair{}, fmt.Errorf("making the key of %q: %w", r.User, err)
	}
	serial, err := rand.Int(rand.Reader, new(big.Int).Lsh(big.NewInt(1), 63))
	if err != nil {
		return Pair{}, fmt.Errorf("choosing the serial number of %q: %w", r.User, err)
	}
	template := &x509.Certificate{
		Subject:      pkix.Name{CommonName: r.User, Organization: r.Groups},
		SerialNumber: serial,
		DNSNames:     r.Hosts, IPAddresses: r.Addresses,
		NotBefore: a.cert.NotBefore, NotAfter: time.Now().Add(lifetime),
		KeyUsage:    x509.KeyUsageDigitalSignature,
		ExtKeyUsage: []x509.ExtKeyUsage{x509.ExtKeyUsageClientAuth, x509.ExtKeyUsageServerAuth},
	}
	signed, err := x509.CreateCertificate(rand.Reader, template, a.cert, key.Public(), a.key)
	if err != nil {
		return Pair{}, fmt.Errorf("signing the certificate of %q: %w", r.User, err)
	}
	private, err := keyutil.MarshalPrivateKeyToPEM(key)
	if err != nil {
		return Pair{}, fmt.Errorf("encoding the key of %q: %w", r.User, err)
	}
	return Pair{pem.EncodeToMemory(&pem.Block{Type: cert.CertificateBlockType, Bytes: signed}), private}, nil
}
