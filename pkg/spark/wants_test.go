package spark

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot/wire"
)

// application decodes one of a specification.
func application(t *testing.T, spec string) *snapshot.SparkApplication {
	t.Helper()
	src, _ := snapshot.SourceOf(snapshot.SparkApplications)
	r, err := wire.Decode(src, wire.Item{Raw: []byte(`{"apiVersion":"sparkoperator.k8s.io/v1beta2","kind":"SparkApplication","metadata":{"name":"etl","namespace":"a"},"spec":` + spec + `}`)})
	require.NoError(t, err)
	app, ok := r.(*snapshot.SparkApplication)
	require.True(t, ok)
	return app
}

func wants(t *testing.T, spec, role string) []string {
	t.Helper()
	var out []string
	for _, f := range WebhookNeeds(application(t, spec), role) {
		out = append(out, string(f.Field)+" "+f.Name)
	}
	return out
}

func TestWants(t *testing.T) {
	for name, c := range map[string]struct {
		spec string
		want []string
	}{
		"names and no values": {`{"driver":{"env":[{"name":"B","value":"secret"},{"name":"A"}],"envFrom":[{"secretRef":{"name":"s"}},{"configMapRef":{"name":"c"}}]}}`,
			[]string{"env A", "env B", "envFrom ConfigMap c", "envFrom Secret s"}},
		"what Spark sets itself":    {`{"driver":{"env":[{"name":"SPARK_CONF_DIR"},{"name":"PYSPARK_PYTHON"}],"tolerations":[{"key":"node.kubernetes.io/not-ready","operator":"Exists","effect":"NoExecute"}]}}`, nil},
		"the same by envVars":       {`{"driver":{"env":[{"name":"A"},{"name":"B"}],"envVars":{"A":"1"},"envSecretKeyRefs":{"B":{"name":"s","key":"k"}}}}`, nil},
		"the same by sparkConf":     {`{"driver":{"env":[{"name":"A"}],"schedulerName":"x","nodeSelector":{"pool":"a"},"gpu":{"name":"nvidia.com/gpu","quantity":1}},"sparkConf":{"spark.kubernetes.driverEnv.A":"1","spark.kubernetes.scheduler.name":"x","spark.kubernetes.driver.node.selector.pool":"a","spark.driver.resource.gpu.vendor":"nvidia.com"}}`, nil},
		"volumes by sparkConf":      {`{"volumes":[{"name":"data"}],"driver":{"volumeMounts":[{"name":"data"}]},"sparkConf":{"spark.kubernetes.driver.volumes.emptyDir.data.mount.path":"/data"}}`, nil},
		"another role's sparkConf":  {`{"driver":{"env":[{"name":"A"}]},"sparkConf":{"spark.executorEnv.A":"1"}}`, []string{"env A"}},
		"the same by nodeSelector":  {`{"driver":{"nodeSelector":{"pool":"a"}},"nodeSelector":{"pool":"a"}}`, nil},
		"the same by pod template":  {`{"driver":{"env":[{"name":"A"}],"tolerations":[{"key":"k","operator":"Exists"}],"template":{"spec":{"tolerations":[{"key":"k","operator":"Exists"}],"containers":[{"name":"spark-kubernetes-driver","env":[{"name":"A"}]}]}}}}`, nil},
		"a template without":        {`{"driver":{"env":[{"name":"A"}],"template":{"metadata":{"labels":{"a":"b"}}}}}`, []string{"env A"}},
		"a default scheduler":       {`{"driver":{"schedulerName":"default-scheduler"}}`, nil},
		"memory":                    {`{"driver":{"memoryLimit":"2g"}}`, []string{"memoryLimit 2147483648"}},
		"tolerations":               {`{"driver":{"tolerations":[{"key":"a","value":"b","effect":"NoSchedule"},{"key":"c","operator":"Exists"}]}}`, []string{"tolerations a=b:NoSchedule", "tolerations c"}},
		"metrics of the other role": {`{"monitoring":{"exposeExecutorMetrics":true,"prometheus":{}}}`, nil},
		"metrics from the image": {`{"monitoring":{"exposeDriverMetrics":true,"metricsPropertiesFile":"/m","prometheus":{"configFile":"/c"}}}`,
			nil},
		"metrics": {`{"monitoring":{"exposeDriverMetrics":true,"prometheus":{"configFile":"/c"}}}`,
			[]string{"monitoring etl-prom-conf"}},
	} {
		t.Run(name, func(t *testing.T) { require.Equal(t, c.want, wants(t, c.spec, "driver")) })
	}
}

