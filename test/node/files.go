package node

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net"
	"os"

	"k8s.io/client-go/tools/clientcmd"
	clientcmdapi "k8s.io/client-go/tools/clientcmd/api"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/controlplane"
	"github.com/sparkdoctor/kubectl-sparkdoctor/test/images"
	"github.com/sparkdoctor/kubectl-sparkdoctor/test/pki"
)

// Names of files in the node's directory.
const (
	authorityFile    = "ca.crt"
	kubeletFile      = "kubelet.json"
	containerdFile   = "containerd.toml"
	containerdSocket = "containerd.sock"
	corefile         = "Corefile"
)

// writeFiles makes the node's directory and control groups, and everything in the directory that its programs read.
func (n *Node) writeFiles(ctx context.Context) error {
	for _, dir := range []string{"", "cni", "empty", "tmp", "plugins", "pods"} {
		if err := os.MkdirAll(n.file(dir), 0o755); err != nil {
			return fmt.Errorf("making the node's directory: %w", err)
		}
	}
	if err := makeGroups(cgroupRoot, n.Dir); err != nil {
		return err
	}
	if err := n.tools.builder.Local(ctx, bootPackage, n.file("boot")); err != nil {
		return err
	}
	for name, request := range map[string]pki.Request{
		"kubelet-client": {User: "system:node:" + n.Name, Groups: []string{"system:nodes"}},
		"coredns":        {User: dnsUser},
		"kubelet": {User: "kubelet", Hosts: []string{n.Name},
			Addresses: []net.IP{net.ParseIP(nodeAddress)}},
	} {
		if err := n.writeCredentials(name, request); err != nil {
			return err
		}
	}
	kubelet, err := n.kubeletConfiguration()
	if err != nil {
		return err
	}
	network, err := json.Marshal(networkConfiguration())
	if err != nil {
		return fmt.Errorf("encoding the pods' network: %w", err)
	}
	for name, text := range map[string][]byte{
		authorityFile:          n.cp.Authority.PEM(),
		kubeletFile:            kubelet,
		containerdFile:         []byte(n.containerdConfiguration()),
		"cni/10-pods.conflist": network,
		corefile:               []byte(n.corefile()),
		"resolv.conf":          []byte("nameserver " + nodeAddress + "\n"),
	} {
		if err := os.WriteFile(n.file(name), text, 0o600); err != nil {
			return fmt.Errorf("writing %s: %w", name, err)
		}
	}
	return n.allowDNS(ctx)
}

// writeCredentials writes a certificate, its key, and a kubeconfig for a client that shows it.
func (n *Node) writeCredentials(name string, request pki.Request) error {
	pair, err := n.cp.Authority.Issue(request)
	if err != nil {
		return err
	}
	for ending, text := range map[string][]byte{".crt": pair.Certificate, ".key": pair.Key} {
		if err := os.WriteFile(n.file(name+ending), text, 0o600); err != nil {
			return fmt.Errorf("writing the certificate of %s: %w", name, err)
		}
	}
	config := clientcmdapi.NewConfig()
	config.Clusters["testbed"] = &clientcmdapi.Cluster{
		Server: "https://" + controlplane.ServiceAddress, CertificateAuthority: n.file(authorityFile),
	}
	config.AuthInfos[name] = &clientcmdapi.AuthInfo{ClientCertificate: n.file(name + ".crt"), ClientKey: n.file(name + ".key")}
	config.Contexts["testbed"] = &clientcmdapi.Context{Cluster: "testbed", AuthInfo: name}
	config.CurrentContext = "testbed"
	if err := clientcmd.WriteToFile(*config, n.file(name+".kubeconfig")); err != nil {
		return fmt.Errorf("writing a kubeconfig for %s: %w", name, err)
	}
	return nil
}

