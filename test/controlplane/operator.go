package controlplane

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"
	corev1 "k8s.io/api/core/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/build"
	"github.com/sparkdoctor/kubectl-sparkdoctor/test/relay"
)

// Components of the operator, as the chart labels them.
const (
	controller = "controller"
	webhook    = "webhook"
)

// chartWebhookPort is webhook.port of values.yaml@v2.2.1 to v2.5.2.
const chartWebhookPort = 9443

// OperatorOptions say which release is installed, where and how.
type OperatorOptions struct {
	Version       string         // such as "2.5.1"; required
	Release       string         // Helm's release, "spark-operator" if empty
	Namespace     string         // of the release, "spark-operator" if empty
	JobNamespaces []string       // created if missing; none means the chart's own, default; "" means all
	Values        map[string]any // of the chart; they win over what the bed sets
}

// Operator is one installed release. Its objects are the chart's own; behind each of its pods runs
// one process of the real program, with the pod's arguments and its service account's rights.
type Operator struct {
	Version   string
	Release   string
	Namespace string

	cp            *ControlPlane
	dir           string            // program and chart
	programs      map[string]string // directories by version, of all that it has been
	jobNamespaces []string
	relay         *relay.Relay // stands in for the route from the webhook Service to its pods; nil where these run on a real node
	cancel        context.CancelFunc
	done          chan struct{}

	mu      sync.Mutex
	running map[types.UID]*podProcess
	held    map[string]bool // components whose processes are kept down
}

// InstallOperator installs the unmodified chart of a release with Helm, runs its programs and
// returns when SparkApplications are admitted.
func (cp *ControlPlane) InstallOperator(ctx context.Context, opts OperatorOptions) (*Operator, error) {
	op := cp.operator(opts)
	if err := op.install(ctx, opts.Values); err != nil {
		return nil, fmt.Errorf("installing operator %s: %w", opts.Version, err)
	}
	return op, nil
}

// RunOperator runs the programs of some releases behind the pods of a release that the caller installs, upgrades and rolls
// back itself, with op.Values. Pods of another release have no program.
func (cp *ControlPlane) RunOperator(ctx context.Context, opts OperatorOptions, others ...string) (*Operator, error) {
	op := cp.operator(opts)
	for _, version := range append(others, opts.Version) {
		if err := op.become(ctx, version); err != nil {
			return nil, fmt.Errorf("building operator %s: %w", version, err)
		}
	}
	if err := cp.builder.Local(ctx, sparkSubmitPackage, op.sparkSubmit()); err != nil {
		return nil, err
	}
	if err := op.playKubelet(ctx, webhookPort(opts.Values)); err != nil {
		return nil, fmt.Errorf("running the operator's programs: %w", err)
	}
	return op, nil
}

func (cp *ControlPlane) operator(opts OperatorOptions) *Operator {
	return &Operator{
		Version:       opts.Version,
		Release:       orDefault(opts.Release, "spark-operator"),
		Namespace:     orDefault(opts.Namespace, "spark-operator"),
		cp:            cp,
		jobNamespaces: opts.JobNamespaces,
		programs:      map[string]string{},
		running:       map[types.UID]*podProcess{},
		held:          map[string]bool{},
	}
}

func (op *Operator) install(ctx context.Context, values map[string]any) (err error) {
	if err := op.become(ctx, op.Version); err != nil {
		return err
	}
	var group errgroup.Group
	if !op.cp.opts.NodeJoins { // there it is in the image
		group.Go(func() error { return op.cp.builder.Local(ctx, sparkSubmitPackage, op.sparkSubmit()) })
	}
	group.Go(func() error {
		if op.cp.opts.CRDs == op.Version {
			return nil
		}
		return op.cp.InstallCRDs(ctx, op.Version)
	})
	if err := group.Wait(); err != nil {
		return err
	}
	for _, ns := range op.jobNamespaces {
		if ns == "" {
			continue // the chart's word for all namespaces
		}
		if err := op.cp.CreateNamespace(ctx, ns); err != nil {
			return err
		}
	}
	if !op.cp.opts.NodeJoins {
		if err := op.playKubelet(ctx, webhookPort(values)); err != nil {
			return err
		}
	}
	if err := op.helmInstall(ctx, values); err != nil {
		return err
	}
	return op.WaitUntilReady(ctx)
}

// playKubelet runs the programs of the operator's pods from now on.
func (op *Operator) playKubelet(ctx context.Context, webhookPort int) (err error) {
	if op.relay, err = relay.Start(op.cp.address, webhookPort); err != nil {
		return err
	}
	supervised, cancel := context.WithCancel(context.WithoutCancel(ctx))
	op.cancel, op.done = cancel, make(chan struct{})
	op.cp.mu.Lock()
	op.cp.operators = append(op.cp.operators, op)
	op.cp.mu.Unlock()
	go op.supervise(supervised)
	return nil
}

