package main

import (
	"encoding/json"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/report"
)

// editOf is what the ClusterRole edit and the operator's own role for editors let a user read in a namespace: no roles, no leases and
// nothing beyond it (kubernetes.io/docs/reference/access-authn-authz/rbac, user-facing roles). It returns whether that forbids a request.
func editOf(namespace string) func(*http.Request) bool {
	allowed := regexp.MustCompile(`/namespaces/` + namespace + `(/(pods|events|services|configmaps|serviceaccounts|persistentvolumeclaims|` +
		`resourcequotas|deployments|ingresses|endpointslices|sparkapplications|scheduledsparkapplications|sparkconnects|` +
		`\w*workflow\w*|podgroups)\b.*)?$`)
	return func(r *http.Request) bool {
		discovery := strings.Count(strings.Trim(r.URL.Path, "/"), "/") == 0
		return !discovery && !allowed.MatchString(r.URL.Path)
	}
}

// namespaceUser shows the example to who may edit one of its namespaces, in which all is well.
func namespaceUser(t *testing.T) *apiServer {
	t.Helper()
	s := exampleCluster(t)
	s.add(t, application("quiet", "etl", "2026-11-19T14:00:00Z", completed))
	s.deny, s.user = editOf("quiet"), "dev"
	return s
}

// TestNamespaceUser: who may edit one namespace gets its findings, and one line for all that the platform's checks may not read.
func TestNamespaceUser(t *testing.T) {
	s := namespaceUser(t)
	config := s.kubeconfig(t, "")
	const one = `(?m)^\d+ checks need cluster-wide read\nan administrator applies: kubectl sparkdoctor rbac --discover --bind user=dev ` +
		`--name sparkdoctor\S*:dev --kubeconfig \S+ \| kubectl --kubeconfig \S+ apply -f -$`

	got := run(t, "scan", "--scope", "namespace", "-n", "quiet", "--kubeconfig", config, "--confirm-after", "0s")
	require.Equal(t, 0, got.code, got.stdout+got.stderr)
	require.NotContains(t, got.stdout, "cluster-wide", "it is not looked at on purpose")
	require.NotContains(t, got.stdout, "forbidden")
	require.NotContains(t, got.stdout, "rbac", "nothing more is needed")
	require.Contains(t, got.stdout, "No findings in namespace quiet\n")

	got = run(t, "scan", "-n", "quiet", "--kubeconfig", config, "--confirm-after", "0s")
	require.Equal(t, 3, got.code, "without the flag it is incomplete")
	require.Regexp(t, one, got.stdout)
	require.NotContains(t, got.stdout, "forbidden")
	require.Contains(t, got.stdout, "No findings in what could be looked at\n")

	wide := run(t, "scan", "-n", "quiet", "--kubeconfig", config, "--confirm-after", "0s", "-o", "wide")
	require.Contains(t, wide.stdout, "could not list mutatingwebhookconfigurations.admissionregistration.k8s.io:\n  forbidden")
}

