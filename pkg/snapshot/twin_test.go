package snapshot

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
)

// decodeAfter decodes a pod with a decoder that has just read another.
func decodeAfter(t *testing.T, before, raw []byte) (Pod, error) {
	t.Helper()
	src, _ := SourceOf(SparkPods)
	d := NewDecoder()
	if before != nil {
		_, err := d.Decode(src, Item{Encoding: Protobuf, Raw: before})
		require.NoError(t, err)
	}
	r, err := d.Decode(src, Item{Encoding: Protobuf, Raw: raw})
	if err != nil {
		return Pod{}, err
	}
	p, ok := r.(*Pod)
	require.True(t, ok)
	return *p, nil
}

// requireNoTwin holds that what was read before changes nothing.
func requireNoTwin(t *testing.T, before, raw []byte) {
	t.Helper()
	want, wantErr := decodeAfter(t, nil, raw)
	got, err := decodeAfter(t, before, raw)
	require.Equal(t, wantErr, err)
	requireSamePod(t, &want, &got)
}

// TestExecutorsAreTwins holds that executors that differ where real ones do are not read again, and that whatever else
// differs is.
func TestExecutorsAreTwins(t *testing.T) {
	marshal := func(change func(*corev1.Pod)) []byte {
		pod := executor(12)
		change(pod)
		raw, err := pod.Marshal()
		require.NoError(t, err)
		return raw
	}
	first, err := executor(11).Marshal()
	require.NoError(t, err)
	d, src := NewDecoder(), Source{View: SparkPods}
	used := func(raw []byte) bool {
		before := d.twins.last
		_, err := d.Decode(src, Item{Encoding: Protobuf, Raw: raw})
		require.NoError(t, err)
		return d.twins.last == before
	}
	require.False(t, used(first))
	require.True(t, used(marshal(func(p *corev1.Pod) {
		p.Spec.NodeName, p.Spec.Hostname, p.Spec.ServiceAccountName = "a-node-of-another-length", "h", "spark"
	})))
	for name, change := range map[string]func(*corev1.Pod){
		"a name of a variable": func(p *corev1.Pod) { p.Spec.Containers[0].Env[3].Name = "VARIABLE_X" },
		"a volume":             func(p *corev1.Pod) { p.Spec.Volumes[2].Name = "volume-x" },
		"one volume less":      func(p *corev1.Pod) { p.Spec.Volumes = p.Spec.Volumes[:4] },
		"a second container":   func(p *corev1.Pod) { p.Spec.Containers = append(p.Spec.Containers, corev1.Container{Name: "sidecar"}) },
		"memory":               func(p *corev1.Pod) { p.Spec.Containers[0].Resources = corev1.ResourceRequirements{} },
		"the host's network":   func(p *corev1.Pod) { p.Spec.HostNetwork = true },
		"a toleration":         func(p *corev1.Pod) { p.Spec.Tolerations[0].Key = "example.com/pool-x" },
		"the role":             func(p *corev1.Pod) { p.Labels[RoleLabel] = "driver" },
	} {
		raw := marshal(change)
		require.False(t, used(raw), name)
		requireNoTwin(t, first, raw)
	}
}

// FuzzTwins changes a few bytes of an executor, anywhere.
func FuzzTwins(f *testing.F) {
	first, err := executor(11).Marshal()
	require.NoError(f, err)
	second, err := executor(12).Marshal()
	require.NoError(f, err)
	f.Add(0, []byte{})
	for at := 0; at < len(second); at += 7 {
		f.Add(at, []byte{'x'})
	}
	f.Fuzz(func(t *testing.T, at int, change []byte) {
		raw := slices.Clone(second)
		copy(raw[uint(at)%uint(len(raw)):], change) //nolint:gosec // any place will do
		requireNoTwin(t, first, raw)
	})
}
