package controlplane

import (
	"context"
	"fmt"

	authv1 "k8s.io/api/authentication/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
)

// Kubeconfig writes a kubeconfig for a user and returns its path. Users are admin, who may do
// everything, and reader, nobody and u1 to u9, who may do nothing until a test grants it.
func (cp *ControlPlane) Kubeconfig(user string) (string, error) {
	token, ok := cp.tokens[user]
	if !ok {
		return "", fmt.Errorf("user %q is not in the token file", user)
	}
	return cp.writeKubeconfig(user, token)
}

// AccountKubeconfig writes a kubeconfig for a service account, with a token like those that its pods get, and returns its path.
func (cp *ControlPlane) AccountKubeconfig(ctx context.Context, namespace, account string) (string, error) {
	day := int64(24 * 60 * 60)
	request := &authv1.TokenRequest{Spec: authv1.TokenRequestSpec{ExpirationSeconds: &day}}
	token, err := cp.Client.CoreV1().ServiceAccounts(namespace).CreateToken(ctx, account, request, metav1.CreateOptions{})
	if err != nil {
		return "", fmt.Errorf("requesting a token of %q: %w", account, err)
	}
	return cp.writeKubeconfig(namespace+"-"+account, token.Status.Token)
}

// Grant gives a user rules: in one namespace, or everywhere if namespace is empty.
func (cp *ControlPlane) Grant(ctx context.Context, user, namespace string, rules ...rbacv1.PolicyRule) error {
	meta := metav1.ObjectMeta{GenerateName: "testbed-" + user + "-", Namespace: namespace}
	subjects := []rbacv1.Subject{{Kind: rbacv1.UserKind, APIGroup: rbacv1.GroupName, Name: user}}
	rbac := cp.Client.RbacV1()
	if namespace == "" {
		role, err := rbac.ClusterRoles().Create(ctx, &rbacv1.ClusterRole{ObjectMeta: meta, Rules: rules}, metav1.CreateOptions{})
		if err != nil {
			return fmt.Errorf("creating a cluster role for %s: %w", user, err)
		}
		ref := rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "ClusterRole", Name: role.Name}
		if _, err := rbac.ClusterRoleBindings().Create(ctx, &rbacv1.ClusterRoleBinding{ObjectMeta: meta, Subjects: subjects, RoleRef: ref},
			metav1.CreateOptions{}); err != nil {
			return fmt.Errorf("binding a cluster role to %s: %w", user, err)
		}
		return nil
	}
	role, err := rbac.Roles(namespace).Create(ctx, &rbacv1.Role{ObjectMeta: meta, Rules: rules}, metav1.CreateOptions{})
	if err != nil {
		return fmt.Errorf("creating a role for %s: %w", user, err)
	}
	ref := rbacv1.RoleRef{APIGroup: rbacv1.GroupName, Kind: "Role", Name: role.Name}
	if _, err := rbac.RoleBindings(namespace).Create(ctx, &rbacv1.RoleBinding{ObjectMeta: meta, Subjects: subjects, RoleRef: ref},
		metav1.CreateOptions{}); err != nil {
		return fmt.Errorf("binding a role to %s: %w", user, err)
	}
	return nil
}