// helmInstall runs Helm as a person would.
func (op *Operator) helmInstall(ctx context.Context, values map[string]any) error {
	all := op.Values()
	if len(op.jobNamespaces) > 0 {
		all["spark"] = map[string]any{"jobNamespaces": op.jobNamespaces}
	}
	Merge(all, values)
	text, err := json.Marshal(all)
	if err != nil {
		return fmt.Errorf("encoding chart values: %w", err)
	}
	if err := os.WriteFile(op.values(), text, 0o600); err != nil {
		return fmt.Errorf("writing chart values: %w", err)
	}
	out, err := op.cp.Helm(ctx, "install", op.Release, op.Chart(), "--namespace", op.Namespace,
		"--create-namespace", "--no-hooks", "--skip-crds", "--values", op.values())
	if err != nil {
		return fmt.Errorf("running helm install: %w\n%s", err, out)
	}
	return nil
}

// Render returns what `helm template` writes for another release with the values of the installation.
func (op *Operator) Render(ctx context.Context, version string) (string, error) {
	chart, err := build.OperatorChart(ctx, version)
	if err != nil {
		return "", err
	}
	out, err := op.cp.Helm(ctx, "template", op.Release, chart, "--namespace", op.Namespace, "--values", op.values())
	if err != nil {
		return "", fmt.Errorf("running helm template: %w\n%s", err, out)
	}
	return out, nil
}

// become builds a version and makes it the one that Helm installs next.
func (op *Operator) become(ctx context.Context, version string) error {
	dir, err := op.cp.builder.Operator(ctx, version)
	if err != nil {
		return err
	}
	op.mu.Lock()
	defer op.mu.Unlock()
	op.Version = version
	op.dir = dir
	op.programs[version] = dir
	return nil
}

// Upgrade runs `helm upgrade` to another release with the values of the installation, and returns when its rollout is over
// and SparkApplications are admitted. The CRDs stay as they are, which is how Helm leaves them.
func (op *Operator) Upgrade(ctx context.Context, version string) error {
	if err := op.become(ctx, version); err != nil {
		return err
	}
	out, err := op.cp.Helm(ctx, "upgrade", op.Release, op.Chart(), "--namespace", op.Namespace, "--values", op.values())
	if err != nil {
		return fmt.Errorf("running helm upgrade to %s: %w\n%s", version, err, out)
	}
	return op.WaitUntilReady(ctx)
}

// Runs reports whether pods of a release have a program.
func (op *Operator) Runs(version string) bool {
	op.mu.Lock()
	defer op.mu.Unlock()
	return op.programs[version] != ""
}

// Helm runs helm against the cluster and returns its output.
func (cp *ControlPlane) Helm(ctx context.Context, args ...string) (string, error) {
	dir, err := cp.builder.Helm(ctx)
	if err != nil {
		return "", err
	}
	cmd := exec.CommandContext(ctx, dir+"/helm", args...)
	cmd.Env = append(os.Environ(), "KUBECONFIG="+cp.admin,
		"HELM_CACHE_HOME="+cp.file("helm"), "HELM_CONFIG_HOME="+cp.file("helm"), "HELM_DATA_HOME="+cp.file("helm"))
	out, err := cmd.CombinedOutput()
	return string(out), err
}

// Chart returns the directory of the release's chart, for `helm upgrade`.
func (op *Operator) Chart() string { return filepath.Join(op.dir, "chart") }

func (op *Operator) sparkHome() string { return op.cp.file("spark") }

func (op *Operator) sparkSubmit() string { return filepath.Join(op.sparkHome(), "bin", "spark-submit") }

// stop ends the programs; the objects stay.
func (op *Operator) stop() {
	op.cancel()
	<-op.done
	op.mu.Lock()
	defer op.mu.Unlock()
	for uid, p := range op.running {
		p.process.stop(2 * time.Second)
		delete(op.running, uid)
	}
	op.relay.Close()
	op.removeTemplates()
}

// removeTemplates removes the pod templates that the operator wrote to its fixed place and would
// have removed with their applications.
func (op *Operator) removeTemplates() {
	text, err := os.ReadFile(filepath.Join(op.sparkHome(), "templates"))
	if err != nil {
		return // nothing was submitted
	}
	for template := range strings.Lines(string(text)) {
		dir := filepath.Dir(template)
		if filepath.Dir(dir) == "/tmp/spark" {
			_ = os.RemoveAll(dir)
		}
	}
}

// CreateNamespace creates a namespace if it is missing and waits for its service account, without
// which no pod can be created in it.
func (cp *ControlPlane) CreateNamespace(ctx context.Context, name string) error {
	ns := &corev1.Namespace{ObjectMeta: metav1.ObjectMeta{Name: name}}
	_, err := cp.Client.CoreV1().Namespaces().Create(ctx, ns, metav1.CreateOptions{})
	if err != nil && !apierrors.IsAlreadyExists(err) {
		return fmt.Errorf("creating namespace %q: %w", name, err)
	}
	return Until(ctx, 30*time.Second, "the service account of namespace "+name, func(ctx context.Context) (bool, error) {
		_, err := cp.Client.CoreV1().ServiceAccounts(name).Get(ctx, "default", metav1.GetOptions{})
		return err == nil, err
	})
}

func orDefault(s, fallback string) string {
	if s == "" {
		return fallback
	}
	return s
}
