package record

import (
	"bytes"
	"compress/gzip"
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// file is one file of the dump and the arguments of the `kubectl get` that gave it.
type file struct{ name, args string }

// files leave out what every namespace of every cluster has, and keep the one large application apart.
func files() []file {
	return []file{
		{"sparkapplications.yaml", "sparkapplications -A --field-selector metadata.name!=clickstream"},
		{"sparkapplication-clickstream.yaml.gz", "sparkapplications -A --field-selector metadata.name=clickstream"},
		{"scheduledsparkapplications.yaml", "scheduledsparkapplications -A"},
		{"pods.yaml", "pods -A"},
		{"services.yaml", "services -A"},
		{"configmaps.yaml", "configmaps -A --field-selector metadata.name!=kube-root-ca.crt,metadata.namespace!=kube-system"},
		{"events.yaml", "events -A"},
		{"deployments.yaml", "deployments -A"},
		{"endpointslices.yaml", "endpointslices -A"},
		{"mutatingwebhookconfigurations.yaml", "mutatingwebhookconfigurations"},
		{"validatingwebhookconfigurations.yaml", "validatingwebhookconfigurations"},
		{"workflows.yaml", "workflows -A"},
		{"workflowtemplates.yaml", "workflowtemplates -A"},
	}
}

func (r *recorder) dump(ctx context.Context, dir string) error {
	clean, err := r.cleaner(ctx)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return fmt.Errorf("creating the example's directory: %w", err)
	}
	for _, f := range files() {
		text, err := r.kubectl(ctx, "", append([]string{"get", "-o", "yaml"}, strings.Fields(f.args)...)...)
		if err != nil {
			return err
		}
		if text, err = clean.clean(text); err != nil {
			return fmt.Errorf("cleaning %s: %w", f.name, err)
		}
		if filepath.Ext(f.name) == ".gz" {
			if text, err = compressed(text); err != nil {
				return fmt.Errorf("compressing %s: %w", f.name, err)
			}
		}
		if err := os.WriteFile(filepath.Join(dir, f.name), text, 0o644); err != nil {
			return fmt.Errorf("writing the example: %w", err)
		}
		r.say("%s: %d bytes", f.name, len(text))
	}
	return nil
}

// cleaner learns the name and the addresses of this machine.
func (r *recorder) cleaner(ctx context.Context) (cleaner, error) {
	pods, err := r.cp.Client.CoreV1().Pods(r.op.Namespace).List(ctx, metav1.ListOptions{})
	if err != nil {
		return cleaner{}, fmt.Errorf("listing the operator's pods: %w", err)
	}
	if len(pods.Items) == 0 {
		return cleaner{}, fmt.Errorf("namespace %q has no pod to take this machine's address from", r.op.Namespace)
	}
	host, err := os.Hostname()
	if err != nil {
		return cleaner{}, fmt.Errorf("reading this machine's name: %w", err)
	}
	return cleaner{host: host, address: pods.Items[0].Status.HostIP, server: r.cp.RESTConfig().Host}, nil
}

func compressed(text []byte) ([]byte, error) {
	var b bytes.Buffer
	w, err := gzip.NewWriterLevel(&b, gzip.BestCompression)
	if err != nil {
		return nil, err
	}
	if _, err := w.Write(text); err != nil {
		return nil, err
	}
	if err := w.Close(); err != nil {
		return nil, err
	}
	return b.Bytes(), nil
}
