package load

import (
	"context"
	"fmt"
	"slices"
	"time"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime"
	"k8s.io/apimachinery/pkg/runtime/serializer/protobuf"
	"k8s.io/client-go/kubernetes/scheme"
)

// AgePod makes a pod older: it writes another creationTimestamp to where the API server stores the pod. The API server
// itself lets nobody change it, and no test can wait for hours.
func AgePod(ctx context.Context, etcd, namespace, name string, by time.Duration) error {
	s, key := newStore(etcd), "/registry/pods/"+namespace+"/"+name
	found, err := s.under(ctx, key)
	if err != nil {
		return err
	}
	at := slices.IndexFunc(found, func(kv keyValue) bool { return string(kv.Key) == key })
	if at < 0 {
		return fmt.Errorf("pod %q is not stored", name)
	}
	object, _, err := scheme.Codecs.UniversalDeserializer().Decode(found[at].Value, nil, nil)
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
	return s.put(ctx, keyValue{Key: []byte(key), Value: text})
}
