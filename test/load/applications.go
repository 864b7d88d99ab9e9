package load

import (
	"context"
	"fmt"
	"strings"
	"time"

	apierrors "k8s.io/apimachinery/pkg/api/errors"
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

func applications() schema.GroupVersionResource {
	return schema.GroupVersionResource{Group: "sparkoperator.k8s.io", Version: "v1beta2", Resource: "sparkapplications"}
}

// patterns creates an application of each size, and all that belongs to it.
func (l *loader) patterns(ctx context.Context) (large, ordinary *pattern, err error) {
	if large, err = l.pattern(ctx, largePatternName, l.fleet.LargeEntries); err != nil {
		return nil, nil, err
	}
	ordinary, err = l.pattern(ctx, ordinaryPatternName, l.fleet.Entries)
	return large, ordinary, err
}

func (l *loader) pattern(ctx context.Context, name string, entries int) (*pattern, error) {
	resource := l.dynamic.Resource(applications()).Namespace(patternNamespace)
	created, err := resource.Create(ctx, spec(patternNamespace, name), metav1.CreateOptions{})
	if err != nil {
		return nil, fmt.Errorf("creating application %q: %w", name, err)
	}
	submission := string(uuid.NewUUID())
	created.Object["status"] = status(name, submission, entries)
	if _, err := resource.UpdateStatus(ctx, created, metav1.UpdateOptions{}); err != nil {
		return nil, fmt.Errorf("writing the status of application %q: %w", name, err)
	}
	yes := true
	app := application{patternNamespace, name, submission, metav1.OwnerReference{
		APIVersion: created.GetAPIVersion(), Kind: created.GetKind(), Name: name, UID: created.GetUID(),
		Controller: &yes, BlockOwnerDeletion: &yes,
	}}
	p := &pattern{namespace: patternNamespace, name: name, submission: submission, uids: []string{string(created.GetUID())}}
	uids, err := l.createParts(ctx, app)
	if err != nil {
		return nil, err
	}
	p.uids = append(p.uids, uids...)
	return p, p.read(ctx, l.store)
}

// remove deletes the patterns; what belongs to them follows, except in a cluster whose garbage collector is stopped.
func (l *loader) remove(ctx context.Context, patterns ...*pattern) error {
	for _, p := range patterns {
		background := metav1.DeletePropagationBackground
		options := metav1.DeleteOptions{PropagationPolicy: &background}
		if err := l.dynamic.Resource(applications()).Namespace(p.namespace).Delete(ctx, p.name, options); err != nil {
			return fmt.Errorf("deleting application %q: %w", p.name, err)
		}
		now := int64(0)
		for _, kind := range []string{"pods", "configmaps", "services", "events"} {
			for _, kv := range p.stored {
				prefix := map[string]string{"services": "/registry/services/specs/"}[kind]
				if prefix == "" {
					prefix = "/registry/" + kind + "/"
				}
				name, found := strings.CutPrefix(string(kv.Key), prefix+p.namespace+"/")
				if !found {
					continue
				}
				err := l.dynamic.Resource(schema.GroupVersionResource{Version: "v1", Resource: kind}).Namespace(p.namespace).
					Delete(ctx, name, metav1.DeleteOptions{GracePeriodSeconds: &now})
				if err != nil && !apierrors.IsNotFound(err) {
					return fmt.Errorf("deleting %s %q: %w", kind, name, err)
				}
			}
		}
	}
	return nil
}

// chartAccount is the service account that the operator's chart makes for drivers in each job namespace.
const chartAccount = "spark-operator-spark"

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
			"driver":        map[string]any{"cores": int64(1), "memory": "2g", "serviceAccount": chartAccount, "env": env},
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