// TestNamespaceUserFindings: what is wrong in the namespace still fails the scan, and so does what may not be read in it.
func TestNamespaceUserFindings(t *testing.T) {
	s := exampleCluster(t)
	s.deny, s.user = editOf("team-a"), "system:serviceaccount:team-a:ci"
	args := []string{"scan", "--scope", "namespace", "-n", "team-a", "--kubeconfig", s.kubeconfig(t, ""), "--confirm-after", "0s"}
	got := run(t, append(args, "-o", "json")...)
	require.Equal(t, 1, got.code, got.stderr)
	r, err := report.Read([]byte(got.stdout))
	require.NoError(t, err)
	require.Equal(t, "namespace", r.Scope.Level)
	require.Equal(t, []string{"team-a"}, r.Scope.Namespaces)
	for _, item := range r.Items {
		require.Equal(t, "team-a", item.Object.Namespace)
	}
	var raw struct{ ClusterRead []report.ClusterRead }
	require.NoError(t, json.Unmarshal([]byte(got.stdout), &raw))
	require.Len(t, raw.ClusterRead, 1)
	require.Contains(t, raw.ClusterRead[0].Command, "rbac --discover --bind serviceaccount=team-a:ci")
	require.Contains(t, raw.ClusterRead[0].Checks, "SD1001")
	require.NotContains(t, raw.ClusterRead[0].Checks, "SD3001")

	beyond := editOf("team-a")
	s.deny = func(r *http.Request) bool {
		return beyond(r) || strings.HasSuffix(r.URL.Path, "/namespaces/team-a/pods")
	}
	got = run(t, append(args, "--fail-on", "none")...)
	require.Equal(t, 3, got.code, "pods of the namespace itself could not be read")
	require.Regexp(t, `(?m)^\d+ checks could not list pods in namespace team-a: forbidden\nan administrator applies: `+
		`kubectl sparkdoctor rbac --for-why --job-namespaces team-a --bind serviceaccount=team-a:ci `+
		`--name sparkdoctor-why:team-a:ci --kubeconfig \S+ `+
		`\| kubectl --kubeconfig \S+ apply -f -$`, got.stdout)
	require.Equal(t, 1, strings.Count(got.stdout, "forbidden"), got.stdout)
	require.NotContains(t, got.stdout, "cluster-wide")

	got = run(t, append(args, "-o", "wide")...)
	require.Contains(t, got.stdout, "could not list mutatingwebhookconfigurations.admissionregistration.k8s.io:\n  forbidden")
}

// TestNamespaceOfOthers: who scans a namespace in which nothing may be read hears of no check that passed there, although other namespaces
// could be read instead.
func TestNamespaceOfOthers(t *testing.T) {
	s := exampleCluster(t)
	s.add(t, application("quiet", "etl", "2026-11-19T14:00:00Z", completed))
	for _, name := range []string{"quiet", "team-a"} {
		s.add(t, "{apiVersion: v1, kind: Namespace, metadata: {name: "+name+"}}")
	}
	beyond := editOf("quiet")
	s.deny, s.user = func(r *http.Request) bool { return beyond(r) && r.URL.Path != "/api/v1/namespaces" }, "dev"
	for name, args := range map[string][]string{"cluster": nil, "namespace": {"--scope", "namespace"}} {
		t.Run(name, func(t *testing.T) {
			args := append([]string{"scan", "-n", "team-a", "--kubeconfig", s.kubeconfig(t, ""), "--confirm-after", "0s"}, args...)
			got := run(t, append(args, "-o", "json")...)
			require.Equal(t, 3, got.code, got.stderr)
			r, err := report.Read([]byte(got.stdout))
			require.NoError(t, err)
			require.Empty(t, r.Items)
			for _, c := range r.Checks {
				require.Equal(t, "skipped", c.Status, "%s %s", c.ID, c.Title)
			}
			got = run(t, args...)
			require.Contains(t, got.stdout, "Nothing could be judged\nchecks: 0 passed, 0 failed")
			require.Contains(t, got.stdout, "could not list configmaps, cronworkflows.argoproj.io, deployments.apps and ", "the first of many kinds")
		})
	}
}

// TestOneMissingPermissionIsNamed: the report names the one kind that a user may not read.
func TestOneMissingPermissionIsNamed(t *testing.T) {
	s := exampleCluster(t)
	s.deny, s.user = func(r *http.Request) bool { return strings.Contains(r.URL.Path, "/secrets") }, "oncall"
	got := run(t, "scan", "--kubeconfig", s.kubeconfig(t, ""), "--confirm-after", "0s", "--fail-on", "none")
	require.Equal(t, 3, got.code, got.stderr)
	require.Contains(t, got.stdout, "could not get secrets")
	require.NotContains(t, got.stdout, "cluster-wide read")
}

