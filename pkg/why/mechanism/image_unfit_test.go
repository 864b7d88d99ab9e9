package mechanism_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// TestImageThatFillsTheDiskOfItsNode: its pod is evicted before it ran. A driver that ran may have written what filled the disk, and a pull
// that failed for something else filled none.
func TestImageThatFillsTheDiskOfItsNode(t *testing.T) {
	const full = `Failed to pull image "spark:torch": failed to extract layer sha256:1f: write /var/lib/containerd/x: no space left on device`
	const disk = "The node was low on resource: ephemeral-storage. Threshold quantity: 2146223308, available: 1105420Ki. "
	event := func(reason, message string) string {
		return fmt.Sprintf("{apiVersion: v1, kind: Event, metadata: {namespace: jobs, name: %s}, type: Warning, reason: %s, involvedObject: "+
			"{kind: Pod, namespace: jobs, name: etl-driver}, lastTimestamp: '2026-11-23T11:05:00Z', source: {component: kubelet}, message: '%s'}",
			strings.ToLower(reason), reason, message)
	}
	driver := func(says, startedAt string) string {
		return pod("etl-driver", "driver", "nodeName: a, containers: [{name: spark-kubernetes-driver}]", "phase: Failed, reason: Evicted, "+
			"message: '"+says+"', containerStatuses: [{name: spark-kubernetes-driver, state: {terminated: {exitCode: 137, reason: "+
			"ContainerStatusUnknown, startedAt: "+startedAt+"}}}]")
	}
	nodes := node("a", "status: {capacity: {ephemeral-storage: 20Gi}}") + "\n---" +
		node("b", "status: {images: [{names: ['spark:torch'], sizeBytes: 10737418240}]}")
	app := application("mode: cluster", "applicationState: {state: FAILED}")
	for name, c := range map[string]struct {
		documents []string
		want      bool
	}{
		"before it ran":        {[]string{driver(disk, "null"), event("Failed", full)}, true},
		"its pod is gone":      {[]string{event("Failed", full), event("Evicted", disk)}, true},
		"it ran":               {[]string{driver(disk, "'2026-11-23T11:01:00Z'"), event("Failed", full)}, false},
		"it ran and is gone":   {[]string{event("Failed", full), event("Started", "Started container"), event("Evicted", disk)}, false},
		"nothing was pulled":   {[]string{driver(disk, "null")}, false},
		"the registry refused": {[]string{driver(disk, "null"), event("Failed", `Failed to pull image "spark:torch": 403 Forbidden`)}, false},
		"for want of memory":   {[]string{driver("The node was low on resource: memory.", "null"), event("Failed", full)}, false},
		"a container had no room": {[]string{driver(disk, "null"), event("Failed", "Error: failed to create containerd task: no space left on "+
			"device")}, false},
	} {
		found := mechanism.Causes(given(t, append(c.documents, app, nodes)...))
		at := 0
		for at < len(found) && found[at].Detail.Mechanism() != "evicted" {
			at++
		}
		require.Less(t, at, len(found), name)
		d, _ := found[at].Detail.(mechanism.Eviction)
		require.Equal(t, c.want, d.Unfit != nil, name)
		require.Equal(t, c.want, found[at].Class == cause.Storage, name)
		if c.want && strings.HasPrefix(name, "before") {
			require.Equal(t, "spark:torch on a: 20Gi, 10Gi", fmt.Sprintf("%s on %s: %s, %s", d.Unfit.Image, d.Unfit.Node, &d.Unfit.Disk,
				&d.Unfit.Size))
		}
	}
}
