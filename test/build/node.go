package build

import "context"

// Versions of what a node runs beside the kubelet, which is Kubernetes' own.
const (
	containerdVersion = "v2.3.7"
	cniVersion        = "v1.9.1"
	coreDNSVersion    = "v1.14.7"
)

// Kubelet returns a directory with kubelet, which exists for Linux only.
func (b *Builder) Kubelet(ctx context.Context) (string, error) {
	return b.kubernetes(ctx, "kubelet", nil, "k8s.io/kubernetes/cmd/kubelet")
}

// Containerd returns a directory with containerd, its shim for runc, and ctr.
func (b *Builder) Containerd(ctx context.Context) (string, error) {
	const module = "github.com/containerd/containerd/v2"
	return b.ensure(ctx, recipe{
		Name: "containerd", Module: module, Version: containerdVersion,
		Packages: []string{"./cmd/containerd", "./cmd/containerd-shim-runc-v2", "./cmd/ctr"},
		LDFlags:  "-X " + module + "/version.Version=" + containerdVersion,
	})
}

// CNI returns a directory with the plugins that connect pods to a bridge: bridge, loopback and host-local.
func (b *Builder) CNI(ctx context.Context) (string, error) {
	return b.ensure(ctx, recipe{
		Name: "cni", Module: "github.com/containernetworking/plugins", Version: cniVersion,
		Packages: []string{"./plugins/main/bridge", "./plugins/main/loopback", "./plugins/ipam/host-local"},
	})
}

// CoreDNS returns a directory with coredns.
func (b *Builder) CoreDNS(ctx context.Context) (string, error) {
	return b.ensure(ctx, recipe{Name: "coredns", Module: "github.com/coredns/coredns", Version: coreDNSVersion, Packages: []string{"."}})
}