// kubeletConfiguration is a KubeletConfiguration (kubelet.config.k8s.io/v1beta1@v1.36.3).
func (n *Node) kubeletConfiguration() ([]byte, error) {
	all := map[string]any{
		"apiVersion": "kubelet.config.k8s.io/v1beta1", "kind": "KubeletConfiguration",
		"address": nodeAddress, "port": 10250, "healthzPort": 0, "readOnlyPort": 0,
		"tlsCertFile": n.file("kubelet.crt"), "tlsPrivateKeyFile": n.file("kubelet.key"),
		"authentication": map[string]any{
			"anonymous": map[string]any{"enabled": false},
			"webhook":   map[string]any{"enabled": false},
			"x509":      map[string]any{"clientCAFile": n.file(authorityFile)},
		},
		"authorization":            map[string]any{"mode": "AlwaysAllow"},
		"containerRuntimeEndpoint": "unix://" + n.file(containerdSocket),
		"cgroupDriver":             "cgroupfs", "cgroupRoot": "/" + cgroupName,
		"failCgroupV1": false, // from 1.35 on the kubelet refuses v1 otherwise
		"failSwapOn":   false,
		"podLogsDir":   n.file("pods"), "volumePluginDir": n.file("plugins"), "resolvConf": n.file("resolv.conf"),
		"clusterDNS": []string{nodeAddress}, "clusterDomain": "cluster.local",
		"evictionHard": map[string]any{
			"memory.available": "200Mi", "nodefs.available": "1Gi", "imagefs.available": "1Gi", "nodefs.inodesFree": "1%",
		},
		// Nothing could bring an image back.
		"imageGCHighThresholdPercent": 100, "imageGCLowThresholdPercent": 99,
		"nodeStatusUpdateFrequency": "5s",
		"maxPods":                   100,
	}
	maps.Copy(all, n.opts.Kubelet)
	text, err := json.MarshalIndent(all, "", "  ")
	if err != nil {
		return nil, fmt.Errorf("encoding the kubelet's configuration: %w", err)
	}
	return text, nil
}

// containerdConfiguration keeps everything in the node's directory, pods' network namespaces too, and looks for no image elsewhere.
// Without CAP_SYS_RESOURCE runc cannot lower a process's oom_score_adj, so containerd is told not to ask for that.
func (n *Node) containerdConfiguration() string {
	return fmt.Sprintf(`version = 3
root = "%[1]s/containerd"
state = "%[1]s/run"

[grpc]
  address = "%[1]s/%[2]s"

[plugins."io.containerd.internal.v1.opt"]
  path = "%[1]s/opt"

[plugins."io.containerd.nri.v1.nri"]
  disable = true

[plugins."io.containerd.cri.v1.images"]
  snapshotter = "overlayfs"
  [plugins."io.containerd.cri.v1.images".pinned_images]
    sandbox = "%[3]s"
  [plugins."io.containerd.cri.v1.images".registry]
    config_path = "%[1]s/empty"

[plugins."io.containerd.cri.v1.runtime"]
  disable_apparmor = true
  restrict_oom_score_adj = true
  netns_mounts_under_state_dir = true
  [plugins."io.containerd.cri.v1.runtime".containerd]
    default_runtime_name = "runc"
    [plugins."io.containerd.cri.v1.runtime".containerd.runtimes.runc]
      runtime_type = "io.containerd.runc.v2"
      [plugins."io.containerd.cri.v1.runtime".containerd.runtimes.runc.options]
        SystemdCgroup = false
  [plugins."io.containerd.cri.v1.runtime".cni]
    bin_dirs = ["%[4]s"]
    conf_dir = "%[1]s/cni"
`, n.Dir, containerdSocket, images.PauseName, n.tools.cni)
}

// networkConfiguration is what the bridge plugin of the CNI reads. Without isGateway and ipMasq it neither forwards packets nor
// changes addresses. A pod reaches its neighbours and the addresses of Services.
func networkConfiguration() map[string]any {
	return map[string]any{
		"cniVersion": "1.0.0", "name": "pods",
		"plugins": []any{map[string]any{
			"type": "bridge", "bridge": bridge,
			"ipam": map[string]any{
				"type":   "host-local",
				"ranges": []any{[]any{map[string]any{"subnet": network, "rangeStart": firstPod, "rangeEnd": lastPod, "gateway": hostAddress}}},
				"routes": []any{map[string]any{"dst": services, "gw": hostAddress}},
			},
		}},
	}
}
