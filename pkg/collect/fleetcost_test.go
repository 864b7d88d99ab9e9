package collect

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	k8sruntime "k8s.io/apimachinery/pkg/runtime"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/input"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot/wire"
)

// costlyFleet is applications with nine executors each, one application in a hundred with a large status.
func costlyFleet(applications int) []k8sruntime.Object {
	var out []k8sruntime.Object
	for i := range applications {
		name := fmt.Sprintf("app-%05d", i)
		app := application(name, "team-a")
		entries, count := map[string]any{}, 4
		if i%100 == 0 {
			count = 3000
		}
		for k := range count {
			entries[fmt.Sprintf("%s-8f1d2c9b7a6e5f40-exec-%d", name, k+1)] = "COMPLETED"
		}
		app.Object["status"] = map[string]any{"submissionID": "s-" + name, "executorState": entries}
		out = append(out, app)
		for k := range 10 {
			p := pod(fmt.Sprintf("%s-8f1d2c9b7a6e5f40-exec-%d", name, k), "team-a")
			p.Labels = map[string]string{snapshot.LaunchedByLabel: "true", snapshot.AppNameLabel: name, snapshot.SubmissionIDLabel: "s-" + name,
				snapshot.RoleLabel: "executor", snapshot.ExecutorIDLabel: fmt.Sprint(k), "team": "data", "spark-version": "3.5.5"}
			p.OwnerReferences = []metav1.OwnerReference{owner("sparkoperator.k8s.io/v1beta2", "SparkApplication", name)}
			c := corev1.Container{Name: "spark-kubernetes-executor", Image: "registry.invalid/spark:3.5.5"}
			for e := range 12 {
				c.Env = append(c.Env, corev1.EnvVar{Name: fmt.Sprintf("VARIABLE_%d", e), Value: "a value of ordinary length"})
			}
			p.Spec.Containers = []corev1.Container{c}
			out = append(out, p)
		}
	}
	return out
}

// TestFleetCost holds what a scan costs the server and this machine, in requests, bytes and memory: never in time.
func TestFleetCost(t *testing.T) {
	const applications, pods = 300, 3000
	server := newServer(t, costlyFleet(applications)...)
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	s, again, err := Cluster(t.Context(), connected(t, server.config()),
		ClusterOptions{Needs: need(snapshot.SparkApplications, snapshot.SparkPods, snapshot.Owners), Now: time.Now})
	require.NoError(t, err)
	runtime.GC() // moves what pools hold aside
	runtime.GC() // and frees it
	runtime.ReadMemStats(&after)
	require.Len(t, s.SparkApplications(), applications)
	require.Len(t, s.SparkPods(), pods)

	costs := map[string]Cost{}
	for _, c := range again.Costs() {
		costs[c.Of] = c
	}
	require.Equal(t, 2, costs[string(snapshot.SparkPods)].Requests, "500 pods, and then the rest")
	require.Equal(t, 1, costs[string(snapshot.SparkApplications)].Requests)
	require.Zero(t, costs[string(snapshot.Owners)].Requests, "every owner is held already")
	require.Equal(t, 5, len(server.requests)+2, "nothing is asked for one object at a time; discovery takes two")

	var sent int64
	for _, o := range server.objects {
		if p, ok := o.(*corev1.Pod); ok {
			sent += int64(p.Size())
		}
	}
	received := costs[string(snapshot.SparkPods)].Bytes
	require.InEpsilon(t, sent, received, 0.05, "pods come as protobuf, each once")

	kept := int(after.HeapAlloc) - int(before.HeapAlloc) //nolint:gosec // of this process
	t.Logf("%d bytes kept, %d a pod", kept, kept/pods)
	require.Less(t, kept, 800*pods, "with its share of connections, discovery and applications")
	runtime.KeepAlive(s)
}

// TestListingAllocates holds what reading a listing allocates for an item, whatever it keeps.
func TestListingAllocates(t *testing.T) {
	const pods = 2000
	list := &corev1.PodList{}
	for _, o := range costlyFleet(pods / 10) {
		if p, ok := o.(*corev1.Pod); ok {
			list.Items = append(list.Items, *p)
		}
	}
	raw, err := list.Marshal()
	require.NoError(t, err)
	body := string(appendField(protobufHead(), 2, raw))
	src, _ := snapshot.SourceOf(snapshot.SparkPods)
	d, batch := wire.NewDecoder(), &snapshot.Batch{}
	each := testing.AllocsPerRun(3, func() {
		batch.Reset()
		r := newListReader(new(input.Budget))
		_, err := r.read(strings.NewReader(body), podList(), func(string) {}, func(enc snapshot.Encoding, raw []byte) error {
			r, err := d.Decode(src, wire.Item{Encoding: enc, Raw: raw})
			if err == nil {
				batch.Add(src.View, r)
			}
			return err
		})
		require.NoError(t, err)
		require.Equal(t, pods, batch.Len())
	}) / pods
	t.Logf("%.2f allocations a pod", each)
	require.Less(t, each, 1.5)
}

// TestEventsCost holds that of five thousand events only those are sent that a check may read, in one listing.
func TestEventsCost(t *testing.T) {
	var events []k8sruntime.Object
	var read, all int64
	for i := range 5000 {
		reason, kind := "Pulled", "Normal"
		switch {
		case i%500 == 0:
			reason, kind = snapshot.FailedMount, "Warning"
		case i%5 == 0:
			reason, kind = []string{"BackOff", "Unhealthy", "FailedScheduling", "SparkExecutorFailed"}[i/5%4], "Warning"
		}
		e := event(fmt.Sprint("e", i), kind, reason)
		all += int64(e.Size())
		if snapshot.EventIsRead(reason) {
			read += int64(e.Size())
		}
		events = append(events, e)
	}
	server := newServer(t, events...)
	s, again, err := Cluster(t.Context(), connected(t, server.config()), ClusterOptions{Needs: need(snapshot.WarningEvents), Now: time.Now})
	require.NoError(t, err)
	require.Len(t, s.WarningEvents(), 10)
	require.Equal(t, 1, server.asked("/api/v1/events"))
	for _, c := range again.Costs() {
		if c.Of == string(snapshot.WarningEvents) {
			t.Logf("%d bytes of %d, %d of them read", c.Bytes, all, read)
			require.Less(t, c.Bytes, read+1000)
		}
	}
}

// TestUndecodableObjectsCostTheSameEach holds that twice as many objects which cannot be decoded take twice as much of a scan of a
// cluster, what the server of the test takes with it, and that they are counted.
func TestUndecodableObjectsCostTheSameEach(t *testing.T) {
	allocated := func(n int) float64 {
		var list []k8sruntime.Object
		for i := range n {
			app := application(fmt.Sprintf("app-%05d", i), "team-a")
			app.Object["spec"] = map[string]any{"driver": int64(7)}
			list = append(list, app)
		}
		server := newServer(t, list...)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		s, _, err := Cluster(t.Context(), connected(t, server.config()),
			ClusterOptions{Needs: need(snapshot.SparkApplications, snapshot.SparkPods, snapshot.Owners), Now: time.Now})
		require.NoError(t, err)
		runtime.ReadMemStats(&after)
		unseen := s.Coverage(snapshot.SparkApplications).Unseen
		require.Equal(t, n, snapshot.Unseens(unseen))
		require.Less(t, len(unseen), 20)
		return float64(after.TotalAlloc - before.TotalAlloc)
	}
	few := allocated(2000)
	require.LessOrEqual(t, allocated(4000), 2.2*few)
}
