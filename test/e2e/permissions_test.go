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
		o := as(t, cp, binary, "reader").scan(t)
		require.Equal(t, 0, o.code, o.stdout+o.stderr)
		require.Zero(t, o.report.Summary.Checks.Skipped)
		require.Empty(t, o.findings())
	})
	// What a reader lacks, and the checks that then are skipped or partial. What only sharpens a verdict costs nothing.
	for i, lacks := range []struct {
		resource         string
		skipped, partial []string
	}{
		{"sparkapplications", []string{"SD1007", "SD2006", "SD3001", "SD3003", "SD3004", "SD3005"}, []string{"SD2001", "SD2002", "SD2005"}},
		{"pods", []string{"SD2006", "SD3005"}, []string{"SD2001", "SD2002", "SD2005"}},
		{"services", nil, []string{"SD2001", "SD2002", "SD2005"}},
		{"events", []string{"SD2003"}, nil},
		{"mutatingwebhookconfigurations", []string{"SD1007", "SD1008"}, []string{"SD1001", "SD1002", "SD1009"}},
		{"endpointslices", []string{"SD1002"}, nil},
	} {
		t.Run("without "+lacks.resource, func(t *testing.T) {
			user := "u" + string(rune('1'+i))
			require.NoError(t, cp.Grant(t.Context(), user, "", without(lacks.resource)...))
			o := as(t, cp, binary, user).scan(t)
			require.Empty(t, o.findings(), "what was not seen is not a finding")
			for _, c := range o.report.Checks {
				switch {
				case slices.Contains(lacks.skipped, c.ID):
					require.Equal(t, "skipped", c.Status, c.ID)
				case slices.Contains(lacks.partial, c.ID):
					require.Equal(t, "partial", c.Coverage, c.ID)
				default:
					continue
				}
				require.True(t, slices.ContainsFunc(c.Unseen, func(u struct{ Verb, Resource, Namespace, Reason string }) bool {
					return u.Verb == "list" && strings.HasPrefix(u.Resource, lacks.resource) && u.Reason == "forbidden"
				}), "%s: %v", c.ID, c.Unseen)
			}
			if len(lacks.skipped)+len(lacks.partial) == 0 {
				require.Equal(t, 0, o.code)
				return
			}
			require.Equal(t, 3, o.code, "incomplete")
			require.Equal(t, 0, as(t, cp, binary, user).scan(t, "--allow-incomplete").code)
			text := as(t, cp, binary, user).run(t, "scan")
			require.Contains(t, text.stdout, lacks.resource, "the table names what is missing")
		})
	}
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

// TestNoOperator points at a cluster that has nothing to do with Spark: a pipeline must not turn green.
func TestNoOperator(t *testing.T) {
	cp, err := controlplane.Start(t.Context(), controlplane.Options{Log: t.Output()})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, cp.Stop()) })
	o := as(t, cp, build(t), "admin").run(t, "scan")
	require.Equal(t, 3, o.code)
	require.Empty(t, o.stdout)
	require.Equal(t, 1, strings.Count(o.stderr, "\n"), o.stderr)
	require.Contains(t, o.stderr, "no Spark Operator found")
}
