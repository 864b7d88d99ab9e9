package e2e

import (
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"

	"github.com/sparkdoctor/kubectl-sparkdoctor/test/controlplane"
)

// TestScanOfLabelledNamespaces installs 2.5 as its documentation shows it for namespaces by label. The chart tells the
// controller and not the webhook.
func TestScanOfLabelledNamespaces(t *testing.T) {
	t.Parallel()
	binary := build(t)
	for _, version := range operators() {
		if version < "2.5" {
			continue
		}
		t.Run(version, func(t *testing.T) {
			t.Parallel()
			cp, err := controlplane.Start(t.Context(), controlplane.Options{Log: t.Output(), CRDs: version})
			require.NoError(t, err)
			t.Cleanup(func() { require.NoError(t, cp.Stop()) })
			op, err := cp.InstallOperator(t.Context(), controlplane.OperatorOptions{Version: version, JobNamespaces: []string{"listed"},
				Values: map[string]any{
					"spark": map[string]any{"jobNamespaceSelector": "spark-jobs=yes"},
				}})
			require.NoError(t, err)
			s := situation{cp: cp, op: op, doctor: as(t, cp, binary, "admin"), version: version}
			s.application(t, "listed", "pi")
			labelled := s.namespace(t, "labelled")
			_, err = cp.Client.CoreV1().Namespaces().Patch(t.Context(), labelled, types.MergePatchType,
				[]byte(`{"metadata":{"labels":{"spark-jobs":"yes"}}}`), metav1.PatchOptions{})
			require.NoError(t, err)
			// The chart makes the jobs' account in listed namespaces only.
			_, err = cp.Client.CoreV1().ServiceAccounts(labelled).Create(t.Context(),
				&corev1.ServiceAccount{ObjectMeta: metav1.ObjectMeta{Name: "spark-operator-spark"}}, metav1.CreateOptions{})
			require.NoError(t, err)
			_, err = cp.CreateApplication(t.Context(), controlplane.NewApplication(s.namespace(t, "others"), "nobodys"))
			require.NoError(t, err)
			s.unmutated(t, labelled, "pi")
			o := s.doctor.scan(t, "--checks", path)
			require.Equal(t, []string{"error proven SD1007 Namespace /labelled"}, o.findings(), o.stdout)
			require.Contains(t, o.message(t), "1 application is reconciled by operator "+version)
			_, err = cp.Client.CoreV1().Namespaces().Patch(t.Context(), labelled, types.MergePatchType,
				[]byte(`{"metadata":{"labels":{"spark-jobs":null}}}`), metav1.PatchOptions{})
			require.NoError(t, err)
			require.Empty(t, s.doctor.scan(t, "--checks", path).findings(), "nobody takes it up any more")
		})
	}
}
