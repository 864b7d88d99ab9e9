package wire

import (
	"strings"

	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

const (
	accountsGroup   = "system:serviceaccounts"
	accountsOfGroup = accountsGroup + ":" // and a namespace
	anyoneGroup     = "system:authenticated"
)

func roleFrom(r *rbacv1.Role, loc snapshot.Location) *snapshot.RoleRules {
	return rulesFrom("Role", &r.ObjectMeta, r.Rules, loc)
}

func clusterRoleFrom(r *rbacv1.ClusterRole, loc snapshot.Location) *snapshot.RoleRules {
	out := rulesFrom("ClusterRole", &r.ObjectMeta, r.Rules, loc)
	out.Aggregated = r.AggregationRule != nil && len(r.Rules) == 0
	return out
}

// decodeBinding reads both kinds, which have the same fields.
func (d *Decoder) decodeBinding(src snapshot.Source, item Item) (*snapshot.RoleBinding, error) {
	var b rbacv1.RoleBinding
	if err := typed(item, &b); err != nil {
		return nil, err
	}
	out := bindingFrom(src, &b, item.Location)
	if out == nil {
		return nil, nil
	}
	d.object(&out.Object)
	out.RoleKind, out.RoleName = intern(&d.sharer, out.RoleKind), intern(&d.sharer, out.RoleName)
	for i := range out.Subjects {
		s := &out.Subjects[i]
		s.Namespace, s.Name = intern(&d.sharer, s.Namespace), intern(&d.sharer, s.Name)
	}
	return out, nil
}

func bindingFrom(src snapshot.Source, b *rbacv1.RoleBinding, loc snapshot.Location) *snapshot.RoleBinding {
	out := &snapshot.RoleBinding{
		Object: objectFrom(src.APIVersion(), src.Kind, &b.ObjectMeta, loc), RoleKind: b.RoleRef.Kind, RoleName: b.RoleRef.Name,
	}
	for _, s := range b.Subjects {
		if one, ok := subjectFrom(s, b.Namespace); ok {
			out.Subjects = append(out.Subjects, one)
		}
	}
	if len(out.Subjects) == 0 {
		return nil
	}
	return out
}

// subjectFrom reads who a subject is. A ServiceAccount without a namespace is refused in both kinds of bindings; in
// manifests it is taken for one of the binding's own (pkg/apis/rbac/validation/validation.go of kubernetes@v1.36.3).
func subjectFrom(s rbacv1.Subject, namespace string) (snapshot.Grantee, bool) {
	switch s.Kind {
	case rbacv1.ServiceAccountKind:
		if s.Namespace != "" {
			namespace = s.Namespace
		}
		return snapshot.Grantee{Account: snapshot.Account{Namespace: namespace, Name: s.Name}}, namespace != ""
	case rbacv1.UserKind:
		rest, ok := strings.CutPrefix(s.Name, snapshot.UserPrefix)
		space, name, named := strings.Cut(rest, ":")
		return snapshot.Grantee{Account: snapshot.Account{Namespace: space, Name: name}}, ok && named
	case rbacv1.GroupKind:
		if s.Name == accountsGroup || s.Name == anyoneGroup {
			return snapshot.Grantee{Everyone: true}, true
		}
		space, ok := strings.CutPrefix(s.Name, accountsOfGroup)
		return snapshot.Grantee{Account: snapshot.Account{Namespace: space}, Everyone: true}, ok && space != ""
	default:
		return snapshot.Grantee{}, false
	}
}

func rulesFrom(kind string, m *metav1.ObjectMeta, rules []rbacv1.PolicyRule, loc snapshot.Location) *snapshot.RoleRules {
	out := &snapshot.RoleRules{Object: objectFrom(rbacv1.SchemeGroupVersion.String(), kind, m, loc)}
	for _, rule := range rules {
		if len(rule.Resources) > 0 {
			out.Rules = append(out.Rules, snapshot.AccessRule{
				Verbs: rule.Verbs, Groups: rule.APIGroups, Resources: rule.Resources, Names: rule.ResourceNames,
			})
		}
	}
	return out
}
