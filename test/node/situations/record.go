package situations

import (
	"bytes"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"sigs.k8s.io/yaml"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/build"
)

// Recording says of what and when a recording is: situation.yaml beside the rest.
type Recording struct {
	Situation string    `json:"situation"`
	Kubelet   string    `json:"kubelet"`  // such as v1.36.3
	Operator  string    `json:"operator"` // such as 2.5.2
	Taken     time.Time `json:"taken"`
	Steps     []string  `json:"steps"` // what was done and waited for
}

// Files of a recording.
const (
	archiveFile   = "snapshot.tar.gz" // of kubectl sparkdoctor snapshot: what it would scan
	objectsFile   = "objects.yaml"    // what kubectl get says of the namespace
	recordingFile = "situation.yaml"
	logsDir       = "logs"
)

// lastLines bounds what is kept of a container's log.
const lastLines = 60

// recorded are the kinds that are kept as plain YAML. Secrets are not.
const recorded = "sparkapplications.sparkoperator.k8s.io,pods,services,configmaps,persistentvolumeclaims,resourcequotas,events"

// Record keeps what the cluster holds of a situation, in a directory of its name.
func (b Bed) Record(ctx context.Context, s Situation, dir string) error {
	to := filepath.Join(dir, s.Name)
	if err := os.RemoveAll(to); err != nil {
		return fmt.Errorf("removing the last recording: %w", err)
	}
	if err := os.MkdirAll(filepath.Join(to, logsDir), 0o755); err != nil {
		return fmt.Errorf("creating the recording's directory: %w", err)
	}
	// Each snapshot would wait for a minute if anything is absent in another situation.
	if _, err := b.run(ctx, b.Binary, "snapshot", "-n", s.Name, "--logs", "--allow-incomplete", "--confirm-after", "0s", "-o",
		filepath.Join(to, archiveFile)); err != nil {
		return err
	}
	objects, err := b.kubectl(ctx, "get", recorded, "-n", s.Name, "-o", "yaml")
	if err != nil {
		return err
	}
	if objects, err = firstOfEach(objects); err != nil {
		return err
	}
	if err := write(filepath.Join(to, objectsFile), objects); err != nil {
		return err
	}
	if err := b.recordLogs(ctx, s.Name, filepath.Join(to, logsDir)); err != nil {
		return err
	}
	r := Recording{Situation: s.Name, Kubelet: build.KubernetesVersion, Operator: b.Operator, Taken: time.Now().UTC().Truncate(time.Second)}
	for _, step := range s.Steps {
		r.Steps = append(r.Steps, step.Name)
	}
	text, err := yaml.Marshal(r)
	if err != nil {
		return fmt.Errorf("encoding a recording: %w", err)
	}
	return write(filepath.Join(to, recordingFile), text)
}

// fewAlike is how many objects of a kind are kept as plain YAML, and how many pods' logs: executors that fail over and over do so alike.
// The archive holds all.
const fewAlike = 6

// firstOfEach leaves out what is more than that of a List, but of events, which differ.
func firstOfEach(list []byte) ([]byte, error) {
	var o map[string]any
	if err := yaml.Unmarshal(list, &o); err != nil {
		return nil, fmt.Errorf("decoding a list: %w", err)
	}
	items, _ := o["items"].([]any)
	seen, kept := map[any]int{}, []any{}
	for _, item := range items {
		object, _ := item.(map[string]any)
		kind := object["kind"]
		if seen[kind]++; seen[kind] <= fewAlike || kind == "Event" && seen[kind] <= 5*fewAlike {
			kept = append(kept, item)
		}
	}
	o["items"] = kept
	text, err := yaml.Marshal(o)
	if err != nil {
		return nil, fmt.Errorf("encoding a list: %w", err)
	}
	return text, nil
}

// recordLogs keeps the ends of the logs of containers that ran. The API server has none of the others.
func (b Bed) recordLogs(ctx context.Context, namespace, dir string) error {
	pods, err := b.Cluster.Client.CoreV1().Pods(namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		return fmt.Errorf("listing pods: %w", err)
	}
	for i := range pods.Items[:min(len(pods.Items), fewAlike)] {
		pod := &pods.Items[i]
		for _, c := range statuses(pod) {
			if c.State.Waiting != nil || c.ContainerID == "" {
				continue
			}
			text, err := b.Cluster.Client.CoreV1().Pods(namespace).GetLogs(pod.Name, &corev1.PodLogOptions{Container: c.Name,
				TailLines: new(int64(lastLines))}).DoRaw(ctx)
			if err != nil {
				text = []byte("not to be had: " + err.Error() + "\n") // which a kubelet says of containers that it has removed
			}
			if len(text) == 0 {
				continue
			}
			if err := write(filepath.Join(dir, strings.Join([]string{namespace, pod.Name, c.Name}, "_")+".log"), text); err != nil {
				return err
			}
		}
	}
	return nil
}

// write leaves out the name of this machine, which components put into their identities.
func write(path string, text []byte) error {
	host, err := os.Hostname()
	if err != nil {
		return fmt.Errorf("reading this machine's name: %w", err)
	}
	text = bytes.ReplaceAll(text, []byte("default-scheduler-"+host), []byte("default-scheduler-control-plane"))
	text = bytes.ReplaceAll(text, []byte(strings.TrimSpace(host)+"_"), []byte("control-plane_"))
	if err := os.WriteFile(path, text, 0o644); err != nil {
		return fmt.Errorf("keeping a recording: %w", err)
	}
	return nil
}
