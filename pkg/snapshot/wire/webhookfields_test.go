package wire

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func TestWebhookFields(t *testing.T) {
	for name, c := range map[string]struct {
		spec string
		want []string
	}{
		"none":                             {`{"driver":{"cores":1,"envVars":{"A":"1"},"podName":"p"},"executor":{"instances":2}}`, nil},
		"of both roles":                    {`{"driver":{"env":[{"name":"A","value":"1"}]},"executor":{"tolerations":[{"operator":"Exists"}],"env":[{"name":"A"}]}}`, []string{"driver.env", "executor.env", "executor.tolerations"}},
		"values that change nothing":       {`{"driver":{"env":[],"hostNetwork":false,"affinity":{},"sidecars":null,"terminationGracePeriodSeconds":30,"gpu":{"name":"nvidia.com/gpu","quantity":0},"priorityClassName":""}}`, nil},
		"a gpu":                            {`{"executor":{"gpu":{"name":"nvidia.com/gpu","quantity":1}}}`, []string{"executor.gpu"}},
		"mounts without a volume":          {`{"driver":{"volumeMounts":[{"name":"data","mountPath":"/data"}]}}`, nil},
		"volumes without a mount":          {`{"volumes":[{"name":"data","emptyDir":{}}]}`, nil},
		"Spark's own local directories":    {`{"volumes":[{"name":"spark-local-dir-1"}],"driver":{"volumeMounts":[{"name":"spark-local-dir-1"}]}}`, nil},
		"a volume and its mount":           {`{"volumes":[{"name":"data"}],"driver":{"volumeMounts":[{"name":"data"}]}}`, []string{"driver.volumeMounts"}},
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
			app, err := NewDecoder().decodeSparkApplication(snapshot.Source{}, Item{Raw: []byte(`{"apiVersion":"sparkoperator.k8s.io/v1beta2","kind":"SparkApplication","metadata":{"name":"etl"},"spec":` + c.spec + `}`)})
			require.NoError(t, err)
			require.Equal(t, c.want, app.WebhookFields)
		})
	}
}
