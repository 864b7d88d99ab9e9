package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"k8s.io/cli-runtime/pkg/genericiooptions"

	"github.com/sparkdoctor/kubectl-sparkdoctor/cmd/kubectl-sparkdoctor/internal/cli"
)

// What is planted in a fleet of 3,000 applications.
const (
	fleetSize   = 3000
	unwatched   = 240 // in a namespace that nobody watches
	unpullable  = 137 // whose driver waits for one image that does not exist, in all namespaces
	overQuota   = 61  // refused by one quota
	sharedByTwo = 150 // in a namespace that two operators take
	pilingUp    = 700 // that ended weeks ago, without a time to live
	fleetSpaces = 30  // namespaces of the others
)

// TestFleetIsCausesNotLines asks of a large fleet with five causes for exactly five findings, with the number of applications
// that each holds: nobody reads 1,288 lines.
func TestFleetIsCausesNotLines(t *testing.T) {
	file := filepath.Join(t.TempDir(), "fleet.json")
	f := newFleet(t, file)
	f.plant()
	f.rest()
	require.Equal(t, fleetSize, f.count)
	f.close()

	streams, _, stdout, stderr := genericiooptions.NewTestIOStreams()
	code := cli.Run(t.Context(), []string{"scan", "-f", file, "--complete", "--as-of", f.now.Format(time.RFC3339), "-o", "json"}, streams)
	require.Equal(t, 1, code, stderr)
	type item struct {
		Severity, Check, Message string
		Object                   struct{ Kind, Namespace, Name string }
		Affected                 int
		Objects                  []struct{ Kind string }
	}
	var report struct {
		Items  []item
		Checks []struct{ ID, Status, Reason string }
	}
	require.NoError(t, json.Unmarshal(stdout.Bytes(), &report))
	got := map[string]string{}
	report.Items = slices.DeleteFunc(report.Items, func(i item) bool {
		return i.Check == "SD8001" // its healthy namespaces have jobs that fail now and then, and nobody wrote why
	})
	for _, i := range report.Items {
		got[i.Check+" "+i.Object.Kind+" "+i.Object.Name] = i.Severity + ": " + i.Message
	}
	require.Len(t, report.Items, 5, "%v", got)
	numbers := map[string]int{}
	for _, i := range report.Items {
		switch i.Check {
		case "SD5001", "SD6002":
			key := i.Check
			if strings.Contains(i.Message, "ResourceQuota") {
				key += " quota"
			}
			numbers[key] = i.Affected
		}
	}
	require.Equal(t, map[string]int{"SD5001": unwatched, "SD6002": unpullable, "SD6002 quota": overQuota}, numbers, "%v", got)
	require.Contains(t, got["SD5001 Namespace team-new"], fmt.Sprintf("%d applications wait without a state", unwatched))
	require.Contains(t, got["SD5004 Deployment spark-two-controller"],
		fmt.Sprintf("reconciles namespace shared, and so does operator 2.5.2 of namespace spark-operator; %d applications there", sharedByTwo))
	require.Contains(t, got["SD6008 Namespace archive"], fmt.Sprint(pilingUp))
	for _, c := range report.Checks {
		require.NotContains(t, c.Reason, "internal error", c.ID)
		require.NotEqual(t, "skipped", c.Status, "%s: %s", c.ID, c.Reason)
	}
}

// fleet writes a List, one item after the other.
type fleet struct {
	t     *testing.T
	now   time.Time
	file  *os.File
	out   *bufio.Writer
	count int
	items int
}

type object = map[string]any

