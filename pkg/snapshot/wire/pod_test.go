package wire

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/util/intstr"
	"sigs.k8s.io/randfill"
	"sigs.k8s.io/yaml"

	"github.com/sparkdoctor/kubectl-sparkdoctor/internal/allocated"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// requireAlike holds that a pod makes the same record from protobuf, from JSON, and by the types of k8s.io/api.
func requireAlike(t *testing.T, pod *corev1.Pod) *snapshot.Pod {
	t.Helper()
	src, _ := snapshot.SourceOf(snapshot.SparkPods)
	raw, err := pod.Marshal()
	require.NoError(t, err)
	text, err := json.Marshal(pod)
	require.NoError(t, err)
	var back corev1.Pod // what either encoding keeps of it: whole seconds, canonical quantities
	require.NoError(t, back.Unmarshal(raw))
	want := typedPod(&back, snapshot.Location{})
	var got snapshot.Pod
	for _, item := range []Item{{Encoding: snapshot.Protobuf, Raw: raw}, {Encoding: snapshot.JSON, Raw: text}} {
		r, err := Decode(src, item)
		require.NoError(t, err)
		p, ok := r.(*snapshot.Pod)
		require.True(t, ok)
		requireSamePod(t, &want, p)
		got = *p
	}
	return &got
}

func requireSamePod(t *testing.T, want, got *snapshot.Pod) {
	t.Helper()
	w, g := *want, *got
	require.Equal(t, labelsIn(w.Labels), labelsIn(g.Labels))
	w.Labels, g.Labels = snapshot.Labels{}, snapshot.Labels{}
	require.Equal(t, w, g)
}

func labelsIn(l snapshot.Labels) map[string]string {
	m := map[string]string{}
	for _, one := range l.Sorted() {
		m[one.Key] = one.Value
	}
	return m
}

// TestPodsOfFixtures goes through every pod of every fixture.
func TestPodsOfFixtures(t *testing.T) {
	pods := 0
	for _, dir := range []string{"../../checks", "../../../examples"} {
		require.NoError(t, filepath.WalkDir(dir, func(path string, entry os.DirEntry, err error) error {
			require.NoError(t, err)
			if entry.IsDir() || filepath.Ext(path) != ".yaml" {
				return nil
			}
			text, err := os.ReadFile(path)
			require.NoError(t, err)
			for doc := range strings.SplitSeq(string(text), "\n---") {
				for _, pod := range podsIn(t, doc) {
					pods++
					requireAlike(t, pod)
				}
			}
			return nil
		}))
	}
	require.Greater(t, pods, 100, "there are pods among the fixtures")
}

func podsIn(t *testing.T, doc string) []*corev1.Pod {
	t.Helper()
	var list struct {
		Kind  string
		Items []json.RawMessage
	}
	raw, err := yaml.YAMLToJSON([]byte(doc))
	if err != nil || json.Unmarshal(raw, &list) != nil {
		return nil // some fixtures are not meant to parse
	}
	var out []*corev1.Pod
	for _, item := range append(list.Items, raw) {
		var head struct{ Kind string }
		pod := new(corev1.Pod)
		if json.Unmarshal(item, &head) == nil && head.Kind == "Pod" && json.Unmarshal(item, pod) == nil {
			out = append(out, pod)
		}
	}
	return out
}

// filled makes a pod of which any field may be set.
func filledPod(f *randfill.Filler) *corev1.Pod {
	names := []string{
		"", "a", "b", "spark-kubernetes-driver", "spark-kubernetes-executor", "executor", "driver", "default-scheduler", "Exists", "memory",
		"ContainerCreating", "PodInitializing", "ImagePullBackOff", "kube-api-access-x7k2p",
		snapshot.RoleLabel, snapshot.ExecutorIDLabel, snapshot.AppNameLabel, snapshot.SubmissionIDLabel, snapshot.QueueOfVolcano,
		snapshot.QueueOfYuniKorn, "7", "-1", strings.Repeat("long", 64), strings.Repeat("é", 300), "é\u2028<&>",
	}
	amounts := []string{"0", "1", "1500m", "1Gi", "1024Mi", "1073741824", "1e3", "0.1", "-1", "9223372036854775807", "100P", "1n"}
	pod := new(corev1.Pod)
	f.NilChance(0.3).NumElements(0, 3).MaxDepth(9).Funcs(
		func(s *string, c randfill.Continue) { *s = names[c.Intn(len(names))] },
		func(q *resource.Quantity, c randfill.Continue) {
			*q = resource.MustParse(amounts[c.Intn(len(amounts))])
		},
		func(m *metav1.Time, c randfill.Continue) { *m = metav1.Unix(int64(c.Intn(1<<31)), int64(c.Intn(2))) },
		func(p *corev1.PodPhase, c randfill.Continue) {
			*p = []corev1.PodPhase{"", "Pending", "Running", "Succeeded", "Failed", "Unknown"}[c.Intn(6)]
		},
		func(p *corev1.PodConditionType, c randfill.Continue) {
			*p = []corev1.PodConditionType{"PodScheduled", "Ready", "ContainersReady", "DisruptionTarget"}[c.Intn(4)]
		},
		func(p *corev1.ConditionStatus, c randfill.Continue) {
			*p = []corev1.ConditionStatus{"True", "False", ""}[c.Intn(3)]
		},
		func(m *metav1.ManagedFieldsEntry, _ randfill.Continue) { *m = metav1.ManagedFieldsEntry{} },
		func(v *intstr.IntOrString, c randfill.Continue) { *v = intstr.FromInt32(int32(c.Intn(9))) }, //nolint:gosec // below 9
		func(m *corev1.ResourceList, c randfill.Continue) {
			*m = corev1.ResourceList{}
			for _, name := range []corev1.ResourceName{"cpu", "memory", "nvidia.com/gpu"} {
				if c.Bool() {
					(*m)[name] = resource.MustParse(amounts[c.Intn(len(amounts))])
				}
			}
		},
	).Fill(pod)
	if role := []string{"", "driver", "executor"}[len(pod.Spec.Containers)%3]; role != "" { // else nobody reads its spec
		pod.Labels = map[string]string{snapshot.RoleLabel: role, snapshot.ExecutorIDLabel: strconv.Itoa(len(pod.Spec.Volumes)),
			snapshot.AppNameLabel: pod.Name}
	}
	return pod
}

