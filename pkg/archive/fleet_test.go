package archive_test

import (
	"archive/tar"
	"bytes"
	"compress/gzip"
	"fmt"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/archive"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/input"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot/wire"
)

// fleet is applications that are alike, with a driver and nine executors each, as the generator of make bench makes them: their UIDs
// differ in a few digits, so that nothing packs better.
func fleet(t *testing.T, applications int) *snapshot.Snapshot {
	t.Helper()
	const created = "2026-11-20T02:00:00Z"
	b, d := snapshot.NewBuilder(time.Date(2026, 11, 20, 3, 0, 0, 0, time.UTC)), wire.NewDecoder()
	b.FromServer()
	add := func(v snapshot.View, format string, args ...any) {
		src, _ := snapshot.SourceOf(v)
		r, err := d.Decode(src, wire.Item{Encoding: snapshot.JSON, Raw: fmt.Appendf(nil, format, args...)})
		require.NoError(t, err)
		b.Add(v, r)
	}
	for i := range applications {
		ns, app, id := fmt.Sprintf("fleet-%03d", i%200), fmt.Sprintf("app-%05d", i), fmt.Sprintf("%08x", i+1)
		add(snapshot.SparkApplications, `{"apiVersion":"sparkoperator.k8s.io/v1beta2","kind":"SparkApplication","metadata":{"name":%q,"namespace":%q,`+
			`"uid":"%s-f2a7-41a3-9456-fbaf5d70a96b","creationTimestamp":%q,"labels":{"team":"data","pipeline":"nightly"}},`+
			`"spec":{"type":"Scala","mode":"cluster","image":"registry.invalid/data/spark:3.5.5","sparkVersion":"3.5.5",`+
			`"mainClass":"com.invalid.pipelines.Nightly","driver":{"cores":1,"memory":"2g","serviceAccount":"spark-operator-spark"},`+
			`"executor":{"instances":4,"cores":2,"memory":"4g"}},"status":{"applicationState":{"state":"RUNNING"},"submissionID":"%s-bbe2-456c-a14e-0f3cd62f9044",`+
			`"driverInfo":{"podName":"%s-driver"},"lastSubmissionAttemptTime":%q,"executionAttempts":1}}`, app, ns, id, created, id, app, created)
		for k := range 10 {
			name, role, uid := app+"-8f1d2c9b7a6e5f40-exec-"+strconv.Itoa(k), "executor", fmt.Sprintf("%s-7825-4e69-983c-b6a3e961bd%02d", id, k)
			owner := fmt.Sprintf(`{"apiVersion":"v1","kind":"Pod","name":"%s-driver","uid":"%s-7825-4e69-983c-b6a3e961bd00","controller":true}`, app, id)
			if k == 0 {
				name, role = app+"-driver", "driver"
				owner = fmt.Sprintf(`{"apiVersion":"sparkoperator.k8s.io/v1beta2","kind":"SparkApplication","name":%q,`+
					`"uid":"%s-f2a7-41a3-9456-fbaf5d70a96b","controller":true,"blockOwnerDeletion":true}`, app, id)
			}
			add(snapshot.SparkPods, `{"metadata":{"name":%q,"namespace":%q,"uid":%q,"creationTimestamp":%q,"ownerReferences":[%s],"labels":{`+
				`%q:%q,%q:"true",%q:"%s-bbe2-456c-a14e-0f3cd62f9044","spark-role":%q,"spark-exec-id":"%d","spark-app-name":%q,"spark-version":"3.5.5",`+
				`"team":"data","sparkoperator.k8s.io/mutated-by-spark-operator":"true","spark-exec-resourceprofile-id":"0"}},`+
				`"spec":{"nodeName":"node-0","containers":[{"name":"spark-kubernetes-%s","image":"registry.invalid/data/spark:3.5.5",`+
				`"env":[{"name":"STAGE","value":"production"}],"resources":{"requests":{"cpu":"10m","memory":"10Mi"},"limits":{"cpu":"10m","memory":"10Mi"}}}]},`+
				`"status":{"phase":"Running","startTime":%q,"containerStatuses":[{"name":"spark-kubernetes-%s","ready":true,"state":{"running":{"startedAt":%q}}}]}}`,
				name, ns, uid, created, owner, snapshot.AppNameLabel, app, snapshot.LaunchedByLabel, snapshot.SubmissionIDLabel, id, role, k, app, role,
				created, role, created)
		}
	}
	for _, v := range []snapshot.View{snapshot.SparkApplications, snapshot.SparkPods} {
		b.Cover(v, snapshot.Coverage{State: snapshot.Complete})
	}
	return b.Seal()
}

// TestFleetIsWithinTheBudget: what the archive of a fleet takes for each application is at most two thirds of the budget that its bytes
// bring, whatever the size of the fleet.
func TestFleetIsWithinTheBudget(t *testing.T) {
	var last [4]int64
	for i, applications := range []int{50, 500} {
		packed := bytes.Buffer{}
		_, err := archive.Write(t.Context(), &packed, manifest(), fleet(t, applications), nil)
		require.NoError(t, err)
		var spent input.Budget
		z, err := gzip.NewReader(spent.Packed(&packed))
		require.NoError(t, err)
		from := &archive.Limited{R: spent.Unpacked(z)}
		in := tar.NewReader(from)
		first, err := in.Next()
		require.NoError(t, err)
		_, err = archive.Read(t.Context(), &spent, from, in, first)
		require.NoError(t, err)
		now := [4]int64{}
		now[0], now[1] = spent.Kept()
		now[2], now[3] = spent.Grown()
		if i > 0 {
			kept, grown := float64(now[0]-last[0])/float64(now[1]-last[1]), float64(now[2]-last[2])/float64(now[3]-last[3])
			t.Logf("%.2f of what may be kept, %.2f of what may be unpacked", kept, grown)
			require.Less(t, kept, 0.67)
			require.Less(t, grown, 0.67)
		}
		last = now
	}
}
