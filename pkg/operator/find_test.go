package operator

import (
	"cmp"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func deployment(name, image, args string, labels ...string) snapshot.Deployment {
	d := snapshot.Deployment{
		Object:     snapshot.Object{Ref: snapshot.Ref{APIVersion: "apps/v1", Kind: "Deployment", Namespace: "spark-operator", Name: name}},
		Containers: []snapshot.Container{{Name: "c", Image: image, Args: strings.Fields(args)}},
		Replicas:   1, Ready: 1,
	}
	m := map[string]string{}
	for _, l := range labels {
		key, value, _ := strings.Cut(l, "=")
		m[key] = value
	}
	d.Labels = snapshot.LabelsOf(m)
	return d
}

// TestFind takes Deployments as the charts of each era render them.
func TestFind(t *testing.T) {
	for name, c := range map[string]struct {
		in                          []snapshot.Deployment
		version, stated             string
		namespaces                  []string
		recognised, legacy, webhook bool
		judged                      Version // zero: of what is not recognised, as the newest release
	}{
		"chart 1.1.27": {in: []snapshot.Deployment{deployment("spark-spark-operator",
			"ghcr.io/googlecloudplatform/spark-operator:v1beta2-1.3.8-3.1.1",
			"-v=2 -logtostderr -namespace= -enable-ui-service=true -controller-threads=10 -resync-interval=30")},
			version: "1.3.8", stated: "v1beta2-1.3.8-3.1.1", recognised: true, legacy: true},
		"chart 1.4.6": {in: []snapshot.Deployment{deployment("spark-operator", "docker.io/kubeflow/spark-operator:v1beta2-1.6.2-3.5.0",
			"-v=2 -namespace=spark-apps -enable-webhook=true -webhook-svc-name=spark-operator-webhook-svc")},
			version: "1.6.2", stated: "v1beta2-1.6.2-3.5.0", namespaces: []string{"spark-apps"}, recognised: true, legacy: true, webhook: true},
		"chart 2.0.2": {in: []snapshot.Deployment{
			deployment("spark-operator-controller", "docker.io/kubeflow/spark-operator:2.0.2",
				"controller start --zap-log-level=info --namespaces=default,team-a"),
			deployment("spark-operator-webhook", "docker.io/kubeflow/spark-operator:2.0.2",
				"webhook start --webhook-svc-name=spark-operator-webhook-svc")},
			version: "2.0.2", stated: "2.0.2", namespaces: []string{"default", "team-a"}, recognised: true, webhook: true},
		"chart 2.5.1 over all namespaces": {in: []snapshot.Deployment{
			deployment("x-controller", "ghcr.io/kubeflow/spark-operator/controller:2.5.1", `controller start --namespaces=""`)},
			version: "2.5.1", stated: "2.5.1", recognised: true},
		"a mirror by digest, the label tells": {in: []snapshot.Deployment{
			deployment("x-controller", "mirror.example/spark-operator/controller@sha256:0123", "controller start",
				"app.kubernetes.io/version=2.4.0")},
			version: "2.4.0", stated: "2.4.0", recognised: true},
		"a chart of 1.x alone, whose application has another number": {in: []snapshot.Deployment{
			deployment("x", "mirror.example/spark-operator@sha256:0123", "-controller-threads=10", "helm.sh/chart=spark-operator-1.1.26")},
			version: "1.3.8", stated: "chart 1.1.26", recognised: true, legacy: true},
		"a number of the user's own on an image of 1.x": {in: []snapshot.Deployment{
			deployment("x", "mirror.example/spark-operator:1.4.6", "-controller-threads=10", "app.kubernetes.io/version=v1beta2-1.3.8-3.1.1")},
			version: "1.3.8", stated: "v1beta2-1.3.8-3.1.1", recognised: true, legacy: true},
		"a fork": {in: []snapshot.Deployment{
			deployment("x-controller", "mirror.example:5000/acme/spark:main",
				"/usr/bin/spark-operator controller start --max-tracked-executor-per-app=5")},
			version: "0.0.0", stated: "main"},
		"newer than this build": {in: []snapshot.Deployment{
			deployment("x-controller", "ghcr.io/kubeflow/spark-operator/controller:3.0.0", "controller start")},
			version: "3.0.0", stated: "3.0.0", judged: Next()},
		"the release that comes of what is not released": {in: []snapshot.Deployment{
			deployment("x-controller", "ghcr.io/kubeflow/spark-operator/controller:2.6.0", "controller start")},
			version: "2.6.0", stated: "2.6.0", judged: Next()},
		"a patch of the newest line": {in: []snapshot.Deployment{
			deployment("x-controller", "ghcr.io/kubeflow/spark-operator/controller:2.5.99", "controller start")},
			version: "2.5.99", stated: "2.5.99"},
		"a build of the main branch, which states what is older": {in: []snapshot.Deployment{
			deployment("x-controller", "ghcr.io/kubeflow/spark-operator/controller:2.5.0-rc.0", "controller start")},
			version: "0.0.0", stated: "2.5.0-rc.0"},
	} {
		t.Run(name, func(t *testing.T) {
			found := Find(c.in)
			require.Len(t, found, 1)
			in := found[0]
			require.Equal(t, c.version, in.Version.String())
			require.Equal(t, c.stated, in.Stated)
			require.Equal(t, c.recognised, in.Recognised)
			require.Equal(t, c.legacy, in.Legacy())
			require.Equal(t, c.namespaces, in.Namespaces())
			require.Equal(t, c.webhook, in.Webhook != nil)
			if !c.recognised {
				require.Equal(t, cmp.Or(c.judged, Newest()), in.Judged())
			}
		})
	}
}

func TestFindLeavesOthersAlone(t *testing.T) {
	require.Empty(t, Find([]snapshot.Deployment{
		deployment("kueue", "registry.example/kueue/kueue:v0.14.1", "--zap-log-level=2"),
		deployment("other-controller", "registry.example/other:1", "controller start --port=1"),
		deployment("apache", "apache/spark-kubernetes-operator:1.0.0", "operator"),
		deployment("spark-history", "registry.example/spark:3.5.5", "/opt/spark/sbin/start-history-server.sh"),
	}))
}

func TestFlagsDecide(t *testing.T) {
	of := func(image, args string) *Installation {
		found := Find([]snapshot.Deployment{deployment("x-controller", image, args)})
		require.Len(t, found, 1)
		return &found[0]
	}
	limit := func(in *Installation) int {
		n, limited := in.TrackedExecutors()
		if !limited {
			return -1
		}
		return n
	}
	old := of("docker.io/kubeflow/spark-operator:2.0.2", "controller start")
	require.Equal(t, -1, limit(old), "no limit before 2.1.0")
	require.Equal(t, time.Duration(0), old.DriverGrace())
	current := of("ghcr.io/kubeflow/spark-operator/controller:2.5.1", "controller start")
	require.Equal(t, 1000, limit(current))
	require.Equal(t, 10*time.Second, current.DriverGrace())
	set := of("ghcr.io/kubeflow/spark-operator/controller:2.5.1",
		"controller start --max-tracked-executor-per-app 20000 --driver-pod-creation-grace-period=1m")
	require.Equal(t, 20000, limit(set))
	require.Equal(t, time.Minute, set.DriverGrace())
}

// TestUsesCostsNothing holds that an installation that watches hundreds of namespaces is asked about an application
// without reading its flags again: a fleet asks some 100,000 times.
func TestUsesCostsNothing(t *testing.T) {
	var namespaces []string
	for i := range 200 {
		namespaces = append(namespaces, fmt.Sprintf("team-%03d", i))
	}
	installations := Find([]snapshot.Deployment{
		deployment("x-controller", "ghcr.io/kubeflow/spark-operator/controller:2.5.2",
			"controller start --namespaces="+strings.Join(namespaces, ",")),
		deployment("x-webhook", "ghcr.io/kubeflow/spark-operator/controller:2.5.2", "webhook start --namespaces="+strings.Join(namespaces, ",")),
	})
	require.Len(t, installations, 1)
	require.Zero(t, testing.AllocsPerRun(100, func() {
		in := For(installations, "team-199")
		reconciled, _ := in.Reconciles("team-199", nil)
		handled, _ := in.Handles("elsewhere", nil)
		require.True(t, reconciled)
		require.False(t, handled)
	}))
}

// TestForPrefersWhoIsSure holds that of several installations the one counts that takes a namespace by its name, or takes all,
// and not one that takes it if it has some label.
func TestForPrefersWhoIsSure(t *testing.T) {
	operator := func(name, args string) snapshot.Deployment {
		return deployment(name+"-controller", "ghcr.io/kubeflow/spark-operator/controller:2.5.2", "controller start "+args)
	}
	selecting, naming, all := operator("a", "--namespace-selector=team=x"), operator("b", "--namespaces=team-a"),
		operator("c", "--namespaces=")
	byName := operator("d", "--namespace-selector=kubernetes.io/metadata.name=team-b")
	filtering := deployment("e", "ghcr.io/kubeflow/spark-operator:v1beta2-1.6.2-3.5.0", "-namespace=team-a -label-selector-filter=team=x")
	for name, c := range map[string]struct {
		list      []snapshot.Deployment
		namespace string
		want      string
	}{
		"named, after one that may":   {[]snapshot.Deployment{selecting, naming}, "team-a", "b"},
		"all, after one that may":     {[]snapshot.Deployment{selecting, all}, "team-z", "c"},
		"only one that may":           {[]snapshot.Deployment{selecting, naming}, "team-z", "a"},
		"selected by its name":        {[]snapshot.Deployment{selecting, byName}, "team-b", "d"},
		"not selected by its name":    {[]snapshot.Deployment{byName}, "team-z", ""},
		"one that takes some of them": {[]snapshot.Deployment{filtering, selecting}, "team-a", "a"},
		"a filter, and one is sure":   {[]snapshot.Deployment{filtering, all}, "team-a", "c"},
		"nobody":                      {[]snapshot.Deployment{naming}, "team-z", ""},
		"known to the container only": {[]snapshot.Deployment{operator("f", "--namespaces=$(JOBS)")}, "team-a", ""},
	} {
		t.Run(name, func(t *testing.T) {
			got := ""
			if in := For(Find(c.list), c.namespace); in != nil {
				got = in.Name
			}
			require.Equal(t, c.want, got)
		})
	}
}
