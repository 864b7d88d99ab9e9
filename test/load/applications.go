package load

import (
	"context"
	"fmt"
	"time"

	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime/schema"
	"k8s.io/apimachinery/pkg/util/uuid"
)

// application is what its pods need to know of it.
type application struct {
	namespace, name, submission string
	owner                       metav1.OwnerReference
}

func (l *loader) createApplications(ctx context.Context) ([]application, error) {
	apps := make([]application, l.fleet.Applications)
	resource := l.dynamic.Resource(schema.GroupVersionResource{Group: "sparkoperator.k8s.io", Version: "v1beta2", Resource: "sparkapplications"})
	err := l.each(ctx, len(apps), func(ctx context.Context, i int) error {
		namespace, name := l.namespace(i), fmt.Sprintf("app-%05d", i)
		created, err := resource.Namespace(namespace).Create(ctx, spec(namespace, name), metav1.CreateOptions{})
		if err != nil {
			return fmt.Errorf("creating application %q: %w", name, err)
		}
		entries := l.fleet.Entries
		if i < l.fleet.Large {
			entries = l.fleet.LargeEntries
		}
		submission := string(uuid.NewUUID())
		created.Object["status"] = status(name, submission, entries)
		if _, err := resource.Namespace(namespace).UpdateStatus(ctx, created, metav1.UpdateOptions{}); err != nil {
			return fmt.Errorf("writing the status of application %q: %w", name, err)
		}
		yes := true
		apps[i] = application{namespace, name, submission, metav1.OwnerReference{
			APIVersion: created.GetAPIVersion(), Kind: created.GetKind(), Name: name, UID: created.GetUID(),
			Controller: &yes, BlockOwnerDeletion: &yes,
		}}
		return nil
	})
	return apps, err
}

// spec returns an application of ordinary size, as the webhook would have stored it.
func spec(namespace, name string) *unstructured.Unstructured {
	conf := map[string]any{}
	for i := range 20 {
		conf[fmt.Sprintf("spark.sql.some.ordinary.setting.number%d", i)] = "a value of ordinary length"
	}
	env := []any{map[string]any{"name": "STAGE", "value": "production"}}
	return &unstructured.Unstructured{Object: map[string]any{
		"apiVersion": "sparkoperator.k8s.io/v1beta2",
		"kind":       "SparkApplication",
		"metadata":   map[string]any{"namespace": namespace, "name": name, "labels": map[string]any{"team": "data", "pipeline": "nightly"}},
		"spec": map[string]any{
			"type": "Scala", "mode": "cluster", "sparkVersion": "3.5.5", "image": "registry.invalid/data/spark:3.5.5",
			"mainClass": "com.invalid.pipelines.Nightly", "mainApplicationFile": "local:///opt/spark/jars/pipelines.jar",
			"sparkConf":     conf,
			"restartPolicy": map[string]any{"type": "Never"},
			"driver":        map[string]any{"cores": int64(1), "memory": "2g", "serviceAccount": "default", "env": env},
			"executor":      map[string]any{"cores": int64(2), "memory": "4g", "instances": int64(4), "env": env},
		},
	}}
}

// status returns the status of a running application that tracks this many executors, all but the
// last few of them ended.
func status(name, submission string, entries int) map[string]any {
	const running = 10
	executors := make(map[string]any, entries)
	for id := 1; id <= entries; id++ {
		state := "COMPLETED"
		if id > entries-running {
			state = "RUNNING"
		}
		executors[fmt.Sprintf("nightly-pipeline-%s-8f1d2c9b7a6e5f40-exec-%d", name, id)] = state
	}
	return map[string]any{
		"applicationState":          map[string]any{"state": "RUNNING"},
		"driverInfo":                map[string]any{"podName": name + "-driver"},
		"executionAttempts":         int64(1),
		"submissionAttempts":        int64(1),
		"submissionID":              submission,
		"lastSubmissionAttemptTime": time.Now().Add(-time.Hour).UTC().Format(time.RFC3339),
		"executorState":             executors,
	}
}
