// Package load fills a test cluster with a fleet of applications and pods, made directly: no
// operator needs to run, the CRDs suffice.
package load

import (
	"context"
	"fmt"
	"net"
	"net/url"
	"time"

	"golang.org/x/sync/errgroup"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/client-go/dynamic"
	"k8s.io/client-go/kubernetes"
	"k8s.io/client-go/rest"
)

// Fleet is what is created. Applications are spread evenly over the namespaces fleet-0, fleet-1, …;
// each has a driver pod, and the rest of the pods are executors, spread over the applications.
type Fleet struct {
	Namespaces   int // 0 means 1
	Applications int
	Entries      int // of status.executorState, of each application
	Large        int // how many applications have LargeEntries instead
	LargeEntries int
	Pods         int // drivers and executors together
	Workers      int // requests at once, 0 means 32
}

// The bounds keep a slip of the keyboard from filling the disk.
const (
	maxApplications = 50_000
	maxPods         = 200_000
	maxWorkers      = 128
)

// Result counts what was created.
type Result struct {
	Applications int
	Pods         int
	Took         time.Duration
}

func (r Result) String() string {
	return fmt.Sprintf("%d applications and %d pods in %s", r.Applications, r.Pods, r.Took.Round(100*time.Millisecond))
}

// Create creates a fleet and returns when all is there. The API server must be on
// this machine: load is for test clusters only.
func Create(ctx context.Context, config *rest.Config, fleet Fleet) (Result, error) {
	start := time.Now()
	if err := fleet.check(config.Host); err != nil {
		return Result{}, err
	}
	l, err := newLoader(ctx, config, fleet)
	if err != nil {
		return Result{}, err
	}
	if err := l.createNamespaces(ctx); err != nil {
		return Result{}, err
	}
	apps, err := l.createApplications(ctx)
	if err != nil {
		return Result{}, err
	}
	if err := l.createPods(ctx, apps); err != nil {
		return Result{}, err
	}
	return Result{Applications: len(apps), Pods: fleet.Pods, Took: time.Since(start)}, nil
}

func (f *Fleet) check(server string) error {
	f.Namespaces, f.Workers = max(1, f.Namespaces), min(maxWorkers, f.Workers)
	if f.Workers <= 0 {
		f.Workers = 32
	}
	u, err := url.Parse(server)
	if err != nil {
		return fmt.Errorf("parsing the API server's address: %w", err)
	}
	ip := net.ParseIP(u.Hostname())
	switch {
	case ip == nil || !ip.IsLoopback():
		return fmt.Errorf("server %q is not a loopback address", server)
	case f.Applications > maxApplications || f.Pods > maxPods:
		return fmt.Errorf("fleet is larger than %d applications or %d pods", maxApplications, maxPods)
	case f.Large > f.Applications:
		return fmt.Errorf("%d large applications are more than %d in all", f.Large, f.Applications)
	case f.Pods > 0 && f.Applications == 0:
		return fmt.Errorf("%d pods need an application", f.Pods)
	}
	return nil
}

// loader holds the clients: protobuf for pods, JSON for the rest, neither limited.
type loader struct {
	fleet   Fleet
	typed   kubernetes.Interface
	dynamic dynamic.Interface
	nodes   []string
}

func newLoader(ctx context.Context, config *rest.Config, fleet Fleet) (*loader, error) {
	config = rest.CopyConfig(config)
	config.QPS = -1
	json, err := dynamic.NewForConfig(config)
	if err != nil {
		return nil, fmt.Errorf("making a client: %w", err)
	}
	config.ContentType = "application/vnd.kubernetes.protobuf"
	typed, err := kubernetes.NewForConfig(config)
	if err != nil {
		return nil, fmt.Errorf("making a client: %w", err)
	}
	l := &loader{fleet: fleet, typed: typed, dynamic: json}
	nodes, err := typed.CoreV1().Nodes().List(ctx, metav1.ListOptions{})
	if err != nil {
		return nil, fmt.Errorf("listing nodes: %w", err)
	}
	for _, node := range nodes.Items {
		l.nodes = append(l.nodes, node.Name)
	}
	if len(l.nodes) == 0 {
		return nil, fmt.Errorf("the cluster has no node")
	}
	return l, nil
}

// each calls do for 0 to n-1, several at once, and stops at the first error.
func (l *loader) each(ctx context.Context, n int, do func(ctx context.Context, i int) error) error {
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(l.fleet.Workers)
	for i := range n {
		if ctx.Err() != nil {
			break
		}
		group.Go(func() error { return do(ctx, i) })
	}
	return group.Wait()
}

func (l *loader) namespace(i int) string { return fmt.Sprintf("fleet-%d", i%l.fleet.Namespaces) }

func (l *loader) createNamespaces(ctx context.Context) error {
	return l.each(ctx, l.fleet.Namespaces, func(ctx context.Context, i int) error {
		ns := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: l.namespace(i)}}
		_, err := l.typed.CoreV1().Namespaces().Create(ctx, ns, metav1.CreateOptions{})
		if err != nil && !apierrors.IsAlreadyExists(err) {
			return fmt.Errorf("creating namespace %q: %w", ns.Name, err)
		}
		return l.waitForAccount(ctx, ns.Name)
	})
}
