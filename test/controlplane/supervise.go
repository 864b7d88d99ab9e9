package controlplane

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"strconv"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// NotKwok is the annotation of pods that kwok leaves alone, because their status comes from elsewhere:
// from the process that the bed runs behind an operator pod, or from the test that made the pod.
const NotKwok = "testbed.sparkdoctor.io/not-kwok"

// podProcess is the process of one operator pod.
type podProcess struct {
	process   *process
	pod       *corev1.Pod
	component string
	health    string // URL
	log       string // file, as a container runtime writes it
	serving   string // address of the webhook server, empty for the controller
	started   time.Time
	restarts  int32
	ready     bool
	over      bool // it was stopped, and its log is that of the container before
}

// supervise plays the kubelet for the operator's pods: a process starts with its pod, ends with it
// and is restarted when it dies. So rollouts, restarts and scaling are what they are in a cluster.
func (op *Operator) supervise(ctx context.Context) {
	defer close(op.done)
	tick := time.NewTicker(100 * time.Millisecond)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			// An error shows as a pod that does not become ready; the next tick tries again.
			_ = op.sync(ctx)
		}
	}
}

func (op *Operator) sync(ctx context.Context) error {
	pods, err := op.cp.Client.CoreV1().Pods(op.Namespace).List(ctx, metav1.ListOptions{
		LabelSelector: "app.kubernetes.io/instance=" + op.Release, ResourceVersion: "0",
	})
	if err != nil {
		return err
	}
	op.mu.Lock()
	defer op.mu.Unlock()
	alive := map[types.UID]bool{}
	for i := range pods.Items {
		pod := &pods.Items[i]
		if pod.DeletionTimestamp != nil || pod.Spec.NodeName == "" || pod.Annotations[NotKwok] == "" {
			continue
		}
		alive[pod.UID] = true
		if err := op.syncPod(ctx, pod); err != nil {
			return err
		}
	}
	for uid, p := range op.running {
		if alive[uid] {
			continue
		}
		delete(op.running, uid)
		op.route() // no new connection reaches a process that is about to end
		p.process.stop(3 * time.Second)
	}
	return nil
}

func (op *Operator) syncPod(ctx context.Context, pod *corev1.Pod) error {
	component := pod.Labels["app.kubernetes.io/component"]
	p := op.running[pod.UID]
	held := op.held[component]
	if held && p != nil && p.process.alive() {
		p.process.stop(3 * time.Second)
	}
	dead := p == nil || !p.process.alive()
	backedOff := p == nil || time.Since(p.started) > time.Second
	if !held && dead && backedOff {
		next, err := op.startPod(ctx, pod, p)
		if err != nil {
			return err
		}
		op.running[pod.UID], p = next, next
	}
	if p == nil {
		return nil
	}
	if held && !p.over { // while a kubelet waits to start a container again, it has no log but that of the one before
		if err := op.shareLog(ctx, pod, p.log, p.log); err != nil {
			return err
		}
		p.over = true
	}
	p.ready = p.process.alive() && (p.ready || answers(p.health))
	op.route()
	return op.reportPod(ctx, pod, p)
}

// route sends the webhook Service's connections to the processes that are ready.
func (op *Operator) route() {
	var backends []string
	for _, p := range op.running {
		if p.ready && p.process.alive() && p.serving != "" {
			backends = append(backends, p.serving)
		}
	}
	op.relay.SetBackends(backends...)
}

// startPod starts the process of a pod with what the chart put into the pod. Only addresses and
// directories that a container would have for itself are replaced.
func (op *Operator) startPod(ctx context.Context, pod *corev1.Pod, before *podProcess) (*podProcess, error) {
	ports, err := op.cp.ports.free(2)
	if err != nil {
		return nil, err
	}
	kubeconfig, err := op.cp.AccountKubeconfig(ctx, op.Namespace, pod.Spec.ServiceAccountName)
	if err != nil {
		return nil, err
	}
	container := pod.Spec.Containers[0]
	p := &podProcess{pod: pod, component: pod.Labels["app.kubernetes.io/component"], started: time.Now()}
	if before != nil {
		p.restarts = before.restarts + 1
	}
	local := map[string]string{"--health-probe-bind-address": fmt.Sprintf("127.0.0.1:%d", ports[0])}
	p.health = "http://" + local["--health-probe-bind-address"] + "/readyz"
	if p.component == webhook {
		p.serving = fmt.Sprintf("127.0.0.1:%d", ports[1])
		local["--webhook-port"] = strconv.Itoa(ports[1])
		local["--webhook-cert-dir"] = op.cp.file(pod.Name + "-certs")
		if err := op.forwardPort(ctx, pod, ports[1]); err != nil {
			return nil, err
		}
	}
	host, port, err := net.SplitHostPort(strings.TrimPrefix(op.cp.server, "https://"))
	if err != nil {
		return nil, fmt.Errorf("parsing the server's address: %w", err)
	}
	env := []string{
		"KUBECONFIG=" + kubeconfig, "SPARK_HOME=" + op.sparkHome(),
		"KUBERNETES_SERVICE_HOST=" + host, "KUBERNETES_SERVICE_PORT=" + port,
	}
	for _, e := range container.Env {
		if e.ValueFrom == nil {
			env = append(env, e.Name+"="+e.Value)
		}
	}
	p.log = op.cp.file(fmt.Sprintf("%s-%d.cri", pod.Name, p.restarts))
	previous := ""
	if before != nil {
		previous = before.log
	}
	if err := op.shareLog(ctx, pod, p.log, previous); err != nil {
		return nil, err
	}
	output, err := newCRILog(p.log)
	if err != nil {
		return nil, err
	}
	p.process, err = startLogged(op.cp.Dir, pod.Name, output, env, op.program(container.Image), localArgs(container.Args, local)...)
	if err != nil {
		return nil, err
	}
	return p, nil
}

// program is that of the image's version: during an upgrade pods of two releases run. An image with another tag is the
// newest.
func (op *Operator) program(image string) string {
	_, tag, _ := strings.Cut(image[strings.LastIndex(image, "/")+1:], ":")
	return orDefault(op.programs[tag], op.dir) + "/operator"
}

// localArgs replaces arguments that a container has for itself and adds those that are missing.
func localArgs(args []string, local map[string]string) []string {
	var out []string
	for _, arg := range args {
		name, _, _ := strings.Cut(arg, "=")
		switch {
		case local[name] != "":
		case name == "--metrics-bind-address", name == "--pprof-bind-address":
			out = append(out, name+"=127.0.0.1:0")
		default:
			out = append(out, arg)
		}
	}
	for name, value := range local {
		out = append(out, name+"="+value)
	}
	return out
}

func answers(url string) bool {
	client := http.Client{Timeout: time.Second}
	response, err := client.Get(url)
	if err != nil {
		return false
	}
	response.Body.Close()
	return response.StatusCode == http.StatusOK
}
