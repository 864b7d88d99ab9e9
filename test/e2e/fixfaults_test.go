package e2e

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/controlplane"
	"github.com/sparkdoctor/kubectl-sparkdoctor/test/proxy"
)

// TestFixFaults has the server, the network and other people come in between. None of it depends on the release.
func TestFixFaults(t *testing.T) {
	t.Parallel()
	f := startFixing(t, build(t), "2.5.1", controlplane.Options{})
	for _, one := range []fixTest{
		{"answers that pass", passingFaults},
		{"answers that stay", lastingFaults},
		{"the answer to a delete is lost", lostDelete},
		{"no record, no fix", unrecorded},
		{"a webhook that denies", denied},
		{"a webhook that would change the spec", defaulted},
		{"killed between any two steps", killed},
		{"two at once", twoAtOnce},
		{"another object of the same name", replaced},
		{"a finalizer list that somebody else changes", contended},
		{"15,000 entries while the controller writes", prunesUnderFire},
		{"a user with just the permissions", justEnough},
	} {
		t.Run(one.name, func(t *testing.T) { one.run(t, f) })
	}
}

// part takes the reference to its application away from a driver, and returns the repair.
func (f fixing) part(t *testing.T, namespace, name string) repair {
	t.Helper()
	f.application(t, namespace, name)
	f.disown(t, namespace, name)
	return repair{
		check: "SD2006", kind: "Pod", namespace: namespace, name: name + "-driver", flags: []string{"--new-after", "0s"},
		plan: []object{pod(namespace, name+"-driver")},
	}
}

func (f fixing) disown(t *testing.T, namespace, name string) {
	t.Helper()
	_, err := f.cp.Client.CoreV1().Pods(namespace).Patch(t.Context(), name+"-driver", types.MergePatchType,
		[]byte(`{"metadata":{"ownerReferences":null}}`), metav1.PatchOptions{})
	require.NoError(t, err)
}

func (f fixing) owners(t *testing.T, namespace, name string) []metav1.OwnerReference {
	t.Helper()
	driver, err := f.cp.Client.CoreV1().Pods(namespace).Get(t.Context(), name+"-driver", metav1.GetOptions{})
	require.NoError(t, err)
	return driver.OwnerReferences
}

type namedFault struct {
	name  string
	fault proxy.Fault
}

func serverFaults() []namedFault {
	return []namedFault{
		{"409", proxy.Answer(http.StatusConflict, metav1.StatusReasonConflict, "somebody was quicker", 0)},
		{"422", proxy.Answer(http.StatusUnprocessableEntity, metav1.StatusReasonInvalid, "no such thing", 0)},
		{"500", proxy.Answer(http.StatusInternalServerError, metav1.StatusReasonInternalError, "etcd is away", 0)},
		{"403", proxy.Answer(http.StatusForbidden, metav1.StatusReasonForbidden, "admission webhook denied the request", 0)},
		{"request lost", proxy.LoseRequest(nil)},
	}
}

func writesTo(path string) func(proxy.Request) bool {
	return func(r proxy.Request) bool { return r.Writes() && strings.HasSuffix(r.Path, path) }
}

// passingFaults come once: the fix looks again, does what is left to do, and says the truth. A denial is none of them,
// nor is a 422: if the object is as it was the server does not want the patch, and else it is a test's, which contended
// shows.
func passingFaults(t *testing.T, f fixing) {
	r := f.part(t, "faults", "once")
	busy := proxy.Answer(http.StatusTooManyRequests, metav1.StatusReasonTooManyRequests, "later", time.Second)
	for _, one := range append(serverFaults(), namedFault{"429", busy}, namedFault{"answer lost", proxy.LoseAnswer(nil)}) {
		if one.name == "422" || one.name == "403" {
			continue
		}
		t.Run(one.name, func(t *testing.T) {
			f.proxy.Forget()
			f.proxy.Inject(writesTo("/pods/once-driver"), 1, one.fault)
			records := t.TempDir()
			o := f.fix(t, r, records, "--yes")
			require.Equal(t, 0, o.code, o.stdout+o.stderr)
			require.Contains(t, o.stdout, "SD2006 Pod faults/once-driver: resolved")
			require.Len(t, f.owners(t, "faults", "once"), 1)
			want := 2
			if one.name == "answer lost" {
				want = 1 // what was carried out is not sent again
			}
			require.Len(t, f.writes(), want)
			f.proxy.Forget()
			back := f.doctor.run(t, "undo", recordsIn(t, records)[0], "--yes", "--record-dir", t.TempDir())
			require.Equal(t, 0, back.code, back.stdout+back.stderr)
			require.Empty(t, f.owners(t, "faults", "once"))
		})
	}
	f.fill(t, "faults", "once", 400)
	prune := repair{check: "SD3001", kind: "SparkApplication", namespace: "faults", name: "once",
		flags: []string{"--max-object-size", "30000"}, allow: []string{"--keep-executors", "5"}}
	f.proxy.Forget()
	f.proxy.Inject(writesTo("/sparkapplications/once/status"), 1, proxy.LoseAnswer(nil))
	o := f.fix(t, prune, t.TempDir(), "--yes")
	require.Equal(t, 0, o.code, o.stdout+o.stderr)
	require.Len(t, f.executorState(t, "faults", "once"), 5)
	require.Len(t, f.writes(), 1)
}

