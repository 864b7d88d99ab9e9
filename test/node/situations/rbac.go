package situations

import (
	"context"
	"fmt"
	"slices"
	"strings"

	authorizationv1 "k8s.io/api/authorization/v1"
	rbacv1 "k8s.io/api/rbac/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/controlplane"
)

// controllerAccount is the controller's service account. Its Role in each of spark.jobNamespaces has the same name
// (charts/spark-operator-chart/templates/controller/rbac.yaml@v2.5.2).
const controllerAccount = "spark-operator-controller"

// withdraw takes a resource of the operator's group out of the controller's Role in a namespace.
func withdraw(namespace, resource string) Step {
	return permission("withdraw", namespace, resource, false, func(role *rbacv1.Role) {
		for i := range role.Rules {
			role.Rules[i].Resources = slices.DeleteFunc(role.Rules[i].Resources, func(r string) bool { return r == resource })
		}
	})
}

// grant lets the controller update what was withdrawn.
func grant(namespace, resource string) Step {
	return permission("grant", namespace, resource, true, func(role *rbacv1.Role) {
		role.Rules = append(role.Rules, rbacv1.PolicyRule{APIGroups: []string{controlplane.Applications().Group}, Resources: []string{resource},
			Verbs: []string{"update"}})
	})
}

// permission changes the controller's Role in a namespace, and returns when the API server allows or denies the update of a resource.
func permission(what, namespace, resource string, want bool, change func(*rbacv1.Role)) Step {
	return Step{what + " update " + resource + " in " + namespace, func(ctx context.Context, p place) error {
		roles := p.cp.Client.RbacV1().Roles(namespace)
		role, err := roles.Get(ctx, controllerAccount, metav1.GetOptions{})
		if err != nil {
			return fmt.Errorf("reading the controller's Role: %w", err)
		}
		change(role)
		if _, err := roles.Update(ctx, role, metav1.UpdateOptions{}); err != nil {
			return fmt.Errorf("changing the controller's Role: %w", err)
		}
		name, subresource, _ := strings.Cut(resource, "/")
		review := &authorizationv1.SubjectAccessReview{Spec: authorizationv1.SubjectAccessReviewSpec{
			User: "system:serviceaccount:" + operatorNamespace + ":" + controllerAccount,
			ResourceAttributes: &authorizationv1.ResourceAttributes{Namespace: namespace, Verb: "update", Group: controlplane.Applications().Group,
				Resource: name, Subresource: subresource},
		}}
		return controlplane.Until(ctx, patience, "the Role to count", func(ctx context.Context) (bool, error) {
			answer, err := p.cp.Client.AuthorizationV1().SubjectAccessReviews().Create(ctx, review, metav1.CreateOptions{})
			return err == nil && answer.Status.Allowed == want, err
		})
	}}
}
