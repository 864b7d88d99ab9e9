package e2e

import (
	"context"
	"errors"
	"regexp"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/controlplane"
)

// TestFixOwnerPermissions asks for more: who changes owners must be able to delete the object, and to set finalizers of
// an owner that blocks.
func TestFixOwnerPermissions(t *testing.T) {
	t.Parallel()
	strict := controlplane.Options{APIServerArgs: []string{"--enable-admission-plugins=OwnerReferencesPermissionEnforcement"}}
	f := startFixing(t, build(t), "2.5.1", strict)
	u := f.reader(t, "u1")
	parted := f.part(t, "granted", "etl")
	u.lacks(t, parted)
	u.refusedToChangeOwners(t, parted)
	require.NoError(t, f.cp.Grant(t.Context(), "u1", "granted",
		rbacv1.PolicyRule{APIGroups: []string{""}, Resources: []string{"pods"}, Verbs: []string{"delete"},
			ResourceNames: []string{"etl-driver"}}))
	u.refusedToChangeOwners(t, parted)
	require.NoError(t, f.cp.Grant(t.Context(), "u1", "granted",
		rbacv1.PolicyRule{APIGroups: []string{"sparkoperator.k8s.io"}, Resources: []string{"sparkapplications/finalizers"},
			Verbs: []string{"update"}, ResourceNames: []string{"etl"}}))
	u.can(t, parted)

	owned := u.owned(t)
	u.lacks(t, owned)
	u.refusedToChangeOwners(t, owned)
	require.NoError(t, f.cp.Grant(t.Context(), "u1", "granted",
		rbacv1.PolicyRule{APIGroups: []string{"sparkoperator.k8s.io"}, Resources: []string{"sparkapplications"}, Verbs: []string{"delete"},
			ResourceNames: []string{"etl"}}))
	u.can(t, owned)
}

// justEnough gives a reader just what each fix says that it lacks, and no more.
func justEnough(t *testing.T, f fixing) {
	u := f.reader(t, "u1")
	parted := f.part(t, "granted", "etl")
	f.fill(t, "granted", "etl", 400)
	grown := repair{check: "SD3001", kind: "SparkApplication", namespace: "granted", name: "etl",
		flags: []string{"--max-object-size", "30000"}, allow: []string{"--keep-executors", "5"}}
	for _, r := range []repair{parted, grown, u.owned(t)} {
		u.lacks(t, r)
		u.can(t, r)
	}

	// Another user has the roles that rbac prints for these repairs.
	f.disown(t, "granted", "etl")
	f.fill(t, "granted", "etl", 400)
	admin := f.doctor
	grantRoles(t, f.cp.Client, admin, "u2", "--for-fix", "--checks", "SD2002,SD2006,SD3001")
	v := f.as(t, "u2")
	for _, r := range []repair{parted, grown, v.owned(t)} {
		v.can(t, r)
	}
}

// reader is a user who may read what a scan reads.
func (f fixing) reader(t *testing.T, user string) fixing {
	t.Helper()
	require.NoError(t, f.cp.Grant(t.Context(), user, "", reads()...))
	u := f.as(t, user)
	until(t, "the rights to be known", func(context.Context) (bool, error) { return u.doctor.scan(t).code != 3, nil })
	return u
}

// owned gives the application an owner that does not exist.
func (f fixing) owned(t *testing.T) repair {
	t.Helper()
	f.patch(t, "granted", "etl", ownerReferences("Pipeline", "pipelines.example.com/v1", "nightly", "00000000-0000-4000-8000-000000000001"))
	return repair{check: "SD2002", kind: "SparkApplication", namespace: "granted", name: "etl"}
}

// lacks shows that nothing is applied while a permission is missing, and grants those that are named.
func (f fixing) lacks(t *testing.T, r repair) {
	t.Helper()
	f.proxy.Forget()
	o := f.fix(t, r, t.TempDir(), "--yes")
	require.Equal(t, 4, o.code, o.stdout+o.stderr)
	require.Contains(t, o.stderr, "nothing was applied")
	require.Empty(t, f.writes())
	named := regexp.MustCompile(`(?m)^missing permission: (\w+) (?:(\w+) of )?(\w+) granted/(\S+)$`).FindAllStringSubmatch(o.stderr, -1)
	require.NotEmpty(t, named, o.stderr)
	for _, m := range named {
		rule := map[string]rbacv1.PolicyRule{
			"Pod":              {APIGroups: []string{""}, Resources: []string{"pods"}},
			"SparkApplication": {APIGroups: []string{"sparkoperator.k8s.io"}, Resources: []string{"sparkapplications"}},
		}[m[3]]
		if m[2] != "" {
			rule.Resources[0] += "/" + m[2]
		}
		rule.Verbs, rule.ResourceNames = []string{m[1]}, []string{m[4]}
		require.NoError(t, f.cp.Grant(t.Context(), "u1", "granted", rule))
	}
	until(t, "the API server to know them", func(context.Context) (bool, error) {
		o = f.fix(t, r, t.TempDir())
		return !strings.Contains(o.stderr, "missing permission: "), errors.New(o.stderr)
	})
}

func (f fixing) refusedToChangeOwners(t *testing.T, r repair) {
	t.Helper()
	f.proxy.Forget()
	o := f.fix(t, r, t.TempDir(), "--yes")
	require.Equal(t, 4, o.code, o.stdout+o.stderr)
	require.Regexp(t, "(?m)^missing permission for fix 1: .*cannot set (an ownerRef on a resource you can't delete|blockOwnerDeletion)",
		o.stderr)
	require.Contains(t, o.stderr, "nothing was applied")
	require.Empty(t, f.writes())
}

func (f fixing) can(t *testing.T, r repair) {
	t.Helper()
	until(t, "the API server to know the rights", func(context.Context) (bool, error) {
		o := f.fix(t, r, t.TempDir(), "--yes")
		if o.code == 4 {
			return false, nil
		}
		require.Equal(t, 0, o.code, o.stdout+o.stderr)
		return true, nil
	})
	require.Empty(t, f.found(t, r))
}