// TestAnyPod goes through pods at random: every field that is read is set in some and not in others.
func TestAnyPod(t *testing.T) {
	features, troubles := map[snapshot.Features]bool{}, map[string]bool{}
	for seed := range int64(400) {
		p := requireAlike(t, filledPod(randfill.NewWithSeed(seed)))
		features[p.Features] = true
		if p.Trouble != nil {
			troubles[string(appendProblem(nil, p.Trouble))] = true
		}
	}
	require.Greater(t, len(troubles), 100, "and so does what is wrong with them")
	require.Greater(t, len(features), 150, "the pods differ")
}

func FuzzAnyPod(f *testing.F) {
	f.Add([]byte("a pod"))
	f.Fuzz(func(t *testing.T, data []byte) { requireAlike(t, filledPod(randfill.NewFromGoFuzz(data))) })
}

// FuzzProtobufPod holds that whatever the types of k8s.io/api make sense of, once written as they write it, is read
// the same.
func FuzzProtobufPod(f *testing.F) {
	raw, err := executor(1).Marshal()
	require.NoError(f, err)
	f.Add(raw)
	for seed := range int64(20) {
		raw, err := filledPod(randfill.NewWithSeed(seed)).Marshal()
		require.NoError(f, err)
		f.Add(raw)
	}
	src, _ := snapshot.SourceOf(snapshot.SparkPods)
	hugeAmount := regexp.MustCompile(`[eE][+-]*[0-9]{4}`)
	f.Fuzz(func(t *testing.T, raw []byte) {
		defer allocated.Bound(t, len(raw))()
		_, _ = Decode(src, Item{Encoding: snapshot.Protobuf, Raw: raw})
		var pod corev1.Pod
		if hugeAmount.Match(raw) || pod.Unmarshal(raw) != nil { // the types of k8s.io/api do not come back from them
			return
		}
		canonical, err := pod.Marshal()
		require.NoError(t, err)
		want := typedPod(&pod, snapshot.Location{})
		got, err := Decode(src, Item{Encoding: snapshot.Protobuf, Raw: canonical})
		require.NoError(t, err)
		p, ok := got.(*snapshot.Pod)
		require.True(t, ok)
		requireSamePod(t, &want, p)
	})
}

// TestSharedRecordsDiffer holds that what one decoder shares among records does not leak from one to another.
func TestSharedRecordsDiffer(t *testing.T) {
	src, _ := snapshot.SourceOf(snapshot.SparkPods)
	d := NewDecoder()
	for seed := range int64(1500) {
		pod := filledPod(randfill.NewWithSeed(seed % 700))
		raw, err := pod.Marshal()
		require.NoError(t, err)
		var back corev1.Pod
		require.NoError(t, back.Unmarshal(raw))
		want := typedPod(&back, snapshot.Location{})
		got, err := d.Decode(src, Item{Encoding: snapshot.Protobuf, Raw: raw})
		require.NoError(t, err)
		p, ok := got.(*snapshot.Pod)
		require.True(t, ok)
		requireSamePod(t, &want, p)
	}
}

func BenchmarkDecodePod(b *testing.B) {
	src, _ := snapshot.SourceOf(snapshot.SparkPods)
	pod := executor(1)
	raw, err := pod.Marshal()
	require.NoError(b, err)
	text, err := json.Marshal(pod)
	require.NoError(b, err)
	for name, item := range map[string]Item{"protobuf": {Encoding: snapshot.Protobuf, Raw: raw},
		"json": {Encoding: snapshot.JSON, Raw: text}} {
		b.Run(name, func(b *testing.B) {
			d := NewDecoder()
			b.SetBytes(int64(len(item.Raw)))
			b.ReportAllocs()
			for b.Loop() {
				if _, err := d.Decode(src, item); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func TestHugeAmounts(t *testing.T) {
	_, err := Decode(snapshot.Source{View: snapshot.SparkPods},
		Item{Raw: []byte(`{"metadata":{"name":"p"},"spec":{"containers":[{"resources":{"requests":{"cpu":"1e1000000000"}}}]}}`)})
	require.EqualError(t, err, `"1e1000000000" is no amount that can be`)
}
