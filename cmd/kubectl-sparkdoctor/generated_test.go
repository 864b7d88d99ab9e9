package main

import (
	"fmt"
	"os"
	"regexp"
	"strings"
	"text/template"

	"github.com/rogpeppe/go-internal/testscript"
)

// generate writes an input that is too large to be kept: "generate operator-down dump.yaml".
func generate(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 2 {
		ts.Fatalf("usage: generate operator-down|faulty-fleet|one-fault|healthy FILE")
	}
	made, known := generated()[args[0]]
	if !known {
		ts.Fatalf("generate knows no %s", args[0])
	}
	ts.Check(os.WriteFile(ts.MkAbs(args[1]), []byte(made()), 0o644))
}

// generated are the inputs by their names. All show a cluster at 2026-11-23T15:00:00Z.
func generated() map[string]func() string {
	return map[string]func() string{
		"operator-down": operatorDown, "faulty-fleet": faultyFleet,
		"healthy": func() string { return operatorOf(true, teams(3)) + namespacesOf(teams(3)) + runningIn(teams(3)) },
		"one-fault": func() string {
			return operatorOf(true, teams(3)) + namespacesOf(teams(3)) + runningIn(teams(3)) + fault("team-01", 0)
		},
	}
}

// teams are so many names of namespaces.
func teams(n int) []string {
	var out []string
	for i := range n {
		out = append(out, fmt.Sprintf("team-%02d", i+1))
	}
	return out
}

// operatorDown has a controller that ran out of memory 17 times within 40 minutes, a webhook that is not ready and fails open, and 200
// applications in 4 namespaces that wait for it, the oldest for 48 minutes.
func operatorDown() string {
	var b strings.Builder
	b.WriteString(operatorOf(false, teams(4)) + namespacesOf(teams(4)))
	for i := range 200 {
		at := fmt.Sprintf("2026-11-23T14:%02d:%02dZ", 12+i/8, i%8*7)
		b.WriteString(application(teams(4)[i%4], fmt.Sprintf("hourly-%03d", i), at, ""))
	}
	return b.String()
}

// faultyFleet has 360 findings in 30 namespaces: 12 faulty applications in each.
func faultyFleet() string {
	var b strings.Builder
	b.WriteString(operatorOf(true, teams(30)) + namespacesOf(teams(30)))
	for _, team := range teams(30) {
		for i := range 12 {
			b.WriteString(fault(team, i))
		}
	}
	return b.String()
}

func namespacesOf(names []string) string {
	var b strings.Builder
	for _, name := range names {
		fmt.Fprintf(&b, "---\napiVersion: v1\nkind: Namespace\nmetadata: {name: %s, labels: {kubernetes.io/metadata.name: %s}}\n", name, name)
	}
	return b.String()
}

func runningIn(names []string) string {
	var b strings.Builder
	for _, name := range names {
		b.WriteString(application(name, "streaming", "2026-11-22T14:00:00Z", running) + driver(name, "streaming", true))
	}
	return b.String()
}

const (
	running = `
status: {applicationState: {state: RUNNING}, lastSubmissionAttemptTime: "2026-11-23T14:00:00Z", submissionID: s1, ` +
		`driverInfo: {podName: streaming-driver}}`
	completed = `
status: {applicationState: {state: COMPLETED}, lastSubmissionAttemptTime: "2026-11-23T09:00:00Z", ` +
		`terminationTime: "2026-11-23T10:00:00Z"}`
)

// application is one with a status, or with none that anyone wrote.
func application(namespace, name, created, status string) string {
	return fmt.Sprintf(`---
apiVersion: sparkoperator.k8s.io/v1beta2
kind: SparkApplication
metadata: {name: %s, namespace: %s, uid: %s, creationTimestamp: %q}
spec: {type: Scala, mode: cluster, sparkVersion: 3.5.3, mainApplicationFile: "local:///job.jar", timeToLiveSeconds: 86400,
  driver: {serviceAccount: spark-driver}, executor: {instances: 2}}%s
`, name, namespace, "uid-"+namespace+"-"+name, created, status)
}

