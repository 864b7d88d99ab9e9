package controlplane

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	"k8s.io/client-go/kubernetes/scheme"
)

// AgePod makes a pod older: it writes another creationTimestamp to where the API server stores the pod. The API server
// itself lets nobody change it, and no test can wait for hours.
func (cp *ControlPlane) AgePod(ctx context.Context, namespace, name string, by time.Duration) error {
	key := []byte("/registry/pods/" + namespace + "/" + name)
	var found struct{ KVs []struct{ Value []byte } }
	if err := cp.askEtcd(ctx, "range", map[string][]byte{"key": key}, &found); err != nil {
		return err
	}
	if len(found.KVs) != 1 {
		return fmt.Errorf("pod %q is stored %d times", name, len(found.KVs))
	}
	object, _, err := scheme.Codecs.UniversalDeserializer().Decode(found.KVs[0].Value, nil, nil)
	if err != nil {
		return fmt.Errorf("decoding the stored pod %q: %w", name, err)
	}
	pod, ok := object.(*corev1.Pod)
	if !ok {
		return fmt.Errorf("stored as pod %q is a %T", name, object)
	}
	pod.CreationTimestamp = metav1.NewTime(pod.CreationTimestamp.Add(-by))
	encoder := scheme.Codecs.EncoderForVersion(protobuf.NewSerializer(scheme.Scheme, scheme.Scheme), corev1.SchemeGroupVersion)
	text, err := runtime.Encode(encoder, pod)
	if err != nil {
		return fmt.Errorf("encoding pod %q: %w", name, err)
	}
	return cp.askEtcd(ctx, "put", map[string][]byte{"key": key, "value": text}, &struct{}{})
}

// askEtcd makes a request to etcd's JSON gateway, where bytes are base64 as encoding/json has them
// (etcd.io/docs/v3.6/dev-guide/api_grpc_gateway).
func (cp *ControlPlane) askEtcd(ctx context.Context, method string, body map[string][]byte, answer any) error {
	text, err := json.Marshal(body)
	if err != nil {
		return fmt.Errorf("encoding a request to etcd: %w", err)
	}
	request, err := http.NewRequestWithContext(ctx, http.MethodPost, cp.etcd+"/v3/kv/"+method, bytes.NewReader(text))
	if err != nil {
		return fmt.Errorf("making a request to etcd: %w", err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		return fmt.Errorf("asking etcd: %w", err)
	}
	defer response.Body.Close()
	got, err := io.ReadAll(response.Body)
	if err != nil {
		return fmt.Errorf("reading etcd's answer: %w", err)
	}
	if response.StatusCode != http.StatusOK {
		return fmt.Errorf("asking etcd: %s: %s", response.Status, got)
	}
	if err := json.Unmarshal(got, answer); err != nil {
		return fmt.Errorf("decoding etcd's answer: %w", err)
	}
	return nil
}
