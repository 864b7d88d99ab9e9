package e2e

import (
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/runtime/schema"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/controlplane"
	"github.com/sparkdoctor/kubectl-sparkdoctor/test/proxy"
)

// TestFix shows every repair its fault: found, tried, applied, gone, and taken back where that is promised. What the
// operator or its chart has a part in is shown on every release, the rest on the last.
func TestFix(t *testing.T) {
	t.Parallel()
	binary := build(t)
	for i, version := range operators() {
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			f := startFixing(t, binary, version, controlplane.Options{})
			list := repairs()
			if i == len(operators())-1 {
				list = append(list, repairsOfAnyRelease()...)
			}
			for _, one := range list {
				t.Run(one.name, func(t *testing.T) { one.run(t, f) })
			}
		})
	}
}

type fixTest struct {
	name string
	run  func(*testing.T, fixing)
}

// repairs in the order in which they run on one cluster. Each has namespaces of its own.
func repairs() []fixTest {
	return []fixTest{
		{"prune executorState", prunes},
		{"strip an owner in another namespace", stripsForeignOwner},
		{"remove a finalizer of no release from an application", removesKnownFinalizer},
		{"remove a finalizer from a driver", removesDriverFinalizer},
		{"add the owner of a driver", addsOwner},
		{"everything at once", repairsEverything},
		{"have a stale caBundle written again, then what the webhook must admit", reasserts},
		{"fail closed once the path is proven", failsClosed},
		{"fail closed where Helm owns the field", printsHelmValue},
		{"make a broken Secret anew", remakesSecret},
	}
}

func repairsOfAnyRelease() []fixTest {
	return []fixTest{
		{"strip an owner that is gone", stripsMissingOwner},
		{"remove a finalizer that was named", removesNamedFinalizer},
		{"delete finished orphans", deletesOrphans},
		{"delete running orphans that are named", deletesNamedOrphans},
		{"kick an application without a driver", kicks},
		{"delete finished applications that are named", deletesFinished},
		{"drop the manifest that kubectl keeps", dropsLastApplied},
		{"wait for a webhook that is down", waitsForTheWebhook},
		{"restart replicas that diverge", restarts},
		{"restart what stays wrong", restartsWhatStaysWrong},
		{"delete a stale configuration", deletesStaleConfiguration},
		{"killed between a Secret and a restart", remakesSecretInTwo},
	}
}

// fixing is a cluster with an operator, and the plugin behind a proxy that writes down what it asks.
type fixing struct {
	situation
	proxy *proxy.Proxy
}

// startFixing starts a cluster with an operator that watches the namespaces of the repairs.
func startFixing(t *testing.T, binary, version string, opts controlplane.Options) fixing {
	t.Helper()
	opts.Log, opts.CRDs = t.Output(), version
	cp, err := controlplane.Start(t.Context(), opts)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, cp.Stop()) })
	op, err := cp.InstallOperator(t.Context(), controlplane.OperatorOptions{Version: version, JobNamespaces: fixNamespaces()})
	require.NoError(t, err)
	p, err := proxy.Start(cp.RESTConfig())
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, p.Close()) })
	f := fixing{situation: situation{cp: cp, op: op, doctor: doctor{binary: binary}, version: version}, proxy: p}
	return f.as(t, "admin")
}

func fixNamespaces() []string {
	return []string{
		"pruned", "stripped", "bereft", "held", "named", "driver", "adopted", "orphans", "running", "kicked", "copied", "all", "blocked",
		"healthy", "churn", "faults", "denied", "defaults", "killed", "twice", "replaced", "contended", "granted", "outage",
		"finished",
	}
}

// as is the same cluster seen by another user, through the same proxy.
func (f fixing) as(t *testing.T, user string) fixing {
	t.Helper()
	kubeconfig, err := f.proxy.Kubeconfig(t.TempDir(), f.cp.RESTConfigFor(user).BearerToken)
	require.NoError(t, err)
	f.doctor.kubeconfig = kubeconfig
	return f
}

// repair is a fault as a test has made it, and what puts it right.
type repair struct {
	check, kind, namespace, name string   // of the finding and its object
	flags                        []string // with which it is found here
	allow                        []string // what fix needs besides
	plan                         []object // that the plan writes
	noUndo                       string   // part of the reason why it cannot be taken back; empty: it can
}

type object struct {
	resource        schema.GroupVersionResource
	namespace, name string
}

func application(namespace, name string) object {
	return object{controlplane.Applications(), namespace, name}
}

func pod(namespace, name string) object {
	return object{schema.GroupVersionResource{Version: "v1", Resource: "pods"}, namespace, name}
}

func configuration(name string) object {
	return object{schema.GroupVersionResource{Group: "admissionregistration.k8s.io", Version: "v1", Resource: "mutatingwebhookconfigurations"},
		"", name}
}

