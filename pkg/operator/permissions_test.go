package operator

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func TestProcesses(t *testing.T) {
	controller := func(version string, args ...string) snapshot.Deployment {
		return snapshot.Deployment{
			Object: snapshot.Object{Ref: snapshot.Ref{Namespace: "op", Name: "spark-operator-controller"}}, Replicas: 1,
			Containers: []snapshot.Container{{Image: "ghcr.io/kubeflow/spark-operator/controller:" + version,
				Args: append([]string{"controller", "start", "--namespaces=team-a"}, args...)}},
		}
	}
	needs := func(d snapshot.Deployment) string {
		found := Find([]snapshot.Deployment{d})
		require.Len(t, found, 1)
		all := found[0].Processes()
		if len(all) == 0 {
			return ""
		}
		require.Equal(t, []string{"team-a"}, all[0].Namespaces)
		var out []string
		for _, p := range all[0].Needs {
			require.NotEmpty(t, p.Source)
			require.NotEmpty(t, p.Breaks)
			text := strings.Join(p.Verbs, "/") + " " + p.Resource
			if p.When != NoFeature {
				text += " for " + string(p.When)
			}
			if p.Degrades {
				text += " (degrades)"
			}
			out = append(out, text+" "+p.Name)
		}
		return strings.Join(out, "\n")
	}
	require.NotContains(t, needs(controller("2.2.1")), "sparkconnects")
	require.Contains(t, needs(controller("2.3.0")), "list/watch sparkconnects")
	require.Contains(t, needs(controller("2.2.1")), "list/watch configmaps for spec.monitoring")
	require.NotContains(t, needs(controller("2.3.0")), "for spec.monitoring")
	require.Contains(t, needs(controller("2.5.0")), "list/watch ingresses for ingresses (degrades)")
	require.Contains(t, needs(controller("2.5.1")), "list/watch ingresses for ingresses \n")
	require.NotContains(t, needs(controller("2.5.1")), "leases")
	require.Contains(t, needs(controller("2.5.1", "--leader-election=true", "--leader-election-lock-name=lock")),
		"get/create/update leases for leader election lock")
	require.NotContains(t, needs(controller("2.5.1")), "namespaces")
	idle := controller("2.5.1")
	idle.Replicas = 0
	require.Empty(t, needs(idle))
}
