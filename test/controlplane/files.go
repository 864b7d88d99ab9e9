package controlplane

import (
	"crypto/rand"
	"crypto/rsa"
	"crypto/x509"
	"encoding/hex"
	"encoding/pem"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"

	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/pki"
)

// Names of files in the cluster's directory.
const (
	authority   = "ca.crt" // every certificate of the cluster is signed with it
	servingCert = "apiserver.crt"
	servingKey  = "apiserver.key"
	kubeletCert = "apiserver-kubelet-client.crt" // what the API server shows to kubelets
	kubeletKey  = "apiserver-kubelet-client.key"
	accountKey  = "service-account.key"
	tokenFile   = "tokens.csv"
)

// admin is the one user that may do everything.
const admin = "admin"

// users returns the names that the API server knows. All but admin start without any right.
func users() []string {
	return []string{admin, "reader", "nobody", "u1", "u2", "u3", "u4", "u5", "u6", "u7", "u8", "u9"}
}

// writeFiles writes keys, certificates and tokens and returns the tokens by user.
func (cp *ControlPlane) writeFiles() (map[string]string, error) {
	serving, err := cp.Authority.Issue(pki.Request{
		User: "kube-apiserver", Hosts: []string{"kubernetes", "kubernetes.default", "kubernetes.default.svc"},
		Addresses: []net.IP{net.IPv4(127, 0, 0, 1), net.ParseIP(cp.address), net.ParseIP(ServiceAddress)},
	})
	if err != nil {
		return nil, err
	}
	kubelet, err := cp.Authority.Issue(pki.Request{User: "kube-apiserver-kubelet-client"})
	if err != nil {
		return nil, err
	}
	private, err := rsa.GenerateKey(rand.Reader, 2048)
	if err != nil {
		return nil, fmt.Errorf("making the service account key: %w", err)
	}
	tokens := map[string]string{}
	var lines strings.Builder
	for _, user := range users() {
		secret := make([]byte, 16)
		rand.Read(secret)
		tokens[user] = user + "-" + hex.EncodeToString(secret)
		groups := ""
		if user == admin {
			groups = ",system:masters"
		}
		fmt.Fprintf(&lines, "%s,%s,%s%s\n", tokens[user], user, user, groups)
	}
	for name, text := range map[string][]byte{
		authority:   cp.Authority.PEM(),
		servingCert: serving.Certificate,
		servingKey:  serving.Key,
		kubeletCert: kubelet.Certificate,
		kubeletKey:  kubelet.Key,
		accountKey:  pem.EncodeToMemory(&pem.Block{Type: "RSA PRIVATE KEY", Bytes: x509.MarshalPKCS1PrivateKey(private)}),
		tokenFile:   []byte(lines.String()),
	} {
		if err := os.WriteFile(cp.file(name), text, 0o600); err != nil {
			return nil, fmt.Errorf("writing %s: %w", name, err)
		}
	}
	return tokens, nil
}

// writeKubeconfig writes a kubeconfig for a bearer token and returns its path.
func (cp *ControlPlane) writeKubeconfig(name, token string) (string, error) {
	config := clientcmdapi.NewConfig()
	config.Clusters["testbed"] = &clientcmdapi.Cluster{Server: cp.server, CertificateAuthority: cp.file(authority)}
	config.AuthInfos[name] = &clientcmdapi.AuthInfo{Token: token}
	config.Contexts["testbed"] = &clientcmdapi.Context{Cluster: "testbed", AuthInfo: name}
	config.CurrentContext = "testbed"
	path := filepath.Join(cp.Dir, name+".kubeconfig")
	if err := clientcmd.WriteToFile(*config, path); err != nil {
		return "", fmt.Errorf("writing a kubeconfig for %s: %w", name, err)
	}
	return path, nil
}