// versions are the resourceVersions of the objects of a plan.
func (f fixing) versions(t *testing.T, list []object) []string {
	t.Helper()
	var out []string
	for _, o := range list {
		got, err := f.cp.Dynamic.Resource(o.resource).Namespace(o.namespace).Get(t.Context(), o.name, metav1.GetOptions{})
		require.NoError(t, err)
		out = append(out, got.GetResourceVersion())
	}
	return out
}

// found says how bad the finding is, or nothing.
func (f fixing) found(t *testing.T, r repair) (severity string) {
	t.Helper()
	o := f.doctor.scan(t, append([]string{"--checks", r.check}, r.flags...)...)
	require.Contains(t, []int{0, 1}, o.code, o.stdout+o.stderr)
	for _, i := range o.report.Items {
		if i.Check == r.check && i.Object.Kind == r.kind && i.Object.Namespace == r.namespace && i.Object.Name == r.name {
			return i.Severity
		}
	}
	return ""
}

func (r repair) pick() string {
	if r.namespace == "" {
		return r.check + "=" + r.name
	}
	return r.check + "=" + r.namespace + "/" + r.name
}

// fix runs "fix" on the object of a repair, with a directory for records.
func (f fixing) fix(t *testing.T, r repair, records string, more ...string) outcome {
	t.Helper()
	args := slices.Concat([]string{"fix", r.pick(), "--confirm-after", "1s", "--record-dir", records}, r.flags, r.allow, more)
	return f.doctor.run(t, args...)
}

// shows goes all the way with a repair. It returns the record.
func (f fixing) shows(t *testing.T, r repair) (record string) {
	t.Helper()
	f.changesNothing(t, r)
	record = f.applies(t, r)
	f.takesBack(t, r, record)
	return record
}

// changesNothing shows that the fault is found, and that a dry run of either kind leaves it as it is. Without a yes
// nothing happens either.
func (f fixing) changesNothing(t *testing.T, r repair) {
	t.Helper()
	require.NotEmpty(t, f.found(t, r), "the fault is there")
	records := t.TempDir()
	before := f.versions(t, r.plan)
	f.proxy.Forget()
	shown := f.fix(t, r, records, "--dry-run")
	require.Equal(t, 0, shown.code, shown.stdout+shown.stderr)
	require.Contains(t, shown.stdout, "fix 1 (")
	require.Contains(t, shown.stdout, "\n@@ ", "a diff")
	tried := f.fix(t, r, records, "--dry-run=server")
	require.Equal(t, 0, tried.code, tried.stdout+tried.stderr)
	require.Contains(t, tried.stdout, "fix 1 checked: ")
	require.NotEmpty(t, f.trials(), "the server was asked")
	refused := f.fix(t, r, records)
	require.Equal(t, 4, refused.code, refused.stdout+refused.stderr)
	require.Contains(t, refused.stderr, "stdin is not a terminal")
	require.Empty(t, f.writes(), "no write without dryRun=All")
	require.Equal(t, before, f.versions(t, r.plan))
	require.Empty(t, recordsIn(t, records))
}

// applies shows that the fix resolves its finding, and that a scan agrees.
func (f fixing) applies(t *testing.T, r repair) (record string) {
	t.Helper()
	records := t.TempDir()
	f.proxy.Forget()
	applied := f.fix(t, r, records, "--yes")
	require.Equal(t, 0, applied.code, applied.stdout+applied.stderr)
	require.Contains(t, applied.stdout, "fix 1 applied: ")
	require.Regexp(t, `(?m)^`+r.check+` .*: resolved$`, applied.stdout)
	f.wroteNoSpec(t)
	require.Empty(t, f.found(t, r), "the finding is gone")
	list := recordsIn(t, records)
	require.Len(t, list, 1)
	require.Contains(t, applied.stderr, "record: "+list[0])
	return list[0]
}

// takesBack shows that undo keeps what the fix promised.
func (f fixing) takesBack(t *testing.T, r repair, record string) {
	t.Helper()
	f.proxy.Forget()
	back := f.doctor.run(t, "undo", record, "--yes", "--record-dir", t.TempDir())
	if r.noUndo != "" {
		require.Equal(t, 1, back.code, back.stdout+back.stderr)
		require.Contains(t, back.stdout, r.noUndo)
		require.Empty(t, f.writes())
		return
	}
	require.Equal(t, 0, back.code, back.stdout+back.stderr)
	require.NotEmpty(t, f.writes())
	f.wroteNoSpec(t)
	require.NotEmpty(t, f.found(t, r), "the fault is back")
	again := f.doctor.run(t, "undo", record, "--yes", "--record-dir", t.TempDir())
	require.Equal(t, 0, again.code, "there is nothing left to take back: "+again.stdout+again.stderr)
}

// recordsIn returns the records of a directory, which are nobody else's business.
func recordsIn(t *testing.T, dir string) []string {
	t.Helper()
	list, err := filepath.Glob(filepath.Join(dir, "*"))
	require.NoError(t, err)
	for _, path := range list {
		info, err := os.Stat(path)
		require.NoError(t, err)
		require.Equal(t, os.FileMode(0o600), info.Mode())
	}
	return list
}
