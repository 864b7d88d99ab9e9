package e2e

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/controlplane"
)

// without returns the rules of a reader who lacks one resource.
func without(resource string) []rbacv1.PolicyRule {
	rules := reads()
	for i := range rules {
		rules[i].Resources = slices.DeleteFunc(slices.Clone(rules[i].Resources), func(r string) bool { return r == resource })
	}
	return slices.DeleteFunc(rules, func(r rbacv1.PolicyRule) bool { return len(r.Resources) == 0 })
}

// TestPermissions takes one permission after the other from a reader and looks at what the report says then.
func TestPermissions(t *testing.T) {
	t.Parallel()
	binary := build(t)
	cp, err := controlplane.Start(t.Context(), controlplane.Options{Log: t.Output(), CRDs: "2.5.1"})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, cp.Stop()) })
	_, err = cp.InstallOperator(t.Context(), controlplane.OperatorOptions{Version: "2.5.1", JobNamespaces: []string{"jobs"}})
	require.NoError(t, err)
	_, err = cp.CreateApplication(t.Context(), controlplane.NewApplication("jobs", "pi"))
	require.NoError(t, err)
	_, err = cp.WaitForState(t.Context(), "jobs", "pi", "RUNNING")
	require.NoError(t, err)

	t.Run("a reader of everything", func(t *testing.T) {
		require.NoError(t, cp.Grant(t.Context(), "reader", "", reads()...))
		o := as(t, cp, binary, "reader").scan(t, "--logs")
		require.Equal(t, 0, o.code, o.stdout+o.stderr)
		require.Zero(t, o.report.Summary.Checks.Skipped)
		require.Empty(t, o.findings())
	})
	t.Run("one permission less", func(t *testing.T) { onePermissionLess(t, cp, as(t, cp, binary, "admin")) })
	t.Run("just the roles that rbac prints", func(t *testing.T) { justTheRoles(t, cp, as(t, cp, binary, "admin")) })
	t.Run("what kubectl completes", func(t *testing.T) { completes(t, cp, as(t, cp, binary, "admin")) })
	t.Run("several clusters", func(t *testing.T) { severalClusters(t, as(t, cp, binary, "admin")) })
	t.Run("a watch", func(t *testing.T) { watches(t, cp, as(t, cp, binary, "admin")) })
	t.Run("a server with these roles", func(t *testing.T) { serves(t, as(t, cp, binary, "u8")) })
	t.Run("what deploy/base installs", func(t *testing.T) { deployed(t, cp, binary) })
	t.Run("one namespace only", func(t *testing.T) {
		require.NoError(t, cp.Grant(t.Context(), "u9", "jobs", reads()...))
		d := as(t, cp, binary, "u9")
		o := d.scan(t, "-n", "jobs")
		require.Equal(t, 3, o.code)
		require.Empty(t, o.findings())
		for _, c := range o.report.Checks {
			if c.ID == "SD3001" {
				require.Equal(t, "passed", c.Status)
				require.Equal(t, "complete", c.Coverage, "-n asks for no more than this namespace")
			}
		}
		const line = `(?m)^\d+ checks need cluster-wide read\nan administrator applies: kubectl sparkdoctor rbac --discover --bind user=u9\b`
		require.Regexp(t, line, d.run(t, "scan", "-n", "jobs").stdout)
		own := d.run(t, "scan", "--scope", "namespace", "-n", "jobs")
		require.Equal(t, 0, own.code, own.stdout+own.stderr)
		require.NotContains(t, own.stdout, "cluster-wide", "what is beyond the namespace is not looked at on purpose")
		require.NotContains(t, own.stdout, "forbidden")
	})
	t.Run("nobody", func(t *testing.T) {
		o := as(t, cp, binary, "nobody").scan(t)
		require.Equal(t, 3, o.code)
		require.Empty(t, o.findings())
		for _, c := range o.report.Checks {
			if c.ID == "SD2004" {
				require.Equal(t, "passed", c.Status, "Argo is not installed: discovery, which everybody may read, says so")
				continue
			}
			require.Equal(t, "skipped", c.Status, c.ID)
		}
	})
}

