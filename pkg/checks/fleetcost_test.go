package checks_test

import (
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/check"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/checks"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot/wire"
)

// ordinaryFleet is applications that run, with a driver and nine executors each, in 200 namespaces that an operator watches.
func ordinaryFleet(t *testing.T, applications int) *snapshot.Snapshot {
	t.Helper()
	const namespaces, created = 200, "2026-11-20T02:00:00Z"
	b, d := snapshot.NewBuilder(time.Date(2026, 11, 20, 3, 0, 0, 0, time.UTC)), wire.NewDecoder()
	b.FromServer()
	add := func(v snapshot.View, text string) {
		src, _ := snapshot.SourceOf(v)
		r, err := d.Decode(src, wire.Item{Encoding: snapshot.JSON, Raw: []byte(text)})
		require.NoError(t, err)
		b.Add(v, r)
	}
	var names []string
	for i := range namespaces {
		names = append(names, fmt.Sprintf("team-%03d", i))
	}
	for i := range applications {
		ns, app := names[i%namespaces], fmt.Sprintf("app-%05d", i)
		add(snapshot.SparkApplications, fmt.Sprintf(`{"apiVersion":"sparkoperator.k8s.io/v1beta2","kind":"SparkApplication","metadata":{"name":%q,"namespace":%q,"uid":"a-%s","creationTimestamp":%q},`+
			`"spec":{"type":"Scala","sparkVersion":"3.5.5","driver":{"serviceAccount":"spark"},"executor":{"instances":9}},`+
			`"status":{"applicationState":{"state":"RUNNING"},"driverInfo":{"podName":"%s-driver"},"submissionID":"s-%s","lastSubmissionAttemptTime":%q,"executionAttempts":1}}`, app, ns, app, created, app, app, created))
		for k := range 10 {
			name, role, owner := fmt.Sprintf("%s-exec-%d", app, k), "executor",
				fmt.Sprintf(`{"apiVersion":"v1","kind":"Pod","name":"%s-driver","uid":"d-%s","controller":true}`, app, app)
			uid := "e-" + name
			if k == 0 {
				name, role, owner, uid = app+"-driver", "driver", fmt.Sprintf(`{"apiVersion":"sparkoperator.k8s.io/v1beta2","kind":"SparkApplication","name":%q,"uid":"a-%s","controller":true}`, app, app), "d-"+app
			}
			add(snapshot.SparkPods, fmt.Sprintf(`{"metadata":{"name":%q,"namespace":%q,"uid":%q,"creationTimestamp":%q,"ownerReferences":[%s],"labels":{%q:%q,%q:"true",%q:"s-%s","spark-role":%q,"spark-exec-id":"%d"}},`+
				`"spec":{"containers":[{"name":"spark-kubernetes-%s"}]},"status":{"phase":"Running","startTime":%q}}`,
				name, ns, uid, created, owner, snapshot.AppNameLabel, app, snapshot.LaunchedByLabel, snapshot.SubmissionIDLabel, app, role, k, role,
				created))
		}
	}
	controller := operatorDeployment("controller")
	controller.Containers[0].Args[2] = "--namespaces=" + strings.Join(names, ",")
	b.Add(snapshot.Deployments, controller)
	for _, src := range snapshot.Sources() {
		b.Cover(src.View, snapshot.Coverage{State: snapshot.Complete})
	}
	b.Cover(snapshot.Owners, snapshot.Coverage{State: snapshot.Complete})
	return b.Seal()
}

// TestChecksCost holds what all checks together allocate for a pod of an ordinary fleet, its share of the application with
// it, and that it does not grow with the fleet: never a time.
func TestChecksCost(t *testing.T) {
	each := func(applications int) int {
		s := ordinaryFleet(t, applications)
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		results := check.Run(s, checks.All(), check.DefaultParams())
		runtime.ReadMemStats(&after)
		for _, r := range results {
			require.NotContains(t, r.Reason, "internal error", r.Check.ID)
		}
		return int(after.TotalAlloc-before.TotalAlloc) / (10 * applications) //nolint:gosec // of this process
	}
	small, large := each(400), each(1600)
	t.Logf("%d bytes a pod in a fleet of 4,000, %d in one of 16,000", small, large)
	require.Less(t, large, 2000) // under the race detector 1,500
	require.Less(t, large, 2*small)
}
