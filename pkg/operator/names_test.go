package operator

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func TestNameFault(t *testing.T) {
	of := func(version, args string, webhook bool) *Installation {
		list := []snapshot.Deployment{deployment("x-controller", "ghcr.io/kubeflow/spark-operator/controller:"+version, "controller start "+args)}
		if strings.HasPrefix(version, "v1beta2") {
			list = []snapshot.Deployment{deployment("x", "docker.io/kubeflow/spark-operator:"+version, "-controller-threads=10")}
		}
		if webhook {
			list = append(list, deployment("x-webhook", "ghcr.io/kubeflow/spark-operator/controller:"+version, "webhook start"))
		}
		found := Find(list)
		require.Len(t, found, 1)
		return &found[0]
	}
	long, fifty7, sixty3 := strings.Repeat("a", 64), strings.Repeat("a", 57), strings.Repeat("a", 63)
	const legacy = "v1beta2-1.6.2-3.5.0"
	for _, c := range []struct {
		version, args string
		webhook       bool
		name          string
		want          NameFault
		proven        bool
	}{
		{legacy, "", false, "2024-etl", GoodName, true},
		{legacy, "", false, "etl.v2", GoodName, true},
		{legacy, "", false, fifty7, GoodName, true},
		{legacy, "", false, long, NoDriver, true},
		{"2.0.2", "", true, "etl", GoodName, true},
		{"2.0.2", "", true, fifty7, NoSubmission, true},
		{"2.1.0", "", true, fifty7, GoodName, true},
		{"2.2.0", "", true, "2024-etl", NoSubmission, false},
		{"2.2.0", "", true, "etl.v2", NoSubmission, true},
		{"2.2.1", "", true, "etl.v2", StaysSubmitted, true},
		{"2.2.1", "--enable-ui-service=false", true, "etl.v2", GoodName, true},
		{"2.3.0", "", true, "etl.v2", StaysSubmitted, true},
		{"2.4.0", "", true, "2024-etl", RefusedName, true},
		{"2.5.2", "", true, "etl.v2", RefusedName, true},
		{"2.5.2", "", true, sixty3, GoodName, true},
		{"2.5.2", "", false, "etl.v2", StaysSubmitted, true},
		{"2.5.2", "", true, long, NoDriver, true},
	} {
		got, proven := of(c.version, c.args, c.webhook).NameFault(c.name)
		require.Equal(t, c.want, got, "%s %s", c.version, c.name)
		require.Equal(t, c.proven, proven, "%s %s", c.version, c.name)
	}
}

// TestLongestName holds that a name which is as long as the advice allows has no fault in any release, and neither have the names of runs.
func TestLongestName(t *testing.T) {
	for _, version := range []string{"2.0.0", "2.2.1", "2.4.0", "2.5.2"} {
		list := []snapshot.Deployment{deployment("x-controller", "ghcr.io/kubeflow/spark-operator/controller:"+version, "controller start"),
			deployment("x-webhook", "ghcr.io/kubeflow/spark-operator/controller:"+version, "webhook start")}
		in := &Find(list)[0]
		for kind, most := range map[string]int{"SparkApplication": 56, "ScheduledSparkApplication": 43, "SparkConnect": 56} {
			require.Equal(t, most, LongestName(kind, in))
			require.Equal(t, most, LongestName(kind, nil))
			name, fault := strings.Repeat("a", most), GoodName
			switch kind {
			case "SparkApplication":
				fault, _ = in.NameFault(name)
			case "SparkConnect":
				fault = in.ConnectNameFault(name)
			default:
				require.Len(t, in.Schedules().RunName(name), 63)
			}
			require.Equal(t, GoodName, fault, "%s %s", version, kind)
		}
	}
}