func TestWebhookFields(t *testing.T) {
	for name, c := range map[string]struct {
		spec string
		want []string
	}{
		"none":                       {`{"driver":{"cores":1,"envVars":{"A":"1"},"podName":"p"},"executor":{"instances":2}}`, nil},
		"of both roles":              {`{"driver":{"env":[{"name":"A","value":"1"}]},"executor":{"tolerations":[{"operator":"Exists"}],"env":[{"name":"A"}]}}`, []string{"driver.env", "executor.env", "executor.tolerations"}},
		"values that change nothing": {`{"driver":{"env":[],"hostNetwork":false,"affinity":{},"sidecars":null,"terminationGracePeriodSeconds":30,"gpu":{"name":"nvidia.com/gpu","quantity":0},"priorityClassName":""}}`, nil},
		"a gpu":                      {`{"executor":{"gpu":{"name":"nvidia.com/gpu","quantity":1}}}`, []string{"executor.gpu"}},
		"mounts without a volume":    {`{"driver":{"volumeMounts":[{"name":"data","mountPath":"/data"}]}}`, nil},
		"volumes without a mount":    {`{"volumes":[{"name":"data","emptyDir":{}}]}`, nil},
		"Spark's own local directories": {`{"volumes":[{"name":"spark-local-dir-1"}],"driver":{"volumeMounts":[{"name":"spark-local-dir-1"}]}}`,
			nil},
		"a volume and its mount": {`{"volumes":[{"name":"data"}],"driver":{"volumeMounts":[{"name":"data"}]}}`,
			[]string{"driver.volumeMounts"}},
		"monitoring that exposes no role":  {`{"monitoring":{"exposeDriverMetrics":false,"prometheus":{"port":8090}}}`, nil},
		"monitoring":                       {`{"monitoring":{"exposeDriverMetrics":true,"prometheus":{"port":8090}}}`, []string{"monitoring"}},
		"a batch scheduler":                {`{"batchScheduler":"volcano"}`, []string{"batchScheduler"}},
		"a batch scheduler wins":           {`{"batchScheduler":"volcano","driver":{"schedulerName":"x"}}`, []string{"batchScheduler"}},
		"one without a name wins, too":     {`{"batchScheduler":"","driver":{"schedulerName":"x"}}`, nil},
		"the scheduler that is there":      {`{"batchScheduler":"default-scheduler"}`, nil},
		"sparkConf brings the driver's":    {`{"batchScheduler":"volcano","sparkConf":{"spark.kubernetes.scheduler.name":"volcano"}}`, nil},
		"a scheduler":                      {`{"driver":{"schedulerName":"x"}}`, []string{"driver.schedulerName"}},
		"configuration from ConfigMaps":    {`{"sparkConfigMap":"a","hadoopConfigMap":"b"}`, []string{"hadoopConfigMap", "sparkConfigMap"}},
		"a template is not of the webhook": {`{"driver":{"template":{"spec":{"tolerations":[{"operator":"Exists"}]}}}}`, nil},
	} {
		t.Run(name, func(t *testing.T) {
			require.Equal(t, c.want, WebhookFields(application(t, c.spec)))
		})
	}
}

// TestNothingIsAskedByNothing holds that an application of which nothing could be decoded asks for nothing.
func TestNothingIsAskedByNothing(t *testing.T) {
	none := &snapshot.SparkApplication{}
	require.Empty(t, WebhookFields(none))
	require.Equal(t, DriverAccess{}, DriverOf(none))
	require.False(t, DriverSets(none, snapshot.Env))
	require.False(t, Uses(none, FieldGangOfUnknown))
}

