package releases

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	rbacv1 "k8s.io/api/rbac/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/operator"
)

// right is one verb that an account may use.
type right struct {
	to                            operator.Account
	place                         operator.Place
	group, resource, suffix, verb string
	selectorOnly                  bool
}

func TestGrants(t *testing.T) {
	each(t, func(t *testing.T, r release) {
		granted := map[right]bool{}
		for _, g := range operator.GrantsOf(r.Version) {
			for verb := range strings.FieldsSeq(g.Verbs) {
				one := right{g.To, g.Place, g.Group, g.Resource, g.Suffix, verb, g.SelectNamespaces}
				require.False(t, granted[one], "%v twice", one)
				granted[one] = true
			}
		}
		require.Equal(t, sorted(without(granted)), sorted(r.rights(t)))
		if r.legacy() {
			return
		}
		everywhere := map[right]bool{}
		for one := range without(granted) {
			if one.place == operator.InJobNamespaces && one.to != operator.ToDrivers {
				one.place = operator.ClusterWide
			}
			if one.to != operator.ToDrivers {
				everywhere[one] = true
			}
		}
		// Helm reads {} as the empty list.
		require.Equal(t, sorted(everywhere), sorted(r.rights(t, "spark.jobNamespaces={}")), "all namespaces")
		selected := r.rights(t, "spark.jobNamespaceSelector=spark=yes")
		for one := range granted {
			if one.selectorOnly {
				one.selectorOnly = false
				require.True(t, selected[one], "%v", one)
			}
		}
	})
}

// without leaves out what is granted with a selector only.
func without(all map[right]bool) map[right]bool {
	out := maps.Clone(all)
	maps.DeleteFunc(out, func(one right, _ bool) bool { return one.selectorOnly })
	return out
}

// rights reads the chart's Roles and ClusterRoles.
func (r release) rights(t *testing.T, settings ...string) map[right]bool {
	t.Helper()
	full := operator.FullName(helmRelease)
	names := operator.ChartNamesOf(r.Version, helmRelease, full)
	all := r.render(t, settings...)
	out := map[right]bool{}
	add := func(to operator.Account, place operator.Place, rules []rbacv1.PolicyRule) {
		for _, rule := range rules {
			objects := rule.ResourceNames
			if len(objects) == 0 {
				objects = []string{full}
			}
			for _, group := range rule.APIGroups {
				for _, resource := range rule.Resources {
					for _, object := range objects {
						require.True(t, strings.HasPrefix(object, full), object)
						for _, verb := range rule.Verbs {
							out[right{to: to, place: place, group: group, resource: resource, suffix: strings.TrimPrefix(object, full), verb: verb}] = true
						}
					}
				}
			}
		}
	}
	for _, role := range of[rbacv1.ClusterRole](t, all, "ClusterRole") {
		add(accountOf(t, names, role.Name), operator.ClusterWide, role.Rules)
	}
	for _, role := range of[rbacv1.Role](t, all, "Role") {
		place := operator.InJobNamespaces
		if role.Namespace == helmNamespace {
			place = operator.InReleaseNamespace
		}
		to := operator.ToDrivers
		if role.Name != names.SparkRole {
			to = accountOf(t, names, role.Name)
		}
		add(to, place, role.Rules)
	}
	return out
}

// accountOf says whose a role is: it is called as the account.
func accountOf(t *testing.T, names operator.ChartNames, role string) operator.Account {
	t.Helper()
	switch role {
	case names.ControllerAccount:
		return operator.ToController
	case names.WebhookAccount:
		return operator.ToWebhook
	}
	require.Fail(t, "whose role is "+role)
	return 0
}

func sorted(rights map[right]bool) []right {
	return slices.SortedFunc(maps.Keys(rights), func(a, b right) int {
		return strings.Compare(a.text(), b.text())
	})
}

func (r right) text() string {
	return strings.Join([]string{string(rune('0' + r.to)), string(rune('0' + r.place)), r.group, r.resource, r.suffix, r.verb}, " ")
}