// onePermissionLess takes every permission of a reader away in turn and looks at which checks then are skipped or partial,
// and at no others. What only sharpens a verdict costs nothing.
func onePermissionLess(t *testing.T, cp *controlplane.ControlPlane, admin doctor) {
	const owned = "SD2001 SD2002 SD2005" // see every Spark object
	lacks := map[string]limits{
		"sparkapplications": {"SD1007 SD2006 SD3001 SD3002 SD3003 SD3004 SD3005 SD4001 SD4002 SD4003 SD5001 SD5007 SD5010 " +
			"SD5014 SD6001 SD6002 SD6003 SD6004 SD6005 SD6006 SD6008 SD6009 SD6010 SD6011 SD6012 SD6013 SD6014 SD6015 SD6016 " +
			"SD8001 SD8002 SD8003 SD8004",
			owned + " SD5002 SD5003 SD5006 SD5008 SD5009 SD6007"},
		"scheduledsparkapplications": {"SD6007", owned + " SD5003 SD5014 SD6012 SD6016"},
		"sparkconnects":              {"SD9001 SD9002 SD9003", owned + " SD5007 SD5009 SD5014 SD6012"},
		// and with --logs no pod of which to read one
		"pods": {"SD1005 SD2006 SD3003 SD3005 SD4001 SD4002 SD4003 SD6002 SD6003 SD6004 SD6005 SD6006 SD6011 SD6013 SD6015 " +
			"SD8002 SD8003 SD8004 SD9002 SD9003",
			"SD1001 SD1002 SD1003 SD1004 SD1008 SD1009 " + owned + " SD3001 SD5005 SD5008 SD6007 SD6008 SD6010 SD8001 SD9001"},
		"pods/log":               {"", "SD1001 SD1002 SD1003 SD1004 SD1005 SD1008 SD1009 SD2005 SD3001 SD4002 SD5008 SD6007"},
		"services":               {"SD1002 SD1009 SD6011", owned + " SD6003"},
		"configmaps":             {"", owned + " SD6011"},
		"persistentvolumeclaims": {"", owned + " SD6011"},
		"ingresses":              {"", owned + " SD6003 SD6011"},
		"events":                 {"SD2003", "SD6002 SD8002 SD9002 SD9003"},
		"namespaces":             {"", "SD6006"}, // the operator's flags and the selectors name the namespaces here
		"secrets":                {"SD1003 SD1004 SD1005", "SD1006"},
		"deployments": {"SD1003 SD1004 SD1005 SD1006 SD1007 SD1008 SD1009 SD3002 SD3003 SD5001 SD5002 SD5003 SD5004 " +
			"SD5005 SD5006 SD5008 SD5009 SD5010 SD5011 SD5012 SD5013 SD6001 SD9001", "SD6006 SD8001"},
		"jobs":                            {"", "SD5012"},
		"endpointslices":                  {"SD1002", ""},
		"mutatingwebhookconfigurations":   {"SD1007 SD1008", "SD1001 SD1002 SD1003 SD1005 SD1006 SD1009"},
		"leases":                          {"", "SD5005"},
		"nodes":                           {"", ""}, // of drivers that run no node is read
		"resourcequotas":                  {"", "SD9001"},
		"customresourcedefinitions":       {"SD5002 SD5011", ""},
		"rolebindings":                    {"SD5006 SD5007", ""},
		"clusterrolebindings":             {"SD5006 SD5007", ""},
		"roles":                           {"SD5006 SD5007", ""},
		"clusterroles":                    {"SD5006 SD5007", ""},
		"serviceaccounts":                 {"", "SD5007"},
		"validatingwebhookconfigurations": {"", "SD1001 SD1002 SD1003 SD1005 SD1006 SD1009"},
	}
	for _, rule := range reads() {
		for _, resource := range rule.Resources {
			t.Run(resource, func(t *testing.T) {
				user := "without-" + strings.ReplaceAll(resource, "/", "-")
				require.NoError(t, cp.Grant(t.Context(), user, "", without(resource)...))
				o := admin.scan(t, "--as", user, "--logs")
				require.Empty(t, o.findings(), "what was not seen is not a finding")
				want, listed := lacks[resource]
				require.True(t, listed, "what the lack of %s costs is not written down", resource)
				require.Equal(t, want, limitsOf(t, o, resource))
				if want == (limits{}) {
					require.Equal(t, 0, o.code)
					return
				}
				require.Equal(t, 3, o.code, "incomplete")
				if resource == "pods/log" {
					require.Equal(t, 0, admin.scan(t, "--as", user, "--logs", "--allow-incomplete").code)
					require.Contains(t, admin.run(t, "scan", "--as", user, "--logs").stdout, resource, "the table names what is missing")
					require.Equal(t, 0, admin.scan(t, "--as", user).code, "logs that nobody asked for are not missing")
				}
			})
		}
	}
}

// limits are the checks that could not read everything, by id, in order.
type limits struct{ skipped, partial string }

// limitsOf also holds that each of them names the permission that it lacks.
func limitsOf(t *testing.T, o outcome, resource string) limits {
	t.Helper()
	var skipped, partial []string
	for _, c := range o.report.Checks {
		switch {
		case c.Status == "skipped":
			skipped = append(skipped, c.ID)
		case c.Coverage == "partial":
			partial = append(partial, c.ID)
		default:
			continue
		}
		require.True(t, slices.ContainsFunc(c.Unseen, func(u struct{ Verb, Resource, Namespace, Reason string }) bool {
			return (u.Verb == "list" || u.Verb == "get") && strings.HasPrefix(u.Resource, resource) && u.Reason == "forbidden"
		}), "%s: %v", c.ID, c.Unseen)
	}
	return limits{strings.Join(skipped, " "), strings.Join(partial, " ")}
}

// TestNoOperator points at a cluster that has nothing to do with Spark: a pipeline must not turn green.
func TestNoOperator(t *testing.T) {
	t.Parallel()
	cp, err := controlplane.Start(t.Context(), controlplane.Options{Log: t.Output()})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, cp.Stop()) })
	o := as(t, cp, build(t), "admin").run(t, "scan")
	require.Equal(t, 3, o.code)
	require.Empty(t, o.stdout)
	require.Equal(t, 1, strings.Count(o.stderr, "\n"), o.stderr)
	require.Contains(t, o.stderr, "no Spark Operator found")
}
