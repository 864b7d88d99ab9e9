package e2e

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// failsOpen changes the policy as a Helm value or a hand would, and changes it back.
func failsOpen(t *testing.T, s situation) {
	configurations := s.cp.Client.AdmissionregistrationV1().MutatingWebhookConfigurations()
	c, err := configurations.Get(t.Context(), "spark-operator-webhook", metav1.GetOptions{})
	require.NoError(t, err)
	set := func(policy string) {
		for i := range c.Webhooks {
			patch := fmt.Sprintf(`[{"op":"replace","path":"/webhooks/%d/failurePolicy","value":%q}]`, i, policy)
			_, err := configurations.Patch(t.Context(), c.Name, types.JSONPatchType, []byte(patch), metav1.PatchOptions{})
			require.NoError(t, err)
		}
	}
	set("Ignore")
	o := s.doctor.scan(t, "--checks", "SD1001")
	require.Equal(t, []string{"warning proven SD1001 MutatingWebhookConfiguration /spark-operator-webhook"}, o.findings(), o.stdout)
	require.Contains(t, o.message(t), fmt.Sprintf("all %d webhooks", len(c.Webhooks)))
	require.Equal(t, o.findings(), s.doctor.scan(t, "--checks", "SD1001", "-n", "kube-system").findings(), "admission is never narrowed")
	set("Fail")
	require.Empty(t, s.doctor.scan(t, "--checks", "SD1001").findings())
}
