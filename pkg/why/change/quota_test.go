package change

import (
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/catalog"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/logs"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

func quantity(text string) resource.Quantity {
	q, _ := resource.ParseQuantity(text) // empty: zero
	return q
}

// TestPodsLargerThanTheQuota: one that can never fit gets what is left; one that fits once others end stays as it is, and so does one that
// a count of objects keeps out.
func TestPodsLargerThanTheQuota(t *testing.T) {
	spec := app.Spec{Driver: app.Role{Memory: "12g"}, Executor: app.Role{Memory: "12g"}}
	refused := func(of corev1.ResourceName, asks, used, limited string) *cause.Cause {
		return &cause.Cause{Detail: mechanism.SubmissionRefused{Refusal: mechanism.Refusal{Kind: mechanism.QuotaExceeded, Name: "team",
			Amount: mechanism.Amount{Resource: of, Asks: quantity(asks), Used: quantity(used), Limited: quantity(limited)}}}}
	}
	require.Empty(t, quota(viewOf(spec), refused(corev1.ResourcePods, "1", "12", "12")))
	require.Empty(t, quota(viewOf(spec), refused(corev1.ResourceRequestsMemory, "13516Mi", "8Gi", "16Gi")), "others will end")
	require.Empty(t, quota(viewOf(spec), refused(corev1.ResourceRequestsCPU, "8", "1", "4")), "cores are no memory")
	require.Empty(t, quota(viewOf(spec), refused(corev1.ResourceRequestsMemory, "13516Mi", "8Gi", "8Gi")), "nothing is left")
	require.Empty(t, quota(viewOf(spec), refused(corev1.ResourceRequestsMemory, "", "", "")), "the words were cut off")
	got := quota(viewOf(spec), refused(corev1.ResourceRequestsMemory, "13516Mi", "1Gi", "10Gi"))
	require.Len(t, got, 1)
	require.Equal(t, []string{"spec", "driver", "memory"}, got[0].Path)
	require.Equal(t, LeftOfQuota{"team", "requests.memory"}, got[0].Because)

	tooLarge := mechanism.QuotaRefuses{Quota: "team", Resource: corev1.ResourceLimitsMemory, Asks: resource.MustParse("13516Mi"),
		Hard: resource.MustParse("10Gi"), Used: resource.MustParse("1Gi")}
	got = quota(viewOf(spec), &cause.Cause{Detail: tooLarge})
	require.Len(t, got, 1)
	require.Equal(t, []string{"spec", "executor", "memory"}, got[0].Path)
}

// TestLimitThatOnlyTheLogTellsOf: executors get the limit of CPU that the quota counts, unless they have one.
func TestLimitThatOnlyTheLogTellsOf(t *testing.T) {
	said := func(what string) *cause.Cause {
		return &cause.Cause{Detail: logs.Failure{Finding: logs.Finding{Meaning: logs.Known{Signature: catalog.Signature{ID: "quota-must-specify"},
			Groups: map[string]string{"quota": "team", "what": what}}}}}
	}
	got := quota(viewOf(app.Spec{}), said("limits.cpu"))
	require.Len(t, got, 1)
	require.Equal(t, []string{"spec", "executor", "coreLimit"}, got[0].Path)
	require.Equal(t, Counts{"team", "limits.cpu"}, got[0].Because)
	require.Empty(t, quota(viewOf(app.Spec{}), said("requests.nvidia.com/gpu")))
	require.Empty(t, quota(viewOf(app.Spec{Executor: app.Role{CoreLimit: "2"}}), said("limits.cpu")))
}