// TestScopeOfUsage refuses what has no namespace.
func TestScopeOfUsage(t *testing.T) {
	for args, says := range map[string]string{
		"--scope team-a":                   `--scope is "team-a", use one of cluster, namespace`,
		"--scope namespace -A":             "--scope namespace and -A cannot be combined",
		"--scope namespace -f x":           "--scope namespace needs -n NAMESPACE",
		"--scope namespace --all-contexts": "--scope namespace needs -n NAMESPACE where several clusters are scanned",
	} {
		got := run(t, append([]string{"scan"}, strings.Fields(args)...)...)
		require.Equal(t, 2, got.code, args)
		require.Contains(t, got.stderr, says)
	}
}

// TestNamespaceUserFixes: fix says in the same line as scan what it could not look at.
func TestNamespaceUserFixes(t *testing.T) {
	s := exampleCluster(t)
	s.add(t, application("quiet", "etl", "2026-11-19T14:00:00Z", completed))
	s.add(t, "{apiVersion: v1, kind: Namespace, metadata: {name: kube-system, uid: k}}")
	beyond := editOf("quiet")
	s.deny, s.user = func(r *http.Request) bool {
		return beyond(r) && !strings.HasSuffix(r.URL.Path, "/namespaces/kube-system")
	}, "dev"
	args := []string{"fix", "--dry-run", "-n", "quiet", "--kubeconfig", s.kubeconfig(t, ""), "--confirm-after", "0s"}

	got := run(t, args...)
	require.Equal(t, 0, got.code, got.stdout+got.stderr)
	one := regexp.MustCompile(`(?m)^\d+ checks need cluster-wide read\nan administrator applies: ` +
		`kubectl sparkdoctor rbac --discover --bind user=dev --name sparkdoctor:dev --kubeconfig \S+ \| kubectl --kubeconfig \S+ apply -f -$`)
	require.Len(t, one.FindAllString(got.stdout, -1), 1, got.stdout)
	require.NotContains(t, got.stdout, "could not read everything")
	require.Contains(t, got.stdout, "nothing to do in what could be looked at\n")

	plan := run(t, append(args, "-o", "json")...)
	var raw struct{ ClusterRead struct{ Checks []string } }
	require.NoError(t, json.Unmarshal([]byte(plan.stdout), &raw))
	require.Contains(t, raw.ClusterRead.Checks, "SD1001")

	s.deny = func(r *http.Request) bool { return strings.Contains(r.URL.Path, "/secrets") }
	require.Contains(t, run(t, args...).stdout, "get secrets", "one missing permission is named")

	s.deny = beyond
	got = run(t, args...)
	require.Equal(t, 0, got.code, "a dry run makes no record, which would name the cluster: %s%s", got.stdout, got.stderr)
	got = run(t, append(slices.DeleteFunc(args, func(arg string) bool { return arg == "--dry-run" }), "--yes")...)
	require.Equal(t, 2, got.code, got.stdout+got.stderr)
	require.Regexp(t, `(?m)^error: you may not get namespace kube-system: its UID says in the record which cluster it is of\n`+
		`an administrator applies: kubectl sparkdoctor rbac --for-fix --job-namespaces quiet --bind user=dev --name sparkdoctor-fix:dev `+
		`--kubeconfig \S+ \| kubectl --kubeconfig \S+ apply -f -$`, got.stderr)
	require.Contains(t, run(t, "fix", "--server", "http://127.0.0.1:1").stderr,
		"error: the connection to the server http://127.0.0.1:1 failed: connect: connection refused")
}

// TestNamespaceUserAsksWhy: why names what would let it read more, once, in the list and for one application.
func TestNamespaceUserAsksWhy(t *testing.T) {
	s := namespaceUser(t)
	beyond := s.deny
	s.deny = func(r *http.Request) bool { return beyond(r) || strings.HasSuffix(r.URL.Path, "/sparkconnects") }
	config := s.kubeconfig(t, "")
	const line = `an administrator applies: ?\s*kubectl sparkdoctor rbac --for-why --job-namespaces quiet --bind user=dev ` +
		`--name sparkdoctor\S*:dev --kubeconfig \S+ \| kubectl --kubeconfig \S+ apply -f -\n`
	for _, args := range [][]string{{"why"}, {"why", "etl", "-o", "wide"}} {
		got := run(t, append(args, "-n", "quiet", "--kubeconfig", config)...)
		require.Equal(t, 0, got.code, got.stdout+got.stderr)
		require.Len(t, regexp.MustCompile(line).FindAllString(got.stdout, -1), 1, got.stdout)
		require.Equal(t, 1, strings.Count(got.stdout, "rbac"), got.stdout)
	}
}

