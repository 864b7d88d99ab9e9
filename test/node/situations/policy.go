package situations

import (
	"context"
	"fmt"

	admissionv1 "k8s.io/api/admissionregistration/v1"
	apierrors "k8s.io/apimachinery/pkg/api/errors"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/controlplane"
)

// protect forbids all users to delete the pods of a role (kubernetes.io/docs/reference/access-authn-authz/validating-admission-policy),
// and returns when the API server does so.
func protect(role string) Step {
	return Step{"forbid to delete " + role, func(ctx context.Context, p place) error {
		name, policies := policyName(p), p.cp.Client.AdmissionregistrationV1()
		if _, err := policies.ValidatingAdmissionPolicies().Create(ctx, protection(name, role), metav1.CreateOptions{}); err != nil {
			return fmt.Errorf("creating a policy: %w", err)
		}
		if _, err := policies.ValidatingAdmissionPolicyBindings().Create(ctx, &admissionv1.ValidatingAdmissionPolicyBinding{
			ObjectMeta: metav1.ObjectMeta{Name: name},
			Spec: admissionv1.ValidatingAdmissionPolicyBindingSpec{PolicyName: name,
				ValidationActions: []admissionv1.ValidationAction{admissionv1.Deny}, MatchResources: &admissionv1.MatchResources{
					NamespaceSelector: &metav1.LabelSelector{MatchLabels: map[string]string{"kubernetes.io/metadata.name": p.namespace}}}},
		}, metav1.CreateOptions{}); err != nil {
			return fmt.Errorf("binding a policy: %w", err)
		}
		return controlplane.Until(ctx, patience, "the policy to be enforced", func(ctx context.Context) (bool, error) {
			pods, err := podsOf(ctx, p, role)
			if err != nil {
				return false, err
			}
			for _, pod := range pods {
				err := p.cp.Client.CoreV1().Pods(p.namespace).Delete(ctx, pod.Name, metav1.DeleteOptions{DryRun: []string{metav1.DryRunAll}})
				if !apierrors.IsInvalid(err) && !apierrors.IsForbidden(err) {
					return false, err
				}
			}
			return len(pods) > 0, fmt.Errorf("%d pods", len(pods))
		})
	}}
}

// unprotect lifts the policy.
func unprotect() Step {
	return Step{"lift the policy", func(ctx context.Context, p place) error {
		return p.cp.Client.AdmissionregistrationV1().ValidatingAdmissionPolicyBindings().Delete(ctx, policyName(p), metav1.DeleteOptions{})
	}}
}

func policyName(p place) string { return "protect-" + p.namespace }

func protection(name, role string) *admissionv1.ValidatingAdmissionPolicy {
	return &admissionv1.ValidatingAdmissionPolicy{
		ObjectMeta: metav1.ObjectMeta{Name: name},
		Spec: admissionv1.ValidatingAdmissionPolicySpec{
			MatchConstraints: &admissionv1.MatchResources{
				ObjectSelector: &metav1.LabelSelector{MatchLabels: map[string]string{"spark-role": role}},
				ResourceRules: []admissionv1.NamedRuleWithOperations{{RuleWithOperations: admissionv1.RuleWithOperations{
					Operations: []admissionv1.OperationType{admissionv1.Delete},
					Rule:       admissionv1.Rule{APIGroups: []string{""}, APIVersions: []string{"v1"}, Resources: []string{"pods"}},
				}}},
			},
			Validations: []admissionv1.Validation{{Expression: "false", Message: "running jobs must not be deleted"}},
		},
	}
}