func TestDriverOf(t *testing.T) {
	const account = "spark.kubernetes.authenticate.driver.serviceAccountName"
	for name, c := range map[string]struct {
		spec string
		want DriverAccess
	}{
		"the field wins": {`{"driver":{"serviceAccount":"x"},"sparkConf":{"` + account + `":"y"}}`,
			DriverAccess{AccountName: "x", Named: "spec.driver.serviceAccount"}},
		"the setting": {`{"sparkConf":{"` + account + `":"y"}}`, DriverAccess{AccountName: "y", Named: `spec.sparkConf["` + account + `"]`}},
		"the template": {`{"driver":{"template":{"spec":{"serviceAccountName":"z"}}}}`,
			DriverAccess{AccountName: "z", Named: "spec.driver.template.spec.serviceAccountName"}},
		"its own credentials": {`{"sparkConf":{"spark.kubernetes.authenticate.driver.oauthToken":"t"}}`, DriverAccess{AccessUnknown: true}},
		"another namespace":   {`{"sparkConf":{"spark.kubernetes.namespace":"b"}}`, DriverAccess{AccessUnknown: true}},
		"the same namespace":  {`{"sparkConf":{"spark.kubernetes.namespace":"a"}}`, DriverAccess{}},
		"another allocator":   {`{"sparkConf":{"spark.kubernetes.allocation.pods.allocator":"statefulset"}}`, DriverAccess{AccessUnknown: true}},
		"a claim of executors": {`{"sparkConf":{"spark.kubernetes.executor.volumes.persistentVolumeClaim.d.options.claimName":"OnDemand"}}`,
			DriverAccess{ClaimsByDriver: true}},
		"a claim that is there": {`{"sparkConf":{"spark.kubernetes.executor.volumes.persistentVolumeClaim.d.options.claimName":"mine"}}`,
			DriverAccess{}},
		"switches": {`{"sparkConf":{"spark.kubernetes.executor.disableConfigMap":"TRUE","spark.kubernetes.executor.enableApiWatcher":"false"}}`,
			DriverAccess{NoConfigMap: true, NoWatch: true}},
	} {
		require.Equal(t, c.want, DriverOf(application(t, c.spec)), name)
	}
}

func TestUses(t *testing.T) {
	asks := func(spec string) (out []string) {
		for _, ask := range []string{FieldPullPolicy, FieldPullSecrets, FieldPackages, FieldMemoryLocalDir, FieldOpenLocalDir,
			FieldGangOfUnknown} {
			if Uses(application(t, spec), ask) {
				out = append(out, ask)
			}
		}
		return out
	}
	require.Equal(t, []string{FieldPullPolicy, FieldPullSecrets, FieldPackages},
		asks(`{"imagePullPolicy":"Always","imagePullSecrets":["a"],"deps":{"packages":["b"]}}`))
	require.Empty(t, asks(`{"imagePullSecrets":[],"volumes":[{"name":"spark-local-dir-1","emptyDir":{"medium":"Memory"}}]}`),
		"no role mounts it")
	mounted := `,"executor":{"volumeMounts":[{"name":"spark-local-dir-1"}]}}`
	require.Equal(t, []string{FieldMemoryLocalDir, FieldOpenLocalDir},
		asks(`{"volumes":[{"name":"spark-local-dir-1","emptyDir":{"medium":"Memory"}}]`+mounted))
	require.Empty(t, asks(`{"volumes":[{"name":"spark-local-dir-1","emptyDir":{"sizeLimit":"1Gi"}}]`+mounted))
	require.Equal(t, []string{FieldGangOfUnknown}, asks(`{"batchScheduler":"volcano","dynamicAllocation":{"enabled":true}}`))
	require.Empty(t, asks(`{"batchScheduler":"volcano","dynamicAllocation":{"enabled":true},"executor":{"instances":2}}`))
}