func newFleet(t *testing.T, path string) *fleet {
	t.Helper()
	file, err := os.Create(path) // #nosec G304 -- a test's own directory
	require.NoError(t, err)
	f := &fleet{t: t, now: time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC), file: file, out: bufio.NewWriter(file)}
	_, err = f.out.WriteString(`{"apiVersion":"v1","kind":"List","items":[`)
	require.NoError(t, err)
	names := []string{"shared", "archive", "capped"}
	for i := range fleetSpaces {
		names = append(names, fmt.Sprintf("team-%02d", i))
	}
	for _, ns := range append([]string{"team-new"}, names...) {
		f.add("v1", "Namespace", "", ns, object{"kubernetes.io/metadata.name": ns}, f.now.AddDate(0, -6, 0), nil)
		f.add("v1", "ServiceAccount", ns, "spark", nil, f.now.AddDate(0, -6, 0), nil)
	}
	f.operator("spark-operator", strings.Join(names, ","), f.now.AddDate(0, -2, 0))
	f.operator("spark-two", "shared", f.now.AddDate(0, -1, 0))
	f.add("rbac.authorization.k8s.io/v1", "ClusterRole", "", "everything", nil, f.now.AddDate(0, -6, 0), object{
		"rules": []any{object{"apiGroups": []any{"*"}, "resources": []any{"*"}, "verbs": []any{"*"}}},
	})
	f.add("rbac.authorization.k8s.io/v1", "ClusterRoleBinding", "", "everything", nil, f.now.AddDate(0, -6, 0), object{
		"roleRef":  object{"apiGroup": "rbac.authorization.k8s.io", "kind": "ClusterRole", "name": "everything"},
		"subjects": []any{object{"apiGroup": "rbac.authorization.k8s.io", "kind": "Group", "name": "system:serviceaccounts"}},
	})
	return f
}

func (f *fleet) close() {
	_, err := f.out.WriteString("]}")
	require.NoError(f.t, err)
	require.NoError(f.t, f.out.Flush())
	require.NoError(f.t, f.file.Close())
}

// add writes an object and returns its UID.
func (f *fleet) add(apiVersion, kind, namespace, name string, labels object, created time.Time, rest object, owners ...any) string {
	f.items++
	uid := fmt.Sprintf("%08d-0000-4000-8000-000000000000", f.items)
	meta := object{"name": name, "uid": uid, "creationTimestamp": created.Format(time.RFC3339)}
	if namespace != "" {
		meta["namespace"] = namespace
	}
	if labels != nil {
		meta["labels"] = labels
	}
	if len(owners) > 0 {
		meta["ownerReferences"] = owners
	}
	o := object{"apiVersion": apiVersion, "kind": kind, "metadata": meta}
	for key, value := range rest {
		o[key] = value
	}
	text, err := json.Marshal(o)
	require.NoError(f.t, err)
	if f.items > 1 {
		text = append([]byte(",\n"), text...)
	}
	_, err = f.out.Write(text)
	require.NoError(f.t, err)
	return uid
}

// operator is a controller that leads; its webhook is switched off.
func (f *fleet) operator(namespace, namespaces string, created time.Time) {
	name := namespace + "-controller"
	f.add("apps/v1", "Deployment", namespace, name, nil, created, object{
		"spec": object{"replicas": 1, "selector": object{"matchLabels": object{"app": name}}, "template": object{"spec": object{
			"serviceAccountName": "operator",
			"containers": []any{object{"name": "spark-operator-controller", "image": "ghcr.io/kubeflow/spark-operator/controller:2.5.2",
				"args": []any{
					"controller", "start", "--namespaces=" + namespaces, "--leader-election=true", "--leader-election-lock-name=" + name + "-lock",
					"--leader-election-lock-namespace=" + namespace,
				}}},
		}}},
		"status": object{"replicas": 1, "readyReplicas": 1},
	})
	f.add("coordination.k8s.io/v1", "Lease", namespace, name+"-lock", nil, created, object{"spec": object{
		"holderIdentity": name + "-1_x", "leaseDurationSeconds": 15,
		"renewTime": f.now.Add(-2 * time.Second).Format("2006-01-02T15:04:05.000000Z"),
	}})
	f.add("v1", "ServiceAccount", namespace, "operator", nil, created, nil)
}

// application writes one, and its driver in a phase unless that is empty.
func (f *fleet) application(namespace, name, state string, age time.Duration, status, spec object, phase string, containers []any) {
	f.count++
	created := f.now.Add(-age)
	if state != "" {
		all := object{
			"applicationState": object{"state": state}, "driverInfo": object{"podName": name + "-driver"}, "submissionID": "s-" + name,
			"lastSubmissionAttemptTime": created.Add(5 * time.Second).Format(time.RFC3339), "submissionAttempts": 1, "executionAttempts": 1,
		}
		for key, value := range status {
			all[key] = value
		}
		status = all
	}
	whole := object{"type": "Scala", "mode": "cluster", "sparkVersion": "3.5.5", "restartPolicy": object{"type": "Never"},
		"driver": object{"serviceAccount": "spark"}, "executor": object{"instances": 1}}
	for key, value := range spec {
		whole[key] = value
	}
	rest := object{"spec": whole}
	if status != nil {
		rest["status"] = status
	}
	uid := f.add("sparkoperator.k8s.io/v1beta2", "SparkApplication", namespace, name, nil, created, rest)
	if phase == "" {
		return
	}
	labels := object{
		"sparkoperator.k8s.io/launched-by-spark-operator": "true", "sparkoperator.k8s.io/app-name": name,
		"sparkoperator.k8s.io/submission-id": "s-" + name, "spark-role": "driver",
	}
	owner := object{"apiVersion": "sparkoperator.k8s.io/v1beta2", "kind": "SparkApplication", "name": name, "uid": uid, "controller": true}
	f.add("v1", "Pod", namespace, name+"-driver", labels, created.Add(6*time.Second), object{
		"spec":   object{"serviceAccountName": "spark", "containers": []any{object{"name": "spark-kubernetes-driver", "image": "spark:3.5.5"}}},
		"status": object{"phase": phase, "conditions": []any{object{"type": "PodScheduled", "status": "True"}}, "containerStatuses": containers},
	}, owner)
}

