package e2e

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/controlplane"
)

// patience bounds every wait of these tests.
const patience = time.Minute

// situation is a cluster with an operator, and the doctor who may read everything there.
type situation struct {
	cp      *controlplane.ControlPlane
	op      *controlplane.Operator
	doctor  doctor
	version string
}

type named struct {
	name string
	run  func(*testing.T, situation)
	on   occasion
}

// occasion says on which of the releases under test a situation runs.
type occasion int

const (
	each occasion = iota
	once          // on the newest: Kubernetes or sparkdoctor alone decide how it ends, or the operator's part never changed
)

// situations in the order in which they run on one cluster. Each has namespaces of its own.
func situations() []named {
	return []named{
		{"a healthy installation is silent", healthy, each},
		{"ordinary life is silent", ordinaryLife, each},
		{"SD1001 the webhook fails open", failsOpen, each},
		{"SD1002 the webhook is down", unreachable, each},
		{"SD1002 the webhook's Service is gone", serviceGone, once},
		{"SD1003 to SD1006 good certificates are silent", goodCertificates, each},
		{"SD1003 the caBundle of another CA", anotherCA, each},
		{"SD1004 the Secret is deleted", secretGone, each},
		{"SD1005 two replicas with two certificates", twoCertificates, each},
		{"SD1005 what two replicas with two certificates log", refusalsLogged, each},
		{"SD1002 and SD1004 what a webhook logs that does not start", doesNotStart, each},
		{"SD1005 a certificate renewed under its CA", renewedUnderTheSameCA, each},
		{"SD1005 a replica that says nothing", sayingNothing, once},
		{"SD1006 Argo CD blanks the Secret", blankedByArgo, once},
		{"SD1003 to SD1006 without the rights", unseenCertificates, once},
		{"SD1007 a job namespace that the webhook skips", skipped, once},
		{"SD1008 the webhook is not registered", configurationGone, each},
		{"SD1009 a configuration of 1.x is left over", leftover, once},
		{"SD2001 an owner in another namespace", foreignOwner, once},
		{"SD2002 the garbage collector does not collect", uncollected, once},
		{"SD2002 an owner kind that is not served", unservedOwner, once},
		{"SD2003 the garbage collector took an application", collected, once},
		{"SD2004 an Argo template sets such owners", argoTemplate, once},
		{"SD2005 a finalizer nobody removes", stuckFinalizer, once},
		{"SD2005 a foreground delete waits for the driver", foregroundDelete, each},
		{"SD2005 the webhook refuses the removal", refusedRemoval, once},
		{"SD1002 and SD2005 what the API server answers a schedule", refusedSchedule, each},
		{"SD2006 a driver without its reference", ownerlessDriver, once},
		{"SD3001 executors fill the status", executorStateBySpark, each},
		{"SD3001 a status of 10,000 executors", executorStateByPatch, once},
		{"SD3001 a status that cannot be written", refusedForItsSize, once},
		{"SD3002 no limit and dynamic allocation", unboundedTracking, each},
		{"SD3003 executors beyond the limit", beyondLimit, each},
		{"SD3004 a large application", largeSpec, once},
		{"SD3005 a driver that vanished", vanishedDriver, each},
		{"SD4001 a driver without an application", orphanedDriver, once},
		{"SD4002 every field through the webhook is silent", mutatedPods, each},
		{"SD4002 every field while the webhook is down", unmutatedPods, each},
		{"SD4002 every pod of a namespace", wholeNamespace, once},
		{"SD4002 every pod since a time", sinceATime, once},
		{"SD4002 some of the pods", someOfThem, once},
		{"SD4003 executors with two owners", executorsWithTwoOwners, each},
		{"SD5006 a binding of the controller is taken away", revokedBinding, once},
		{"SD5007 accounts that are missing or may do nothing", weakAccounts, once},
		{"SD6001 a submission that hangs", hungSubmission, once},
		{"SD6002 drivers that do not start", pendingDrivers, each},
		{"SD6002 a quota that is used up", usedUpQuota, once},
		{"SD6003 a rerun whose driver went unseen", missedEnd, each},
		{"SD6004 a sidecar that outlives the driver", sidecarRunsOn, once},
		{"SD6005 a suspended application whose driver went unseen", missedSuspension, each},
		{"SD6006 a driver pod of that name", nameTaken, once},
		{"SD6007 a schedule that the operator refused", refusedByTheOperator, each},
		{"SD6007 a schedule without concurrencyPolicy", withoutPolicy, each},
		{"SD6007 names of runs that are too long", namesTooLong, each},
		{"SD6007 runs that the API server refuses", refusedRuns, each},
		{"SD6007 a schedule behind a run", behindARun, once},
		{"SD6007 a schedule that was changed", changedSchedule, each},
		{"SD6008 applications that ended and stay", finishedPileUp, once},
		{"SD6008 a time to live that is over", outlivedItsTime, once},
		{"why waits, and lists", awaited, once},
		{"SD6009 a failure that is never retried", withoutIntervals, each},
		{"SD6011 what an application left behind", leftBehind, once},
		{"SD6012 a name that the webhook refuses", badName, each},
		{"SD0001 findings that are accepted, and a baseline", acceptedAndCompared, once},
		{"a snapshot is judged like the cluster", replayed, once},
		{"what dashboards get", dashboards, once},
		{"after all that was logged admission is healthy", healthyAgain, each},
	}
}

