package app

import (
	"cmp"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// metaOf is what identifies an object, and who wrote it.
func metaOf(o *unstructured.Unstructured) (metav1.TypeMeta, metav1.ObjectMeta) {
	return metav1.TypeMeta{APIVersion: o.GetAPIVersion(), Kind: o.GetKind()}, metav1.ObjectMeta{
		Namespace: o.GetNamespace(), Name: o.GetName(), UID: o.GetUID(), Generation: o.GetGeneration(),
		CreationTimestamp: o.GetCreationTimestamp(), DeletionTimestamp: o.GetDeletionTimestamp(), Labels: o.GetLabels(),
		OwnerReferences: o.GetOwnerReferences(), Finalizers: o.GetFinalizers(), ManagedFields: managedFields(o),
	}
}

// managedFields passes over entries that do not decode; the one of unstructured writes to the log about these.
func managedFields(o *unstructured.Unstructured) []metav1.ManagedFieldsEntry {
	var out []metav1.ManagedFieldsEntry
	for _, one := range fields(o.Object).objects("metadata", "managedFields") {
		var entry metav1.ManagedFieldsEntry
		if runtime.DefaultUnstructuredConverter.FromUnstructured(one, &entry) == nil {
			out = append(out, entry)
		}
	}
	return out
}

func refOf(o *unstructured.Unstructured) snapshot.Ref {
	return snapshot.Ref{APIVersion: o.GetAPIVersion(), Kind: o.GetKind(), Namespace: o.GetNamespace(), Name: o.GetName(),
		UID: string(o.GetUID())}
}

// Decode reads a SparkApplication or a SparkConnect.
func Decode(o *unstructured.Unstructured) *Application {
	a := &Application{Spec: specOf(fields(o.Object).object("spec"))}
	a.TypeMeta, a.ObjectMeta = metaOf(o)
	if status := fields(o.Object).object("status"); a.Kind == connect {
		a.Status = connectStatus(status)
	} else {
		a.Status = statusOf(status)
	}
	return a
}

func specOf(f fields) Spec {
	allocation := f.object("dynamicAllocation")
	s := Spec{
		Type: f.text("type"), Mode: f.text("mode"), Image: f.text("image"), SparkVersion: f.text("sparkVersion"),
		MainClass: f.text("mainClass"), MemoryOverheadFactor: f.text("memoryOverheadFactor"), SparkConfigMap: f.text("sparkConfigMap"),
		Suspend: f.flag("suspend"), TimeToLiveSeconds: f.count("timeToLiveSeconds"), Queue: f.text("batchSchedulerOptions", "queue"),
		DynamicAllocation: DynamicAllocation{Enabled: allocation.flag("enabled") || allocation.text("enabled") == "true",
			MaxExecutors: allocation.number("maxExecutors")},
		RestartPolicy: RestartPolicy{Type: f.text("restartPolicy", "type"), OnFailureRetries: f.number("restartPolicy", "onFailureRetries")},
		Conf:          f.textsByName("sparkConf"),
		Driver:        roleOf(f.object("driver")), Executor: roleOf(f.object("executor")), Server: roleOf(f.object("server")),
		Says: map[string]string{},
	}
	if service := f.object("server", "service"); service != nil {
		s.Service = &Service{Name: service.text("metadata", "name")}
	}
	for _, path := range said() {
		if value, is := f.value(strings.Split(path, ".")...); is {
			s.Says[path] = asText(value)
		}
	}
	return s
}

// said are the fields below spec that are shown beside a verdict.
func said() []string {
	out := []string{"image", "imagePullPolicy", "imagePullSecrets", "sparkVersion", "mainClass", "mainApplicationFile", "deps.packages",
		"deps.jars", "deps.pyFiles", "batchScheduler", "restartPolicy.type", "restartPolicy.onFailureRetries",
		"restartPolicy.onSubmissionFailureRetries", "timeToLiveSeconds", "executor.instances"}
	for _, role := range []string{"driver", "executor", "server"} {
		for _, field := range []string{"cores", "coreRequest", "coreLimit", "memory", "memoryOverhead", "priorityClassName", "javaOptions",
			"serviceAccount", "image", "nodeSelector", "labels"} {
			out = append(out, role+"."+field)
		}
	}
	return out
}

func roleOf(f fields) Role {
	r := Role{
		Cores: f.count("cores"), CoreRequest: f.text("coreRequest"), CoreLimit: f.text("coreLimit"), Memory: f.text("memory"),
		MemoryOverhead: f.text("memoryOverhead"), MemoryLimit: f.text("memoryLimit"), Instances: f.count("instances"),
		PodName: f.text("podName"), PriorityClassName: f.text("priorityClassName"), Image: f.text("image"), JavaOptions: f.text("javaOptions"),
		Template: templateOf(f.object("template")),
	}
	for _, one := range f.objects("env") {
		r.Env = append(r.Env, one.text("name"))
	}
	for _, one := range f.objects("envFrom") {
		if name := one.text("configMapRef", "name"); name != "" {
			r.EnvFrom = append(r.EnvFrom, VariablesOf{Kind: "ConfigMap", Name: name})
		} else if name := one.text("secretRef", "name"); name != "" {
			r.EnvFrom = append(r.EnvFrom, VariablesOf{Kind: "Secret", Name: name})
		}
	}
	for _, one := range f.objects("volumeMounts") {
		r.VolumeMounts = append(r.VolumeMounts, Mount{Name: one.text("name"), Path: one.text("mountPath")})
	}
	for _, one := range f.objects("configMaps") {
		r.ConfigMaps = append(r.ConfigMaps, Mount{Name: one.text("name"), Path: one.text("path")})
	}
	return r
}

func templateOf(f fields) Template {
	var out Template
	if f == nil {
		return out
	}
	for _, one := range f.objects("spec", "containers") {
		out.Containers = append(out.Containers, TemplateContainer{Name: one.text("name"), Image: one.text("image")})
	}
	var template corev1.PodTemplateSpec
	if runtime.DefaultUnstructuredConverter.FromUnstructured(f, &template) == nil {
		withoutValues(&template.Spec)
		out.Pod = template.Spec
	}
	return out
}

func statusOf(f fields) Status {
	return Status{
		State: f.text("applicationState", "state"), Message: f.text("applicationState", "errorMessage"),
		Submitted: f.when("lastSubmissionAttemptTime"), Ended: f.when("terminationTime"), Attempts: f.count("executionAttempts"),
		DriverPod: f.text("driverInfo", "podName"), SubmissionID: f.text("submissionID"), ExecutorStates: executorStates(f),
	}
}

// executorStates names executors even where their state is none.
func executorStates(f fields) map[string]string {
	out := map[string]string{}
	states := f.object("executorState")
	for name := range states {
		out[name] = states.text(name)
	}
	return out
}

// connectStatus reads the status of a SparkConnect.
func connectStatus(f fields) Status {
	s := Status{State: f.text("state"), Submitted: f.when("startTime"), ServerPod: f.text("server", "podName"),
		ServerService: f.text("server", "serviceName"), ExecutorCounts: map[string]int{}}
	executors := f.object("executors")
	for phase := range executors {
		s.ExecutorCounts[phase] = executors.count(phase)
	}
	for _, one := range f.objects("conditions") {
		if one.text("type") != "ServerPodReady" {
			continue
		}
		s.Since = one.when("lastTransitionTime")
		// The operator writes these words and, behind them, status.message of the pod, which is mostly empty.
		if text := strings.TrimSpace(strings.TrimPrefix(one.text("message"), "Server pod is not ready:")); text != "Server pod is ready" {
			s.Message = text
		}
	}
	return s
}

func decodeSchedule(o *unstructured.Unstructured) *Schedule {
	f := fields(o.Object)
	s := &Schedule{
		Suspend: f.flag("spec", "suspend"), ConcurrencyPolicy: f.text("spec", "concurrencyPolicy"),
		State: f.text("status", "scheduleState"), Reason: f.text("status", "reason"), LastRun: f.text("status", "lastRunName"),
		NextRun: f.text("status", "nextRun"), Next: f.when("status", "nextRun"),
		Failed: f.texts("status", "pastFailedRunNames"), Succeeded: f.texts("status", "pastSuccessfulRunNames"),
	}
	s.TypeMeta, s.ObjectMeta = metaOf(o)
	return s
}

func decodeQueued(o *unstructured.Unstructured) Queued {
	f := fields(o.Object)
	q := Queued{Ref: refOf(o), Queue: cmp.Or(f.text("spec", "queueName"), f.text("spec", "queue"))}
	for _, path := range []string{"minMember", "minResources", "queue"} {
		if value, is := f.value("spec", path); is {
			q.Asks = append(q.Asks, Field{Path: "spec." + path, Value: asText(value)})
		}
	}
	if value, is := f.value("spec", "minResources"); is {
		q.Wants = asText(value)
	}
	for _, one := range f.objects("status", "conditions") {
		q.Conditions = append(q.Conditions, Condition{Type: one.text("type"), Status: one.text("status"), Reason: one.text("reason"),
			Message: one.text("message")})
	}
	return q
}
