package mechanism_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// TestPodsThatWaitAlike are told of as one: their names, and those of their own claims, do not keep them apart; what was said of them does,
// and so does how long they wait.
func TestPodsThatWaitAlike(t *testing.T) {
	app := application("mode: cluster", "applicationState: {state: RUNNING}")
	driver := pod("etl-driver", "driver", "containers: [{name: spark-kubernetes-driver}]", running)
	waits := func(n, message, at string) string {
		name := "etl-exec-" + n
		return strings.Replace(pod(name, "executor", "containers: [{name: spark-kubernetes-executor}], volumes: [{name: v, "+
			"persistentVolumeClaim: {claimName: "+name+"-pvc-0}}]", unschedulable(message)), "11:00:02Z", at+"Z", 1)
	}
	claim := func(n, class string) string {
		return "\napiVersion: v1\nkind: PersistentVolumeClaim\nmetadata: {name: etl-exec-" + n + "-pvc-0, namespace: jobs, creationTimestamp: " +
			"\"2026-11-23T11:10:00Z\"}\nspec: {storageClassName: " + class + "}\nstatus: {phase: Pending}"
	}
	const cpu = "0/2 nodes are available: 2 Insufficient cpu."
	const unbound = "0/2 nodes are available: pod has unbound immediate PersistentVolumeClaims."
	memory := strings.Replace(cpu, "cpu", "memory", 1)
	for name, c := range map[string]struct {
		docs []string
		want []int // pods of each cause
	}{
		"all lack CPU":     {[]string{waits("1", cpu, "11:10:05"), waits("2", cpu, "11:10:10")}, []int{2}},
		"one lacks memory": {[]string{waits("1", cpu, "11:10:00"), waits("2", memory, "11:10:00")}, []int{1, 1}},
		"one waits longer": {[]string{waits("1", cpu, "11:10:00"), waits("2", cpu, "11:40:00")}, []int{1, 1}},
		"claims of their own": {[]string{waits("1", unbound, "11:10:00"), waits("2", unbound, "11:20:00"),
			claim("1", "fast"), claim("2", "fast")}, []int{2}},
		"claims that differ": {[]string{waits("1", unbound, "11:10:00"), waits("2", unbound, "11:10:00"),
			claim("1", "fast"), claim("2", "slow")}, []int{1, 1}},
	} {
		var got []int
		for _, one := range said(given(t, append([]string{app, driver}, c.docs...)...)) {
			if d, is := one.Detail.(interface{ Pods() mechanism.Waiting }); is {
				got = append(got, d.Pods().Who.N)
			}
		}
		require.Equal(t, c.want, got, name)
	}
}
