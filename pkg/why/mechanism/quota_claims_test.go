package mechanism

import (
	"testing"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
)

// TestClaimedFor: only the one volume that the driver makes claims for is named, and nothing else that is refused in its place.
func TestClaimedFor(t *testing.T) {
	t.Parallel()
	const claim = `persistentvolumeclaims "etl-0f3a-exec-12-pvc-0" is forbidden: exceeded quota: scratch`
	one := map[string]string{ClaimSettings + "scratch.options.claimName": "OnDemand", ClaimSettings + "data.options.claimName": "shared"}
	two := map[string]string{ClaimSettings + "a.options.claimName": "OnDemand", ClaimSettings + "b.options.claimName": "OnDemand"}
	for _, c := range []struct {
		name    string
		conf    map[string]string
		counted corev1.ResourceName
		said    string
		want    string
	}{
		{"one volume", one, "requests.storage", claim, "scratch"},
		{"quoted in a log of JSON", one, "requests.storage", `persistentvolumeclaims \"etl-exec-1-pvc-0\" is forbidden`, "scratch"},
		{"of a class", one, "fast.storageclass.storage.k8s.io/requests.storage", claim, "scratch"},
		{"claims are counted", one, "persistentvolumeclaims", claim, "scratch"},
		{"two volumes", two, "requests.storage", claim, ""},
		{"no volume of the spec", nil, "requests.storage", claim, ""},
		{"a claim of the program", one, "requests.storage", `persistentvolumeclaims "export" is forbidden: exceeded quota: scratch`, ""},
		{"pods are counted", one, "pods", `pods "etl-exec-1" is forbidden: exceeded quota: team`, ""},
	} {
		v := &View{Spec: app.Spec{Conf: c.conf}}
		require.Equal(t, c.want, claimedFor(v, c.counted, c.said), c.name)
	}
}
