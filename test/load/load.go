// Package load fills a test cluster with a fleet of applications, their pods and what else Spark makes: no operator
// needs to run, the CRDs suffice.
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

// Fleet is what is created. Applications are spread evenly over the namespaces fleet-000, fleet-001, …; each has a
// driver pod, and executors so that all have the same number of pods.
type Fleet struct {
	Namespaces   int // 0 means 1
	Applications int
	Entries      int // of status.executorState, of each application
	Large        int // how many applications, spread evenly, have LargeEntries instead
	LargeEntries int
	Pods         int // drivers and executors together
	Extras       int // how many applications have a ConfigMap, a Service and an Event, too
	Existing     int // how many of the applications are there already
	Workers      int // requests at once, 0 means 4
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

// Create creates a fleet and returns when all is there. One application of each size is created by the API server; the
// others are copies of what it stored, written straight into etcd, which takes a hundredth of the time. Both must be on
// this machine: load is for test clusters only.
func Create(ctx context.Context, config *rest.Config, etcd string, fleet Fleet) (Result, error) {
	start := time.Now()
	for _, address := range []string{config.Host, etcd} {
		if err := fleet.check(address); err != nil {
			return Result{}, err
		}
	}
	l, err := newLoader(ctx, config, newStore(etcd), fleet)
	if err != nil {
		return Result{}, err
	}
	if err := l.createNamespaces(ctx); err != nil {
		return Result{}, err
	}
	large, ordinary, err := l.patterns(ctx)
	if err != nil {
		return Result{}, err
	}
	err = l.each(ctx, fleet.Applications-fleet.Existing, func(ctx context.Context, i int) error {
		i += fleet.Existing
		p := ordinary
		if fleet.isLarge(i) {
			p = large
		}
		for _, kv := range p.copyAs(i, l.fleet.Namespaces, i < fleet.Extras) {
			if err := l.store.put(ctx, kv); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		return Result{}, err
	}
	if err := l.remove(ctx, large, ordinary); err != nil {
		return Result{}, err
	}
	if err := l.complete(ctx); err != nil {
		return Result{}, err
	}
	return Result{Applications: fleet.Applications, Pods: fleet.Pods, Took: time.Since(start)}, nil
}

// complete fails if some of the fleet is missing: a controller may have taken it for garbage. There may be more, of a larger
// fleet before.
func (l *loader) complete(ctx context.Context) error {
	for prefix, want := range map[string]int{applicationKeys: l.fleet.Applications, podKeys: l.fleet.Pods} {
		got, err := l.store.count(ctx, prefix+"fleet-")
		if err != nil {
			return err
		}
		if got < want {
			return fmt.Errorf("of %d keys under %sfleet- etcd holds %d", want, prefix, got)
		}
	}
	return nil
}

// isLarge spreads the large applications, so that a fleet that grows keeps its share of them.
func (f *Fleet) isLarge(i int) bool { return f.Large > 0 && i%(f.Applications/f.Large) == 0 }

func (f *Fleet) podsEach() int {
	if f.Applications == 0 {
		return 0
	}
	return f.Pods / f.Applications
}

func (f *Fleet) check(server string) error {
	f.Namespaces, f.Workers = max(1, f.Namespaces), min(maxWorkers, f.Workers)
	if f.Workers <= 0 {
		f.Workers = 4
	}
	u, err := url.Parse(server)
	if err != nil {
		return fmt.Errorf("parsing an address: %w", err)
	}
	ip := net.ParseIP(u.Hostname())
	switch {
	case ip == nil || !ip.IsLoopback():
		return fmt.Errorf("server %q is not a loopback address", server)
	case f.Applications > maxApplications || f.Pods > maxPods:
		return fmt.Errorf("fleet is larger than %d applications or %d pods", maxApplications, maxPods)
	case f.Large > f.Applications:
		return fmt.Errorf("%d large applications are more than %d in all", f.Large, f.Applications)
	case f.Pods > 0 && f.Applications == 0, f.Applications > 0 && f.Pods%f.Applications != 0:
		return fmt.Errorf("%d pods cannot be spread evenly over %d applications", f.Pods, f.Applications)
	case f.Large > 0 && f.Applications%f.Large != 0:
		return fmt.Errorf("%d large applications cannot be spread evenly among %d", f.Large, f.Applications)
	case f.Namespaces > 1000:
		return fmt.Errorf("%d namespaces are more than 1000", f.Namespaces)
	}
	return nil
}

// loader holds the clients: protobuf for pods, JSON for the rest, neither limited.
type loader struct {
	fleet   Fleet
	typed   kubernetes.Interface
	dynamic dynamic.Interface
	store   store
	nodes   []string
}

func newLoader(ctx context.Context, config *rest.Config, etcd store, fleet Fleet) (*loader, error) {
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
	l := &loader{fleet: fleet, typed: typed, dynamic: json, store: etcd}
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

func (l *loader) createNamespaces(ctx context.Context) error {
	return l.each(ctx, l.fleet.Namespaces, func(ctx context.Context, i int) error {
		ns := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: namespaceOf(i, l.fleet.Namespaces)}}
		_, err := l.typed.CoreV1().Namespaces().Create(ctx, ns, metav1.CreateOptions{})
		if err != nil && !apierrors.IsAlreadyExists(err) {
			return fmt.Errorf("creating namespace %q: %w", ns.Name, err)
		}
		return l.waitForAccount(ctx, ns.Name)
	})
}