// fault is the i-th faulty application of a namespace, of six kinds.
func fault(namespace string, i int) string {
	name := fmt.Sprintf("job-%02d", i)
	app := application(namespace, name, "2026-11-23T08:00:00Z", completed)
	owned := func(owner string) string {
		return strings.Replace(app, "metadata: {", "metadata: {ownerReferences: ["+owner+"], ", 1)
	}
	switch i % 6 {
	case 0: // owned across namespaces
		return owned("{apiVersion: argoproj.io/v1alpha1, kind: Workflow, name: nightly, uid: uid-nightly}") + `---
apiVersion: argoproj.io/v1alpha1
kind: Workflow
metadata: {name: nightly, namespace: argo, uid: uid-nightly}
`
	case 1: // owned by what is gone
		return owned("{apiVersion: argoproj.io/v1alpha1, kind: Workflow, name: gone, uid: uid-gone-" + namespace + "}")
	case 2: // held by a finalizer
		return strings.Replace(app, "metadata: {", `metadata: {deletionTimestamp: "2026-11-23T12:00:00Z", finalizers: [example.com/audit], `, 1)
	case 3: // a pod without its application
		return pod(namespace, fmt.Sprintf("lost-%02d-driver", i), fmt.Sprintf("lost-%02d", i), "driver")
	case 4: // running, and its driver is gone
		return application(namespace, name, "2026-11-23T08:00:00Z", strings.ReplaceAll(running, "streaming", name))
	default: // a driver that nothing owns
		return application(namespace, name, "2026-11-23T08:00:00Z", strings.ReplaceAll(running, "streaming", name)) +
			driver(namespace, name, false)
	}
}

// driver is the pod of an application that runs.
func driver(namespace, app string, owned bool) string {
	text := pod(namespace, app+"-driver", app, "driver")
	if !owned {
		return text
	}
	owner := fmt.Sprintf("{apiVersion: sparkoperator.k8s.io/v1beta2, kind: SparkApplication, name: %s, uid: uid-%s-%s}", app, namespace, app)
	return strings.Replace(text, "metadata: {", "metadata: {ownerReferences: ["+owner+"], ", 1)
}

func pod(namespace, name, app, role string) string {
	return fmt.Sprintf(`---
apiVersion: v1
kind: Pod
metadata: {name: %s, namespace: %s, uid: %s, creationTimestamp: "2026-11-23T10:00:00Z", labels: {spark-role: %s,
  sparkoperator.k8s.io/app-name: %s, sparkoperator.k8s.io/launched-by-spark-operator: "true", sparkoperator.k8s.io/submission-id: s1}}
spec: {containers: [{name: spark-kubernetes-driver, image: spark}]}
status: {phase: Running}
`, name, namespace, "uid-"+namespace+"-"+name, role, app)
}

// operatorOf is Spark Operator 2.5.1 for some namespaces.
func operatorOf(healthy bool, namespaces []string) string {
	var b strings.Builder
	data := struct {
		Namespaces, Bundle string
		Healthy            bool
		Ready              int
	}{strings.Join(namespaces, ","), bundle(), healthy, 0}
	if healthy {
		data.Ready = 1
	}
	if err := template.Must(template.New("").Parse(operatorTemplate)).Execute(&b, data); err != nil {
		panic(err)
	}
	return b.String()
}

// bundle is a CA certificate that has not expired, that of an example.
func bundle() string {
	text, err := os.ReadFile("../../examples/broken-cluster/mutatingwebhookconfigurations.yaml")
	if err != nil {
		panic(err)
	}
	return string(regexp.MustCompile(`caBundle: (\S+)`).FindSubmatch(text)[1])
}

