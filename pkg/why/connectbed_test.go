package why_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"sigs.k8s.io/yaml"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/app"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/why/cause"
)

// connectCase is a SparkConnect named hub in namespace team-a at noon, and what why says of it.
type connectCase struct {
	name   string
	docs   []string
	log    string // of the server
	said   string // by the operator
	files  bool   // objects may be missing from the input
	class  cause.Class
	proven bool
	says   []string // in the verdict, its evidence or its next steps
	not    []string // nowhere in these
}

func hub(spec, status string) string {
	return hubAt("11:00", spec, status)
}

func hubAt(created, spec, status string) string {
	return `
apiVersion: sparkoperator.k8s.io/v1alpha1
kind: SparkConnect
metadata: {name: hub, namespace: team-a, uid: hub, generation: 1, creationTimestamp: "2026-11-23T` + created + `:00Z"}
spec: {sparkVersion: 4.0.1, image: "spark:4.0.1", ` + spec + `}
status: {` + status + `}`
}

const (
	hubSpec = `server: {}, executor: {instances: 2}`
	isReady = `state: Ready, startTime: "2026-11-23T11:00:01Z", server: {podName: hub-server, serviceName: hub-server},
  conditions: [{type: ServerPodReady, status: "True", reason: ServerPodReady, message: Server pod is ready, lastTransitionTime: "2026-11-23T11:00:20Z"}]`
	notReady = `state: NotReady, startTime: "2026-11-23T11:00:01Z", server: {podName: hub-server, serviceName: hub-server},
  conditions: [{type: ServerPodReady, status: "False", reason: ServerPodNotReady, message: "Server pod is not ready: ", lastTransitionTime: "2026-11-23T11:00:02Z"}]`
	up = `phase: Running, conditions: [{type: Ready, status: "True", lastTransitionTime: "2026-11-23T11:00:20Z"}], containerStatuses: [
  {name: spark-kubernetes-driver, ready: true, restartCount: 0, state: {running: {startedAt: "2026-11-23T11:00:19Z"}}}]`
	started = `26/11/23 11:00:31 INFO SparkConnectServer: Spark Connect server started at: 0:0:0:0:0:0:0:0:15002`
)

func server(spec, status string) string {
	return `
apiVersion: v1
kind: Pod
metadata: {name: hub-server, namespace: team-a, uid: server, creationTimestamp: "2026-11-23T11:00:02Z",
  labels: {spark-role: connect-server, sparkoperator.k8s.io/connect-name: hub, sparkoperator.k8s.io/launched-by-spark-operator: "true", spark-version: 4.0.1},
  ownerReferences: [{apiVersion: sparkoperator.k8s.io/v1alpha1, kind: SparkConnect, name: hub, uid: hub, controller: true}]}
spec: {` + onNode(status) + `containers: [{name: spark-kubernetes-driver, image: "spark:4.0.1"` + spec + `}]}
status: {` + status + `}`
}

// onNode is the node of a pod that the scheduler found one for.
func onNode(status string) string {
	if status == unfit {
		return ""
	}
	return "nodeName: n1, "
}

// executorOf is an executor of a process of the server.
func executorOf(process, number, created, status string) string {
	return `
apiVersion: v1
kind: Pod
metadata: {name: hub-exec-` + number + `, namespace: team-a, uid: ` + process + number + `, creationTimestamp: "2026-11-23T` + created + `:40Z",
  labels: {spark-role: executor, sparkoperator.k8s.io/connect-name: hub, spark-app-selector: ` + process + `},
  ownerReferences: [{apiVersion: v1, kind: Pod, name: hub-server, uid: server}]}
spec: {` + onNode(status) + `containers: [{name: spark-kubernetes-executor}]}
status: {` + status + `}`
}

