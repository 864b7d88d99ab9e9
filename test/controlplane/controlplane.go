// Package controlplane runs a real Kubernetes control plane as local processes, and the real Spark
// Operator on it. Nothing is simulated but the kubelet (kwok) and spark-submit's JVM.
package controlplane

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/build"
	"github.com/sparkdoctor/kubectl-sparkdoctor/test/pki"
)

// Options say how a control plane starts. The zero value is one node, no CRDs and silence.
type Options struct {
	// Log gets what is built and how long it takes; nil discards it.
	Log io.Writer
	// CRDs is the operator release whose CRDs exist before the controller manager starts: the garbage
	// collector looks for new kinds only every 30 s. Empty means none.
	CRDs string
	// Nodes is the number of kwok nodes, 0 means 1.
	Nodes int
	// NodeJoins leaves kwok out: a node of package node joins and runs the pods, the operator's too.
	NodeJoins bool
	// APIServerArgs and ControllerManagerArgs are added last, so they win.
	APIServerArgs         []string
	ControllerManagerArgs []string
	// KeepDir leaves the directory with logs and data behind.
	KeepDir bool
}

// ControlPlane is a running cluster. Client, Dynamic and RESTConfig act as system:masters.
type ControlPlane struct {
	Dir     string // logs, keys and data; gone after Stop
	Client  kubernetes.Interface
	Dynamic dynamic.Interface
	// Authority signs the cluster's certificates. Clients with one of it are authenticated.
	Authority *pki.Authority

	opts    Options
	builder *build.Builder
	bin     string // Kubernetes' programs
	address string // this machine's own, for kwok and the webhook Service
	ports   *ports
	server  string
	tokens  map[string]string
	admin   string // path of the administrator's kubeconfig

	mu        sync.Mutex
	processes []*process // in the order they were started
	manager   *process   // the kube-controller-manager
	operators []*Operator
}

// ServiceAddress is the address of the Service "kubernetes", the first of the range of Services. Nothing listens there but what
// package node puts there.
const ServiceAddress = "10.96.0.1"

// Start builds what is missing, starts a cluster and returns when it answers. Call Stop in any case
// but an error.
func Start(ctx context.Context, opts Options) (*ControlPlane, error) {
	if opts.Log == nil {
		opts.Log = io.Discard
	}
	builder, err := build.New(opts.Log)
	if err != nil {
		return nil, err
	}
	cp := &ControlPlane{opts: opts, builder: builder}
	if err := cp.start(ctx); err != nil {
		return nil, errors.Join(fmt.Errorf("starting a control plane: %w", err), cp.Stop())
	}
	return cp, nil
}

func (cp *ControlPlane) start(ctx context.Context) (err error) {
	if cp.bin, err = cp.builder.Kubernetes(ctx); err != nil {
		return err
	}
	if cp.address, err = nodeAddress(); err != nil {
		return err
	}
	if cp.ports, err = reservePorts(); err != nil {
		return err
	}
	if cp.Dir, err = os.MkdirTemp("", "sparkdoctor-testbed-"); err != nil {
		return fmt.Errorf("creating the cluster's directory: %w", err)
	}
	if cp.Authority, err = pki.New("testbed"); err != nil {
		return err
	}
	if cp.tokens, err = cp.writeFiles(); err != nil {
		return err
	}
	if err := cp.startAPIServer(ctx); err != nil {
		return err
	}
	if cp.opts.CRDs != "" {
		if err := cp.InstallCRDs(ctx, cp.opts.CRDs); err != nil {
			return err
		}
	}
	var group errgroup.Group
	group.Go(func() error { return cp.startControllerManager() })
	group.Go(func() error { return cp.startScheduler() })
	if !cp.opts.NodeJoins {
		group.Go(func() error { return cp.startKwok(ctx) })
	}
	if err := group.Wait(); err != nil {
		return err
	}
	return cp.waitForControllers(ctx)
}

// connect makes the clients. The rate limits are those of a bed, not of a polite guest.
func (cp *ControlPlane) connect() (err error) {
	if cp.admin, err = cp.Kubeconfig(admin); err != nil {
		return err
	}
	config := cp.RESTConfig()
	if cp.Client, err = kubernetes.NewForConfig(config); err != nil {
		return fmt.Errorf("making a client: %w", err)
	}
	if cp.Dynamic, err = dynamic.NewForConfig(config); err != nil {
		return fmt.Errorf("making a dynamic client: %w", err)
	}
	return nil
}

// RESTConfig returns the administrator's configuration for clients of the caller's own.
func (cp *ControlPlane) RESTConfig() *rest.Config {
	return cp.RESTConfigFor(admin)
}

// RESTConfigFor returns the configuration of one of the users.
func (cp *ControlPlane) RESTConfigFor(user string) *rest.Config {
	return &rest.Config{
		Host:            cp.server,
		BearerToken:     cp.tokens[user],
		TLSClientConfig: rest.TLSClientConfig{CAFile: cp.file(authority)},
		QPS:             500,
		Burst:           1000,
	}
}

// Server returns the host and port of the API server.
func (cp *ControlPlane) Server() string { return strings.TrimPrefix(cp.server, "https://") }

// Builder returns what the cluster's programs were built with.
func (cp *ControlPlane) Builder() *build.Builder { return cp.builder }

// Kubectl returns the path of kubectl, of the same release as the API server.
func (cp *ControlPlane) Kubectl() string { return cp.bin + "/kubectl" }

// Stop ends every process and removes the directory. It may be called more than once.
func (cp *ControlPlane) Stop() error {
	for _, op := range cp.operators {
		op.stop()
	}
	cp.mu.Lock()
	defer cp.mu.Unlock()
	// The last started goes first, so that none logs the loss of what it needs.
	for i := len(cp.processes) - 1; i >= 0; i-- {
		cp.processes[i].stop(2 * time.Second)
	}
	cp.processes, cp.operators = nil, nil
	if err := cp.ports.release(); err != nil {
		return err
	}
	if cp.Dir == "" || cp.opts.KeepDir {
		return nil
	}
	if err := os.RemoveAll(cp.Dir); err != nil {
		return fmt.Errorf("removing the cluster's directory: %w", err)
	}
	return nil
}

func (cp *ControlPlane) operatorLogs() string {
	var text string
	for _, op := range cp.operators {
		text += op.Logs()
	}
	return text
}