// jobNamespaces are the namespaces of the situations, which the operator watches.
func jobNamespaces() []string {
	return []string{
		"healthy", "life", "foreign", "uncollected", "unserved", "collected", "stuck", "foreground", "refused", "ownerless",
		"growing", "grown", "unbounded", "beyond", "large", "vanished", "unreachable", "unregistered", "skipped",
		"orphaned", "mutated", "bypassed", "leftover", "full", "stale", "whole", "since", "fraction", "accepted",
		"revoked", "accounts",
		"replayed",
		"finished", "outlived", "scheduled", "leftovers", "retries", "names",
		"waiting", "rerun", "awaited",
	}
}

// namespace makes a namespace, unless it is one of the operator's.
func (s situation) namespace(t *testing.T, name string) string {
	t.Helper()
	if !slices.Contains(jobNamespaces(), name) {
		require.NoError(t, s.cp.CreateNamespace(t.Context(), name))
	}
	return name
}

func healthy(t *testing.T, s situation) {
	ns := s.namespace(t, "healthy")
	s.application(t, ns, "pi")
	o := s.doctor.scan(t)
	require.Equal(t, 0, o.code, o.stdout+o.stderr)
	require.Empty(t, o.findings())
	require.Zero(t, o.report.Summary.Checks.Skipped+o.report.Summary.Checks.NotApplicable)
	require.Contains(t, o.stderr, "operator "+s.version)
	asked := s.doctor.scan(t, "--probe", "--logs")
	require.Equal(t, 0, asked.code, asked.stdout+asked.stderr)
	require.Empty(t, asked.findings())
	require.Equal(t, "healthy", s.doctor.scan(t, "--checks", chain, "--new-after", "0s").admission(t, ns))
	text := s.doctor.run(t, "scan")
	require.Equal(t, 0, text.code)
	require.True(t, strings.HasPrefix(text.stdout, "No findings"), text.stdout)
	require.Regexp(t, `admission: enforced in \d+ of \d+ namespaces? · operator `+s.version+` healthy \(leader for .+\) · largest application: `,
		strings.Join(strings.Fields(text.stdout), " "), "a clean scan says what is well")
}

// healthyAgain holds that what the operator logged while it was ill is history.
func healthyAgain(t *testing.T, s situation) {
	for _, args := range [][]string{{"--logs"}, {"--logs", "--probe"}} {
		o := s.doctor.scan(t, append(args, "--checks", path+","+onlyCerts, "--new-after", "0s")...)
		require.Empty(t, o.findings(), o.stdout)
		require.Equal(t, 0, o.code, o.stdout+o.stderr)
	}
}

func foreignOwner(t *testing.T, s situation) {
	ns, elsewhere := s.namespace(t, "foreign"), s.namespace(t, "foreign-owner")
	s.application(t, ns, "etl")
	owner := s.configMap(t, elsewhere, "workflow")
	s.withManagerPaused(t, func() {
		s.patch(t, ns, "etl", ownerReferences("ConfigMap", "v1", owner.Name, string(owner.UID)))
		o := s.doctor.scan(t, "-n", ns)
		require.Equal(t, []string{"error proven SD2001 SparkApplication foreign/etl"}, o.findings(), o.stdout)
		require.Equal(t, 1, o.code)
		require.Contains(t, o.message(t), `owner ConfigMap "workflow" lives in namespace "foreign-owner"`)
		require.Equal(t, elsewhere, o.report.Items[0].Related[0].Namespace)
		one := s.doctor.scan(t, "sparkapplication/etl", "-n", ns)
		require.Equal(t, o.findings(), one.findings())
		s.patch(t, ns, "etl", map[string]any{"metadata": map[string]any{"ownerReferences": nil}})
		require.Empty(t, s.doctor.scan(t, "-n", ns).findings())
	})
}