func (f *fleet) space(i int) string { return fmt.Sprintf("team-%02d", i%fleetSpaces) }

// plant writes the applications that something is wrong with.
func (f *fleet) plant() {
	for i := range unwatched {
		f.application("team-new", fmt.Sprintf("new-%d", i), "", time.Hour+time.Duration(i)*time.Minute, nil, nil, "", nil)
	}
	waiting := []any{object{"name": "spark-kubernetes-driver", "image": "registry.example.com/spark:typo", "state": object{"waiting": object{
		"reason": "ImagePullBackOff", "message": `Back-off pulling image "registry.example.com/spark:typo": not found`,
	}}}}
	for i := range unpullable {
		f.application(f.space(i), fmt.Sprintf("typo-%d", i), "SUBMITTED", time.Hour, nil, nil, "Pending", waiting)
	}
	refused := `failed to run spark-submit: Exception in thread "main" io.fabric8.kubernetes.client.KubernetesClientException: Failure executing: POST at: https://10.0.0.1/api/v1/namespaces/capped/pods. ` +
		`Message: pods "over-%d-driver" is forbidden: exceeded quota: compute, requested: limits.memory=4Gi, used: limits.memory=62Gi, limited: limits.memory=64Gi. Received status: Status(apiVersion=v1, code=403)`
	for i := range overQuota {
		f.application("capped", fmt.Sprintf("over-%d", i), "SUBMISSION_FAILED", time.Hour, object{
			"applicationState":   object{"state": "SUBMISSION_FAILED", "errorMessage": fmt.Sprintf(refused, i)},
			"submissionAttempts": 4, "lastSubmissionAttemptTime": f.now.Add(-time.Minute).Format(time.RFC3339),
		}, object{"restartPolicy": object{"type": "Always", "onSubmissionFailureRetryInterval": 600}}, "", nil)
	}
	for i := range sharedByTwo {
		f.application("shared", fmt.Sprintf("job-%d", i), "RUNNING", time.Hour, nil, nil, "Running", runs())
	}
	for i := range pilingUp {
		f.application("archive", fmt.Sprintf("old-%d", i), "COMPLETED", 30*24*time.Hour,
			object{"terminationTime": f.now.AddDate(0, 0, -29).Format(time.RFC3339)}, nil, "", nil)
	}
}

func runs() []any {
	return []any{object{"name": "spark-kubernetes-driver", "image": "spark:3.5.5", "ready": true, "state": object{"running": object{}}}}
}

// rest fills the fleet with applications that nothing is wrong with, in the states of an ordinary day.
func (f *fleet) rest() {
	f.application("team-new", "just-made", "", time.Minute, nil, nil, "", nil)
	ttl := object{"timeToLiveSeconds": 86400}
	for i := 0; f.count < fleetSize; i++ {
		ns, name, ended := f.space(i), fmt.Sprintf("app-%d", i), object{"terminationTime": f.now.Add(-2 * time.Hour).Format(time.RFC3339)}
		switch i % 10 {
		case 0, 1, 2, 3, 4:
			f.application(ns, name, "RUNNING", 3*time.Hour, nil, nil, "Running", runs())
		case 5, 6, 7:
			f.application(ns, name, "COMPLETED", 3*time.Hour, ended, ttl, "", nil)
		case 8:
			f.application(ns, name, "FAILED", 3*time.Hour, ended, ttl, "", nil)
		default:
			f.application(ns, name, "", 24*time.Hour, nil, object{"suspend": true}, "", nil)
		}
	}
}
