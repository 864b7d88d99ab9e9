package facts

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func TestUnfit(t *testing.T) {
	for message, want := range map[string]struct {
		reasons []string
		fits    bool
	}{
		"0/5 nodes are available: 2 Insufficient memory, 3 node(s) had untolerated taint {a: b}. preemption: 0/5 nodes are available: 5 No " +
			"preemption victims found for incoming pod.": {
			[]string{"Insufficient memory", "untolerated taint {a: b}"}, true,
		},
		"0/1 nodes are available: 1 node(s) didn't match Pod's node affinity/selector. no new claims to deallocate, preemption: 0/1 nodes are " +
			"available: 1 Preemption is not helpful for scheduling.": {
			[]string{"didn't match Pod's node affinity/selector"}, false,
		},
		"0/3 nodes are available: 3 Too many pods.":              {[]string{"Too many pods"}, true},
		"0/9 nodes are available: 1 A, 2 B, 3 C, 4 D, 5 E, 6 A.": {[]string{"A", "B", "C", "D"}, false},
	} {
		reasons, fits := unfit(message)
		require.Equal(t, want.reasons, reasons, message)
		require.Equal(t, want.fits, fits, message)
	}
}

func TestMissingObjects(t *testing.T) {
	for message, want := range map[string]string{
		`secret "db" not found`:       "Secret team-a/db does not exist",
		`configmap "conf" not found`:  "ConfigMap team-a/conf does not exist",
		`configmaps "conf" not found`: "",
		`MountVolume.SetUp failed for volume "v" : secret "team-a/keys" not found`:        "Secret team-a/keys does not exist",
		`MountVolume.SetUp failed for volume "v" : object "team-a"/"keys" not registered`: "",
		`0/5 nodes are available: persistentvolumeclaim "data" not found. preemption: 0/5 nodes`: "PersistentVolumeClaim team-a/data does not " +
			"exist",
		`couldn't find key password in Secret team-a/db`:                  `Secret team-a/db has no key "password"`,
		`couldn't find key a.conf in ConfigMap team-a/conf`:               `ConfigMap team-a/conf has no key "a.conf"`,
		`Back-off pulling image "registry.example.com/secret": not found`: "",
	} {
		var h PendingReason
		require.Equal(t, want != "", h.lacks("team-a", message), message)
		require.Equal(t, want, h.Text, message)
	}
}

func TestWaitingContainerSaysWhy(t *testing.T) {
	for message, want := range map[string]string{
		`container's runAsUser breaks non-root policy (pod: "etl-driver_jobs(356e4a51)", container: c)`: `container "c" does not start ` +
			`(CreateContainerConfigError: container's runAsUser breaks non-root policy)`,
		"missing value for NOT_SET": `container "c" does not start (CreateContainerConfigError: missing value for NOT_SET)`,
		"":                          `container "c" does not start (CreateContainerConfigError)`,
	} {
		reason := waitingContainer(&snapshot.Pod{}, &snapshot.ContainerProblem{Name: "c", Reason: "CreateContainerConfigError", Message: message})
		require.Equal(t, want, reason.Text)
		require.Equal(t, "CreateContainerConfigError", reason.Lasting, "findings are grouped by the reason alone")
	}
}