// lastingFaults never end: the fix gives up, nothing is written, and the exit code says why.
func lastingFaults(t *testing.T, f fixing) {
	r := f.part(t, "faults", "always")
	before := f.versions(t, r.plan)
	for _, one := range serverFaults() {
		t.Run(one.name, func(t *testing.T) {
			f.proxy.Forget()
			f.proxy.Inject(writesTo("/pods/always-driver"), 100, one.fault)
			o := f.fix(t, r, t.TempDir(), "--yes")
			code, status := 1, "fix 1 failed: "
			if one.name == "409" {
				code, status = 4, "fix 1 stale: "
			}
			require.Equal(t, code, o.code, o.stdout+o.stderr)
			require.Contains(t, o.stdout, status)
			require.NotContains(t, o.stdout, "resolved")
			require.LessOrEqual(t, len(f.writes()), 5, "it does not try for ever")
			require.Equal(t, before, f.versions(t, r.plan))
		})
	}
	f.proxy.Forget()
}

// lostDelete is a delete that was carried out and not answered.
func lostDelete(t *testing.T, f fixing) {
	f.orphan(t, "faults", "gone")
	r := repair{
		check: "SD4001", kind: "Pod", namespace: "faults", name: "gone-driver", flags: []string{"--new-after", "0s"},
		allow: []string{"--max-risk", "destructive"},
	}
	f.proxy.Forget()
	f.proxy.Inject(writesTo("/pods/gone-driver"), 1, proxy.LoseAnswer(nil))
	o := f.fix(t, r, t.TempDir(), "--yes")
	require.Equal(t, 0, o.code, o.stdout+o.stderr)
	require.Contains(t, o.stdout, "SD4001 Pod faults/gone-driver: resolved")
	require.Len(t, f.writes(), 1)
}

// unrecorded is a fix that could not be taken back, and a record that is not of this cluster.
func unrecorded(t *testing.T, f fixing) {
	r := f.part(t, "faults", "recorded")
	file := filepath.Join(t.TempDir(), "file")
	require.NoError(t, os.WriteFile(file, nil, 0o600))
	f.proxy.Forget()
	o := f.fix(t, r, filepath.Join(file, "below"), "--yes")
	require.Equal(t, 4, o.code, o.stdout+o.stderr)
	require.Contains(t, o.stderr, "nothing was applied")
	require.Empty(t, f.writes())

	record := f.applies(t, r)
	cluster, err := f.cp.Client.CoreV1().Namespaces().Get(t.Context(), "kube-system", metav1.GetOptions{})
	require.NoError(t, err)
	other := strings.ReplaceAll(text(t, record), string(cluster.UID), "00000000-0000-4000-8000-000000000003")
	require.NoError(t, os.WriteFile(file, []byte(other), 0o600))
	f.proxy.Forget()
	back := f.doctor.run(t, "undo", file, "--yes", "--record-dir", t.TempDir())
	require.Equal(t, 4, back.code, back.stdout+back.stderr)
	require.Contains(t, back.stderr, "of another cluster")
	require.Empty(t, f.writes())
	require.Len(t, f.owners(t, "faults", "recorded"), 1)
}
