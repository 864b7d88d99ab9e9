package change

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

func viewOf(spec app.Spec) *mechanism.View {
	application := &app.Application{Spec: spec}
	application.Name, application.Kind = "etl", "SparkApplication"
	return &mechanism.View{Evidence: &app.Evidence{Application: application}, Spec: spec}
}

// TestAccountThatExists: it is named where the namespace has one for workloads, or one that is nearly what was meant.
func TestAccountThatExists(t *testing.T) {
	spec := app.Spec{Driver: app.Role{ServiceAccount: "spark"}}
	for name, row := range map[string]struct {
		spec     app.Spec
		accounts []string
		want     any
	}{
		"one":                      {spec, []string{"spark-operator-spark"}, "spark-operator-spark"},
		"none":                     {spec, nil, nil},
		"two, one of them near":    {spec, []string{"airflow", "sparks"}, "sparks"},
		"two, neither near":        {spec, []string{"airflow", "flink"}, nil},
		"the spec does not say so": {app.Spec{}, []string{"spark-operator-spark"}, nil},
	} {
		d := mechanism.SubmissionRefused{Account: "spark", Accounts: row.accounts}
		got := account(viewOf(row.spec), &cause.Cause{Detail: d})
		if row.want == nil {
			require.Empty(t, got, name)
			continue
		}
		require.Len(t, got, 1, name)
		require.Equal(t, row.want, got[0].To, name)
		require.Equal(t, []string{"spec", "driver", "serviceAccount"}, got[0].Path, name)
	}
}

// TestPullSecretThatExists: the whole list is kept, with one name of it changed.
func TestPullSecretThatExists(t *testing.T) {
	v := viewOf(app.Spec{ImagePullSecrets: []string{"mirror", "dockerhub-creds"}})
	pull := func(known ...string) *mechanism.ImagePull {
		return &mechanism.ImagePull{SecretsGone: []string{"dockerhub-creds"}, Known: known}
	}
	got := pullSecret(v, pull("dockerhub-cred", "quay"))
	require.Len(t, got, 1)
	require.Equal(t, []string{"mirror", "dockerhub-cred"}, got[0].To)
	require.Empty(t, pullSecret(v, pull("quay")), "no name is near")
	require.Empty(t, pullSecret(v, pull()), "names were not seen")
	require.Empty(t, pullSecret(viewOf(app.Spec{}), pull("dockerhub-cred")), "the spec does not name it")
}

// TestDriverMovesOffSpotNodes: the selector of the application goes to the executors, and the driver gets a label of nodes that stay.
func TestDriverMovesOffSpotNodes(t *testing.T) {
	const spotKey, pool = "cloud.google.com/gke-spot", "cloud.google.com/gke-nodepool"
	lost := mechanism.LostNode{Spot: mechanism.Spot{Key: spotKey, Value: "true", StaysKey: pool, StaysValue: "std", Nodes: 2}}
	got := spot(viewOf(app.Spec{NodeSelector: map[string]string{spotKey: "true"}}), &cause.Cause{Detail: lost})
	require.Len(t, got, 3)
	require.Equal(t, []string{"spec", "driver", "nodeSelector", pool}, got[0].Path)
	require.Equal(t, []string{"spec", "nodeSelector", spotKey}, got[1].Path)
	require.Nil(t, got[1].To)
	require.Equal(t, []string{"spec", "executor", "nodeSelector", spotKey}, got[2].Path)

	// Karpenter makes nodes of the label, whether one was seen or not. What else keeps the driver on spot nodes goes, too.
	const capacity, karpenterPool = "karpenter.sh/capacity-type", "karpenter.sh/nodepool"
	drained := mechanism.Drain{Spot: mechanism.Spot{StaysKey: capacity, StaysValue: "on-demand",
		Pins: []mechanism.NodeLabel{{Key: karpenterPool, Value: "cheap", Nodes: 2}}}}
	selects := app.Spec{Driver: app.Role{NodeSelector: map[string]string{karpenterPool: "cheap"}}}
	got = spot(viewOf(selects), &cause.Cause{Detail: drained})
	require.Len(t, got, 2)
	require.Equal(t, Offered{}, got[0].Because)
	require.Equal(t, []string{"spec", "driver", "nodeSelector", karpenterPool}, got[1].Path)
	require.Nil(t, got[1].To)
	drained.Spot.Key, drained.Spot.Value, drained.Spot.Pins = capacity, "spot", nil
	selects.Driver.NodeSelector = map[string]string{capacity: "spot"}
	got = spot(viewOf(selects), &cause.Cause{Detail: drained})
	require.Len(t, got, 1, "a label is replaced")
	require.Equal(t, "spot", got[0].From)

	lost.Spot.StaysKey = ""
	require.Empty(t, spot(viewOf(app.Spec{}), &cause.Cause{Detail: lost}), "no node is known that stays")
}
