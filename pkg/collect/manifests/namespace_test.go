package manifests

import (
	"slices"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestFilesNamespace holds that what names no namespace gets the one that is given, as with Helm, and nothing else does.
func TestFilesNamespace(t *testing.T) {
	const text = `
apiVersion: apps/v1
kind: Deployment
metadata: {name: none}
spec: {template: {spec: {serviceAccountName: robot}}}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: empty, namespace: ""}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: other, namespace: web}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRole
metadata: {name: reader}
---
apiVersion: rbac.authorization.k8s.io/v1
kind: RoleBinding
metadata: {name: reader}
roleRef: {apiGroup: rbac.authorization.k8s.io, kind: ClusterRole, name: reader}
subjects: [{kind: ServiceAccount, name: robot, namespace: jobs}]
`
	for namespace, want := range map[string]string{
		"":     "/empty /none web/other /reader",
		"jobs": "jobs/empty jobs/none web/other /reader jobs/reader",
	} {
		s, _, err := Read(t.Context(), Options{Paths: []string{"-"}, Stdin: strings.NewReader(text), Now: later, Namespace: namespace})
		require.NoError(t, err)
		var got []string
		for _, d := range s.Deployments() {
			got = append(got, d.Namespace+"/"+d.Name)
		}
		for o := range s.Objects() {
			if o.GroupKind().Group == "rbac.authorization.k8s.io" {
				got = append(got, o.Namespace+"/"+o.Name)
			}
		}
		require.Equal(t, want, strings.Join(slices.Compact(got), " "))
		require.Equal(t, namespace, s.Deployments()[1].Account.Namespace, "its service account is where it is")
	}
}