func uncollected(t *testing.T, s situation) {
	ns := s.namespace(t, "uncollected")
	s.application(t, ns, "etl")
	owner := s.configMap(t, ns, "workflow")
	s.patch(t, ns, "etl", ownerReferences("ConfigMap", "v1", owner.Name, string(owner.UID)))
	require.Empty(t, s.doctor.scan(t, "-n", ns).findings())
	s.withManagerPaused(t, func() {
		require.NoError(t, s.cp.Client.CoreV1().ConfigMaps(ns).Delete(t.Context(), owner.Name, metav1.DeleteOptions{}))
		o := s.doctor.scan(t, "-n", ns)
		require.Equal(t, []string{"error proven SD2002 SparkApplication uncollected/etl"}, o.findings(), o.stdout)
		require.Contains(t, o.stderr, "rechecking in 1s")
	})
	require.NoError(t, s.cp.WaitForGone(t.Context(), controlplane.Applications(), ns, "etl"),
		"the garbage collector takes what the finding announced")
	require.Empty(t, s.doctor.scan(t, "-n", ns).findings())
}

func unservedOwner(t *testing.T, s situation) {
	ns := s.namespace(t, "unserved")
	s.application(t, ns, "etl")
	s.patch(t, ns, "etl", ownerReferences("Pipeline", "pipelines.example.com/v1", "nightly", "00000000-0000-4000-8000-000000000001"))
	o := s.doctor.scan(t, "-n", ns)
	require.Equal(t, []string{"warning proven SD2002 SparkApplication unserved/etl"}, o.findings(), o.stdout)
	require.Contains(t, o.message(t), "Pipeline.pipelines.example.com is not served")
	require.Equal(t, 0, o.code, "a warning does not fail")
	require.Equal(t, 1, s.doctor.scan(t, "-n", ns, "--fail-on", "warning").code)
}

func collected(t *testing.T, s situation) {
	ns, elsewhere := s.namespace(t, "collected"), s.namespace(t, "collected-owner")
	s.application(t, ns, "etl")
	owner := s.configMap(t, elsewhere, "workflow")
	s.patch(t, ns, "etl", ownerReferences("ConfigMap", "v1", owner.Name, string(owner.UID)))
	require.NoError(t, s.cp.WaitForGone(t.Context(), controlplane.Applications(), ns, "etl"))
	until(t, "the event", func(ctx context.Context) (bool, error) {
		events, err := s.cp.Client.CoreV1().Events(ns).List(ctx, metav1.ListOptions{FieldSelector: "reason=OwnerRefInvalidNamespace"})
		return err == nil && len(events.Items) > 0, err
	})
	o := s.doctor.scan(t, "-n", ns)
	require.Equal(t, []string{"error proven SD2003 SparkApplication collected/etl"}, o.findings(), o.stdout)
	require.Contains(t, o.message(t), `its owner ConfigMap "workflow" is in another namespace`)
	require.NotContains(t, o.message(t), elsewhere, "the event does not say where the owner is")
}

// reads are the rules of a user who may read all that a scan looks at.
func reads() []rbacv1.PolicyRule {
	list := []string{"get", "list"}
	return []rbacv1.PolicyRule{
		{APIGroups: []string{"sparkoperator.k8s.io"}, Resources: []string{"sparkapplications", "scheduledsparkapplications", "sparkconnects"},
			Verbs: list},
		{APIGroups: []string{""}, Resources: []string{"pods", "services", "configmaps", "persistentvolumeclaims", "events", "namespaces",
			"resourcequotas"}, Verbs: list},
		{APIGroups: []string{"networking.k8s.io"}, Resources: []string{"ingresses"}, Verbs: list},
		{APIGroups: []string{""}, Resources: []string{"secrets", "pods/log"}, Verbs: []string{"get"}},
		{APIGroups: []string{"apps"}, Resources: []string{"deployments"}, Verbs: list},
		{APIGroups: []string{"batch"}, Resources: []string{"jobs"}, Verbs: []string{"get"}},
		{APIGroups: []string{"discovery.k8s.io"}, Resources: []string{"endpointslices"}, Verbs: list},
		{APIGroups: []string{"admissionregistration.k8s.io"}, Resources: []string{"mutatingwebhookconfigurations",
			"validatingwebhookconfigurations"}, Verbs: list},
		{APIGroups: []string{"coordination.k8s.io"}, Resources: []string{"leases"}, Verbs: []string{"get"}},
		{APIGroups: []string{"rbac.authorization.k8s.io"}, Resources: []string{"rolebindings", "clusterrolebindings"}, Verbs: list},
		{APIGroups: []string{"rbac.authorization.k8s.io"}, Resources: []string{"roles", "clusterroles"}, Verbs: []string{"get"}},
		{APIGroups: []string{""}, Resources: []string{"serviceaccounts", "nodes"}, Verbs: []string{"get"}},
		{APIGroups: []string{"apiextensions.k8s.io"}, Resources: []string{"customresourcedefinitions"}, Verbs: []string{"get"}},
	}
}
