package controlplane

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sync/errgroup"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

func (cp *ControlPlane) file(name string) string { return filepath.Join(cp.Dir, name) }

// run starts one of Kubernetes' programs and remembers it for Stop.
func (cp *ControlPlane) run(name, path string, args ...string) (*process, error) {
	p, err := startProcess(cp.Dir, name, path, nil, args...)
	if err != nil {
		return nil, err
	}
	cp.mu.Lock()
	defer cp.mu.Unlock()
	cp.processes = append(cp.processes, p)
	return p, nil
}

func (cp *ControlPlane) startAPIServer(ctx context.Context) error {
	ports, err := cp.ports.free(3)
	if err != nil {
		return err
	}
	etcdURL, peerURL := fmt.Sprintf("http://127.0.0.1:%d", ports[0]), fmt.Sprintf("http://127.0.0.1:%d", ports[1])
	etcd, err := cp.run("etcd", cp.bin+"/etcd",
		"--data-dir="+cp.file("etcd"),
		"--listen-client-urls="+etcdURL, "--advertise-client-urls="+etcdURL,
		"--listen-peer-urls="+peerURL, "--initial-advertise-peer-urls="+peerURL,
		"--initial-cluster=default="+peerURL,
		"--unsafe-no-fsync",
		"--quota-backend-bytes=8589934592", // the large fleets pass the default of 2 GiB
		"--log-level=warn",
	)
	if err != nil {
		return err
	}
	if err := os.WriteFile(cp.file(etcdFile), []byte(etcdURL), 0o600); err != nil {
		return fmt.Errorf("writing etcd's address: %w", err)
	}
	cp.server = fmt.Sprintf("https://127.0.0.1:%d", ports[2])
	args := []string{
		"--etcd-servers=" + etcdURL,
		"--bind-address=127.0.0.1", fmt.Sprintf("--secure-port=%d", ports[2]),
		"--advertise-address=" + cp.address,
		"--tls-cert-file=" + cp.file(servingCert), "--tls-private-key-file=" + cp.file(servingKey),
		"--token-auth-file=" + cp.file(tokenFile), "--client-ca-file=" + cp.file(authority),
		"--authorization-mode=Node,RBAC",
		"--service-account-issuer=https://kubernetes.default.svc",
		"--service-account-signing-key-file=" + cp.file(accountKey),
		"--service-account-key-file=" + cp.file(accountKey),
		"--service-cluster-ip-range=10.96.0.0/16",
		"--endpoint-reconciler-type=none",
		"--enable-aggregator-routing=true", // dials endpoints itself: there is no kube-proxy
		"--allow-privileged=true",
	}
	if cp.opts.NodeJoins { // kwok's node has another certificate, and no name that resolves
		args = append(args, "--kubelet-client-certificate="+cp.file(kubeletCert), "--kubelet-client-key="+cp.file(kubeletKey),
			"--kubelet-certificate-authority="+cp.file(authority), "--kubelet-preferred-address-types=InternalIP")
	}
	api, err := cp.run("kube-apiserver", cp.bin+"/kube-apiserver", append(args, cp.opts.APIServerArgs...)...)
	if err != nil {
		return err
	}
	if err := cp.connect(); err != nil {
		return err
	}
	err = Until(ctx, time.Minute, "the API server", func(ctx context.Context) (bool, error) {
		for _, p := range []*process{etcd, api} {
			if !p.alive() {
				return false, &finalError{p.failure(fmt.Errorf("not running"))}
			}
		}
		_, err := cp.Client.Discovery().RESTClient().Get().AbsPath("/readyz").DoRaw(ctx)
		return err == nil, err
	})
	if err != nil {
		return api.failure(err)
	}
	return nil
}

func (cp *ControlPlane) startControllerManager() error {
	args := []string{
		"--kubeconfig=" + cp.admin,
		"--service-account-private-key-file=" + cp.file(accountKey),
		"--root-ca-file=" + cp.file(authority),
		"--controllers=*",
		"--leader-elect=false", // so that it survives a pause
		"--secure-port=0",
		"--kube-api-qps=500", "--kube-api-burst=1000",
		"--concurrent-gc-syncs=30",
		"--service-cluster-ip-range=10.96.0.0/16",
		"--profiling=false",
		// It makes this directory, by default in /usr/libexec (pkg/volume/flexvolume/probe.go@v1.36.3).
		"--flex-volume-plugin-dir=" + cp.file("flexvolumes"),
	}
	p, err := cp.run("kube-controller-manager", cp.bin+"/kube-controller-manager", append(args, cp.opts.ControllerManagerArgs...)...)
	if err != nil {
		return err
	}
	cp.mu.Lock()
	defer cp.mu.Unlock()
	cp.manager = p
	return nil
}

func (cp *ControlPlane) startScheduler() error {
	_, err := cp.run("kube-scheduler", cp.bin+"/kube-scheduler",
		"--kubeconfig="+cp.admin, "--leader-elect=false", "--secure-port=0",
		"--kube-api-qps=500", "--kube-api-burst=1000", "--profiling=false")
	return err
}

// waitForControllers waits for what a first pod needs: its namespace's service account and a ready node.
func (cp *ControlPlane) waitForControllers(ctx context.Context) error {
	var group errgroup.Group
	group.Go(func() error {
		err := Until(ctx, time.Minute, "the controller manager", func(ctx context.Context) (bool, error) {
			_, err := cp.Client.CoreV1().ServiceAccounts("default").Get(ctx, "default", metav1.GetOptions{})
			return err == nil, err
		})
		if err != nil {
			return cp.manager.failure(err)
		}
		return nil
	})
	if !cp.opts.NodeJoins {
		group.Go(func() error { return cp.waitForNodes(ctx) })
	}
	return group.Wait()
}
