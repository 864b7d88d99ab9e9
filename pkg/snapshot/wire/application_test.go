package wire

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// sparkApplication is one as an API server answers it, with so many entries in its executorState.
func sparkApplication(t testing.TB, executors int) []byte {
	t.Helper()
	type object = map[string]any
	conf, states, labels := object{"spark.kubernetes.namespace": "team-a", "spark.dynamicAllocation.enabled": "true"}, object{}, object{}
	for i := range 30 {
		conf[fmt.Sprintf("spark.sql.setting%02d.of.some.length", i)] = "a value of ordinary length"
		if i < 6 {
			conf[fmt.Sprintf("spark.kubernetes.driver.label.%02d", i)] = "x"
			labels[fmt.Sprintf("example.com/label-%02d", i)] = "value"
		}
	}
	for i := range executors {
		states[fmt.Sprintf("app-8f1d2c9b7a6e5f40-exec-%d", i+1)] = "COMPLETED"
	}
	role := object{
		"cores": 1, "memory": "4g", "serviceAccount": "spark", "labels": labels, "instances": 4,
		"env":          []any{object{"name": "A", "value": "b"}, object{"name": "C", "value": "d"}, object{"name": "E", "value": "f"}},
		"volumeMounts": []any{object{"name": "data", "mountPath": "/data"}, object{"name": "tmp", "mountPath": "/tmp"}},
		"tolerations":  []any{object{"key": "spark", "operator": "Exists", "effect": "NoSchedule"}},
		"nodeSelector": object{"pool": "spark"}, "securityContext": object{"runAsUser": 1000},
		"affinity": object{"nodeAffinity": object{"requiredDuringSchedulingIgnoredDuringExecution": object{"nodeSelectorTerms": []any{
			object{"matchExpressions": []any{object{"key": "pool", "operator": "In", "values": []any{"spark"}}}}}}}},
	}
	fields := object{}
	for i := range 60 {
		fields[fmt.Sprintf("f:field%02d", i)] = object{"f:a": object{}, "f:b": object{}}
	}
	raw, err := json.Marshal(object{
		"apiVersion": "sparkoperator.k8s.io/v1beta2", "kind": "SparkApplication",
		"metadata": object{"name": "app", "namespace": "team-a", "uid": "8f1d2c9b-7a6e-5f40-8f1d-2c9b7a6e5f40", "labels": labels,
			"creationTimestamp": "2026-01-01T00:00:00Z", "managedFields": []any{object{"manager": "kubectl", "operation": "Apply",
				"time": "2026-01-01T00:00:00Z", "fieldsType": "FieldsV1", "fieldsV1": object{"f:spec": fields, "f:status": fields}}}},
		"spec": object{"type": "Scala", "mode": "cluster", "image": "registry.invalid/spark:3.5.5", "mainApplicationFile": "local:///a.jar",
			"sparkVersion": "3.5.5", "restartPolicy": object{"type": "Never"}, "sparkConf": conf, "driver": role, "executor": role,
			"volumes": []any{object{"name": "data", "emptyDir": object{}}, object{"name": "tmp", "emptyDir": object{}}}},
		"status": object{"applicationState": object{"state": "COMPLETED"}, "submissionID": "x", "executionAttempts": 1,
			"lastSubmissionAttemptTime": "2026-01-01T00:00:00Z", "terminationTime": "2026-01-01T00:10:00Z", "executorState": states},
	})
	require.NoError(t, err)
	return raw
}

func BenchmarkDecodeSparkApplication(b *testing.B) {
	src, _ := snapshot.SourceOf(snapshot.SparkApplications)
	for name, executors := range map[string]int{"ordinary": 4, "of 15,000 executors": 15_000} {
		raw := sparkApplication(b, executors)
		b.Run(name, func(b *testing.B) {
			d := NewDecoder()
			b.ReportAllocs()
			b.SetBytes(int64(len(raw)))
			for b.Loop() {
				record, err := d.Decode(src, Item{Encoding: snapshot.JSON, Raw: raw})
				require.NoError(b, err)
				require.NotNil(b, record)
			}
		})
	}
}