const operatorTemplate = `apiVersion: apps/v1
kind: Deployment
metadata: {name: spark-operator-controller, namespace: spark-operator, uid: uid-controller, creationTimestamp: "2026-11-01T00:00:00Z"}
spec:
  replicas: 1
  selector: {matchLabels: {app: spark-operator-controller}}
  template:
    metadata: {labels: {app: spark-operator-controller}}
    spec:
      containers:
      - name: controller
        image: ghcr.io/kubeflow/spark-operator/controller:2.5.1
        args: [controller, start, "--namespaces={{.Namespaces}}"]
        resources: {limits: {memory: 300Mi}}
status:
  readyReplicas: {{.Ready}}
  conditions:
  - {type: Available, status: "{{if .Healthy}}True{{else}}False{{end}}", lastTransitionTime: "2026-11-23T14:12:00Z",
     lastUpdateTime: "2026-11-23T14:12:00Z"}
---
apiVersion: apps/v1
kind: Deployment
metadata: {name: spark-operator-webhook, namespace: spark-operator, uid: uid-webhook, creationTimestamp: "2026-11-01T00:00:00Z"}
spec:
  replicas: 1
  selector: {matchLabels: {app: spark-operator-webhook}}
  template:
    metadata: {labels: {app: spark-operator-webhook}}
    spec:
      containers:
      - name: webhook
        image: ghcr.io/kubeflow/spark-operator/controller:2.5.1
        args: [webhook, start, "--namespaces={{.Namespaces}}", --webhook-svc-name=spark-operator-webhook-svc,
          --webhook-svc-namespace=spark-operator, --mutating-webhook-name=spark-operator-webhook,
          --validating-webhook-name=spark-operator-webhook]
status:
  readyReplicas: {{.Ready}}
  conditions:
  - {type: Available, status: "{{if .Healthy}}True{{else}}False{{end}}", lastTransitionTime: "2026-11-23T14:12:00Z",
     lastUpdateTime: "2026-11-23T14:12:00Z"}
---
apiVersion: v1
kind: Service
metadata: {name: spark-operator-webhook-svc, namespace: spark-operator, uid: uid-service, creationTimestamp: "2026-11-01T00:00:00Z"}
spec: {selector: {app: spark-operator-webhook}, ports: [{name: webhook, port: 9443, targetPort: webhook}]}
---
apiVersion: discovery.k8s.io/v1
kind: EndpointSlice
metadata: {name: spark-operator-webhook-svc-x, namespace: spark-operator, uid: uid-slice, creationTimestamp: "2026-11-01T00:00:00Z",
  labels: {kubernetes.io/service-name: spark-operator-webhook-svc}}
addressType: IPv4
endpoints: [{addresses: [10.0.0.1], conditions: {ready: {{.Healthy}}}}]
ports: [{name: webhook, port: 9443}]
---
apiVersion: admissionregistration.k8s.io/v1
kind: MutatingWebhookConfiguration
metadata: {name: spark-operator-webhook, uid: uid-mutating, creationTimestamp: "2026-11-01T00:00:00Z"}
webhooks:
- name: mutate--v1-pod.sparkoperator.k8s.io
  failurePolicy: {{if .Healthy}}Fail{{else}}Ignore{{end}}
  clientConfig: {caBundle: {{.Bundle}}, service: {name: spark-operator-webhook-svc, namespace: spark-operator,
    path: /mutate--v1-pod, port: 9443}}
  namespaceSelector: {}
  objectSelector: {matchLabels: {sparkoperator.k8s.io/launched-by-spark-operator: "true"}}
  rules: [{apiGroups: [""], apiVersions: [v1], operations: [CREATE], resources: [pods]}]
  admissionReviewVersions: [v1]
  sideEffects: None
---
apiVersion: v1
kind: Pod
metadata: {name: spark-operator-controller-cf6dcc95b-4dx78, namespace: spark-operator, uid: uid-controller-pod,
  creationTimestamp: "2026-11-23T14:20:00Z", labels: {app: spark-operator-controller}}
spec: {containers: [{name: controller, image: "ghcr.io/kubeflow/spark-operator/controller:2.5.1"}]}
status:
  phase: Running
  conditions: [{type: Ready, status: "{{if .Healthy}}True{{else}}False{{end}}"}]
  containerStatuses:
{{- if .Healthy}}
  - {name: controller, ready: true, restartCount: 0, state: {running: {startedAt: "2026-11-20T00:00:10Z"}}}
{{- else}}
  - {name: controller, ready: false, restartCount: 17, state: {waiting: {reason: CrashLoopBackOff}}, lastState: {terminated: {
      reason: OOMKilled, exitCode: 137, startedAt: "2026-11-23T14:56:00Z", finishedAt: "2026-11-23T14:58:00Z"}}}
{{- end}}
---
apiVersion: v1
kind: Pod
metadata: {name: spark-operator-webhook-7d9f-x2x4q, namespace: spark-operator, uid: uid-webhook-pod,
  creationTimestamp: "2026-11-23T14:20:00Z", labels: {app: spark-operator-webhook}}
spec: {containers: [{name: webhook, image: "ghcr.io/kubeflow/spark-operator/controller:2.5.1"}]}
status:
  phase: Running
  conditions: [{type: Ready, status: "{{if .Healthy}}True{{else}}False{{end}}"}]
  containerStatuses:
{{- if .Healthy}}
  - {name: webhook, ready: true, restartCount: 0, state: {running: {startedAt: "2026-11-20T00:00:10Z"}}}
{{- else}}
  - {name: webhook, ready: false, restartCount: 17, state: {waiting: {reason: CrashLoopBackOff}}, lastState: {terminated: {
      reason: OOMKilled, exitCode: 137, startedAt: "2026-11-23T14:56:00Z", finishedAt: "2026-11-23T14:57:00Z"}}}
{{- end}}
`