const (
	execUp = `phase: Running, containerStatuses: [{name: spark-kubernetes-executor, ready: true, state: {running: {startedAt: "2026-11-23T11:00:50Z"}}}]`
	unfit  = `phase: Pending, conditions: [{type: PodScheduled, status: "False", reason: Unschedulable, message: "0/3 nodes are available: 3 Insufficient cpu."}]`
	ended  = `phase: Failed, containerStatuses: [{name: spark-kubernetes-executor, state: {terminated: {exitCode: 1, reason: Error, finishedAt: "2026-11-23T11:20:00Z"}}}]`
)

func twoExecutors() []string {
	return []string{executorOf("p", "1", "11:00", execUp), executorOf("p", "2", "11:00", execUp)}
}

// crashing is a container that waits to be started again.
func crashing(code, reason, restarts string) string {
	return `phase: Running, conditions: [{type: Ready, status: "False", reason: ContainersNotReady, lastTransitionTime: "2026-11-23T11:10:00Z"}],
  containerStatuses: [{name: spark-kubernetes-driver, restartCount: ` + restarts + `, state: {waiting: {reason: CrashLoopBackOff, message: "back-off 5m0s restarting failed container"}},
  lastState: {terminated: {exitCode: ` + code + `, reason: ` + reason + `, startedAt: "2026-11-23T11:50:00Z", finishedAt: "2026-11-23T11:50:20Z"}}}]`
}

// again is a server that runs after restarts.
func again(restarts, since, reason string) string {
	return `phase: Running, conditions: [{type: Ready, status: "True", lastTransitionTime: "2026-11-23T` + since + `:01Z"}], containerStatuses: [
  {name: spark-kubernetes-driver, ready: true, restartCount: ` + restarts + `, state: {running: {startedAt: "2026-11-23T` + since + `:00Z"}},
  lastState: {terminated: {exitCode: 137, reason: ` + reason + `, finishedAt: "2026-11-23T10:59:00Z"}}}]`
}

func service(selector string) string {
	return `
apiVersion: v1
kind: Service
metadata: {name: hub-server, namespace: team-a, labels: {sparkoperator.k8s.io/connect-name: hub}}
spec: {selector: {` + selector + `}, ports: [{name: spark-connect-server, port: 15002, targetPort: 15002}]}`
}

const (
	chosen = `spark-role: connect-server, sparkoperator.k8s.io/connect-name: hub, spark-version: 4.0.1`
	conf   = "\napiVersion: v1\nkind: ConfigMap\nmetadata: {name: hub-conf, namespace: team-a}"
)

func eventOn(kind, name, uid, reason, message string) string {
	return `
apiVersion: v1
kind: Event
metadata: {name: ` + strings.ToLower(reason) + uid + `, namespace: team-a}
involvedObject: {apiVersion: v1, kind: ` + kind + `, namespace: team-a, name: ` + name + `, uid: ` + uid + `}
type: Warning
reason: ` + reason + `
message: ` + message + `
lastTimestamp: "2026-11-23T11:59:00Z"`
}

func (c connectCase) evidence(t *testing.T) *app.Evidence {
	t.Helper()
	var list []unstructured.Unstructured
	for _, text := range c.docs {
		var o unstructured.Unstructured
		require.NoError(t, yaml.Unmarshal([]byte(text), &o.Object), text)
		list = append(list, o)
	}
	var logs []app.Log
	if c.log != "" {
		logs = []app.Log{{Namespace: "team-a", Pod: "hub-server", Container: "spark-kubernetes-driver", Tail: c.log + "\n"}}
	}
	e := app.FromObjects(list, logs, snapshot.Ref{Kind: "SparkConnect", Namespace: "team-a", Name: "hub"},
		time.Date(2026, 11, 23, 12, 0, 0, 0, time.UTC))
	if !c.files {
		e.Partial = func(string) bool { return false }
	}
	if c.said != "" {
		e.OperatorSaid = []app.Said{{Pod: snapshot.Ref{Kind: "Pod", Namespace: "spark-operator", Name: "controller"},
			Container: "controller",
			Text:      c.said, At: e.Now}}
	}
	return e
}