// TestNamespaceUserMayNotWrite: fix says which permissions it lacks and who grants them, a dry run before it is too late.
func TestNamespaceUserMayNotWrite(t *testing.T) {
	s := exampleCluster(t)
	s.add(t, "{apiVersion: v1, kind: Namespace, metadata: {name: kube-system, uid: k}}")
	s.user = "system:serviceaccount:team-a:dana"
	args := []string{"fix", "SD2001", "--kubeconfig", s.kubeconfig(t, ""), "--confirm-after", "0s", "--record-dir", t.TempDir()}

	require.NotContains(t, run(t, append(args, "--dry-run")...).stderr, "missing permission", "who may write hears nothing")

	s.answer = func(w http.ResponseWriter, r *http.Request) bool {
		if !strings.HasSuffix(r.URL.Path, "/selfsubjectaccessreviews") {
			return false
		}
		w.Header().Set("Content-Type", "application/json")
		_, _ = w.Write([]byte(`{"apiVersion":"authorization.k8s.io/v1","kind":"SelfSubjectAccessReview","status":{"allowed":false}}`))
		return true
	}
	const says = `(?m)^missing permission: patch SparkApplication team-a/sales-8kd2v\n` +
		`an administrator applies: kubectl sparkdoctor rbac --for-fix --job-namespaces team-a ` +
		`--bind serviceaccount=team-a:dana --name sparkdoctor-fix:team-a:dana --kubeconfig \S+ \| kubectl --kubeconfig \S+ apply -f -$`
	got := run(t, append(args, "--dry-run")...)
	require.Equal(t, 0, got.code, got.stderr)
	require.Regexp(t, says, got.stderr)
	got = run(t, append(args, "--yes")...)
	require.Equal(t, 4, got.code, got.stdout+got.stderr)
	require.Regexp(t, says, got.stderr)
	require.Contains(t, got.stderr, "nothing was applied")
}

// TestNamespaceUserCorrectedSchedule: scan and why say the same of a schedule that was corrected after its refusal, as sure of it as each
// other, whether the operator was seen or not.
func TestNamespaceUserCorrectedSchedule(t *testing.T) {
	s := namespaceUser(t)
	s.add(t, `{apiVersion: sparkoperator.k8s.io/v1beta2, kind: ScheduledSparkApplication, 
  metadata: {name: nightly, namespace: quiet, uid: night,
  creationTimestamp: "2026-11-19T14:00:00Z"}, 
  spec: {schedule: "0 5 * * *", concurrencyPolicy: Allow, template: {type: Scala, mode: cluster}},
  status: {scheduleState: FailedValidation, reason: "end of range (25) above maximum (23): 25"}}`)
	config := s.kubeconfig(t, "")
	got := run(t, "scan", "--scope", "namespace", "-n", "quiet", "--kubeconfig", config, "--confirm-after", "0s")
	require.Equal(t, 1, got.code, got.stdout+got.stderr)
	require.Contains(t, got.stdout, "re-create it as it is")
	require.NotContains(t, got.stdout, "likely")
	require.NotContains(t, got.stdout, "correct spec.schedule")
	got = run(t, "why", "nightly", "-n", "quiet", "--kubeconfig", config)
	require.Equal(t, 0, got.code, got.stderr)
	require.Regexp(t, `proven\s+The operator refused an earlier schedule`, got.stdout)
	require.Contains(t, got.stdout, "Delete the schedule, and create it again as it is")
	require.NotContains(t, got.stdout, "orrect spec.schedule")
}
