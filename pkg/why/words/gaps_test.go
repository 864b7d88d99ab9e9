package words

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/mechanism"
)

// TestGapsSayWhereAndWhatGrantsThem: only what was refused needs an administrator, and the roles are for the application's namespace.
func TestGapsSayWhereAndWhatGrantsThem(t *testing.T) {
	const roles = "kubectl sparkdoctor rbac --for-why --job-namespaces team-a --bind serviceaccount=team-a:dana " +
		"--name sparkdoctor-why:team-a:dana | kubectl apply -f -"
	for want, u := range map[Gap]snapshot.Unseen{
		{What: "events", Line: roles}:                               {Resource: "events", Namespace: "team-a", Reason: snapshot.Forbidden},
		{What: "events of nodes in namespace default", Line: roles}: {Resource: "events", Namespace: "default", Reason: snapshot.Forbidden},
		{What: "pods/log op in namespace spark-operator", Line: roles}: {Resource: "pods/log", Name: "op", Namespace: "spark-operator",
			Reason: snapshot.Forbidden},
		{What: "nodes node-1", Line: roles}: {Resource: "nodes", Name: "node-1", Reason: snapshot.Forbidden},
		{What: "nodes node-2"}: {Resource: "nodes", Name: "node-2", Reason: "timeout",
			Obstacle: snapshot.TimedOut},
	} {
		got := OfGap(mechanism.GapOf(u, "team-a", "system:serviceaccount:team-a:dana"))
		require.Equal(t, want.What, got.What)
		require.Equal(t, want.Line, got.Line)
	}
	inDefault := OfGap(mechanism.GapOf(snapshot.Unseen{Resource: "events", Namespace: "default", Reason: snapshot.Forbidden}, "default", ""))
	require.Equal(t, "events", inDefault.What, "of an application in default they are its own, too")
	require.Equal(t, "kubectl sparkdoctor rbac --for-why --discover | kubectl apply -f -",
		OfGap(mechanism.GapOf(snapshot.Unseen{Resource: "pods", Reason: snapshot.Forbidden}, "", "")).Line)
}
