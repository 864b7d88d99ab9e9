package app

import (
	"maps"
	"slices"
	"strings"

	corev1 "k8s.io/api/core/v1"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/apis/meta/v1/unstructured"
	"k8s.io/apimachinery/pkg/runtime"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot/whole"
)

// metaOf is what identifies an object, and who wrote it.
func metaOf(o *unstructured.Unstructured) (metav1.TypeMeta, metav1.ObjectMeta) {
	return metav1.TypeMeta{APIVersion: o.GetAPIVersion(), Kind: o.GetKind()}, metav1.ObjectMeta{
		Namespace: o.GetNamespace(), Name: o.GetName(), UID: o.GetUID(), Generation: o.GetGeneration(),
		CreationTimestamp: o.GetCreationTimestamp(), DeletionTimestamp: o.GetDeletionTimestamp(), Labels: o.GetLabels(),
		Annotations:     o.GetAnnotations(),
		OwnerReferences: o.GetOwnerReferences(), Finalizers: o.GetFinalizers(), ManagedFields: managedFields(o),
	}
}

// managedFields passes over entries that do not decode; the one of unstructured writes to the log about these.
func managedFields(o *unstructured.Unstructured) []metav1.ManagedFieldsEntry {
	var out []metav1.ManagedFieldsEntry
	for _, one := range whole.Fields(o.Object).Objects("metadata", "managedFields") {
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
	a := &Application{Spec: specOf(whole.Fields(o.Object).Object("spec"))}
	for _, one := range whole.Fields(o.Object).Objects("dropped") {
		a.Dropped = append(a.Dropped, Dropped{Path: one.Text("path"), Names: one.Texts("names")})
	}
	a.TypeMeta, a.ObjectMeta = metaOf(o)
	if status := whole.Fields(o.Object).Object("status"); a.Kind == connect {
		a.Status = connectStatus(status)
	} else {
		a.Status = statusOf(status)
	}
	return a
}

func specOf(f whole.Fields) Spec {
	allocation := f.Object("dynamicAllocation")
	s := Spec{
		Type: f.Text("type"), Mode: f.Text("mode"), Image: f.Text("image"), SparkVersion: f.Text("sparkVersion"),
		ImagePullSecrets: f.Texts("imagePullSecrets"),
		MainClass:        f.Text("mainClass"), MainApplicationFile: f.Text("mainApplicationFile"), Arguments: f.Texts("arguments"),
		MemoryOverheadFactor: f.Text("memoryOverheadFactor"), SparkConfigMap: f.Text("sparkConfigMap"),
		Suspend: f.Flag("suspend"), TimeToLiveSeconds: f.Count("timeToLiveSeconds"), Queue: f.Text("batchSchedulerOptions", "queue"),
		GroupAsks: len(f.Object("batchSchedulerOptions", "resources")) > 0,
		DynamicAllocation: DynamicAllocation{Enabled: allocation.Flag("enabled") || allocation.Text("enabled") == "true",
			MaxExecutors: allocation.Number("maxExecutors")},
		RestartPolicy: RestartPolicy{Type: f.Text("restartPolicy", "type"), OnFailureRetries: f.Number("restartPolicy", "onFailureRetries")},
		Conf:          f.TextsByName("sparkConf"), HadoopConf: f.TextsByName("hadoopConf"),
		Packages: f.Texts("deps", "packages"), Jars: f.Texts("deps", "jars"),
		ExposesDriver: f.Flag("monitoring", "exposeDriverMetrics"), ExposesExecutors: f.Flag("monitoring", "exposeExecutorMetrics"),
		Archives: f.Texts("deps", "archives"),
		Driver:   roleOf(f.Object("driver")), Executor: roleOf(f.Object("executor")), Server: roleOf(f.Object("server")),
		Volumes: listOf[corev1.Volume](f, "volumes"), NodeSelector: f.TextsByName("nodeSelector"),
		Shown: map[string]string{},
	}
	if service := f.Object("server", "service"); service != nil {
		s.Service = &Service{Name: service.Text("metadata", "name")}
	}
	for _, path := range shownFields() {
		if value, is := f.Value(strings.Split(path, ".")...); is {
			s.Shown[path] = asText(value)
		}
	}
	return s
}

// shownFields are the fields below spec that are shown beside a verdict.
func shownFields() []string {
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

func roleOf(f whole.Fields) Role {
	r := Role{
		Cores: f.Count("cores"), CoreRequest: f.Text("coreRequest"), CoreLimit: f.Text("coreLimit"), Memory: f.Text("memory"),
		MemoryOverhead: f.Text("memoryOverhead"), MemoryLimit: f.Text("memoryLimit"), Instances: f.Count("instances"),
		PodName: f.Text("podName"), PriorityClassName: f.Text("priorityClassName"), Image: f.Text("image"), JavaOptions: f.Text("javaOptions"),
		NodeSelector: f.TextsByName("nodeSelector"), Labels: f.TextsByName("labels"), Annotations: f.TextsByName("annotations"),
		ServiceAccount: f.Text("serviceAccount"),
		Tolerations:    listOf[corev1.Toleration](f, "tolerations"), VolumeMounts: listOf[corev1.VolumeMount](f, "volumeMounts"),
		Template: templateOf(f.Object("template")),
	}
	r.Secured = f.Object("securityContext") != nil || f.Object("podSecurityContext") != nil
	for _, one := range f.Objects("env") {
		r.Env = append(r.Env, one.Text("name"))
		if ref := one.Object("valueFrom", "secretKeyRef"); ref != nil {
			r.EnvRefs = append(r.EnvRefs, KeyRef{Variable: one.Text("name"), Secret: ref.Text("name"), Key: ref.Text("key")})
		}
	}
	r.EnvWhole = envWhole(f)
	for _, one := range f.Objects("envFrom") {
		if name := one.Text("configMapRef", "name"); name != "" {
			r.EnvFrom = append(r.EnvFrom, VariablesOf{Kind: "ConfigMap", Name: name})
		} else if name := one.Text("secretRef", "name"); name != "" {
			r.EnvFrom = append(r.EnvFrom, VariablesOf{Kind: "Secret", Name: name})
		}
	}
	refs := f.Object("envSecretKeyRefs")
	for _, variable := range slices.Sorted(maps.Keys(refs)) {
		one := refs.Object(variable)
		r.EnvSecretKeyRefs = append(r.EnvSecretKeyRefs, KeyRef{Variable: variable, Secret: one.Text("name"), Key: one.Text("key")})
	}
	for _, one := range f.Objects("configMaps") {
		r.ConfigMaps = append(r.ConfigMaps, Mount{Name: one.Text("name"), Path: one.Text("path")})
	}
	for _, one := range f.Objects("secrets") {
		r.Secrets = append(r.Secrets, SecretMount{Name: one.Text("name"), Path: one.Text("path"), Type: one.Text("secretType")})
	}
	return r
}

// envWhole is the list of variables of a role, where the value of each is kept; nil: that of one is not.
func envWhole(f whole.Fields) []corev1.EnvVar {
	out := listOf[corev1.EnvVar](f, "env")
	for i := range out {
		e := &out[i]
		locale := snapshot.IsLocale(e.Name) && e.Value != "" && snapshot.KeptValue(e.Name, e.Value) == e.Value
		if !locale && e.ValueFrom == nil {
			return nil
		}
	}
	return out
}

// listOf are the items of a list, in their order. A field of an item that does not decode is absent; what stands beside it is read.
func listOf[T any](f whole.Fields, path string) []T {
	var out []T
	for _, one := range f.Objects(path) {
		var item T
		if runtime.DefaultUnstructuredConverter.FromUnstructured(one, &item) != nil {
			item = ofEachField[T](one)
		}
		out = append(out, item)
	}
	return out
}

func ofEachField[T any](f whole.Fields) T {
	decodes := map[string]any{}
	for name, value := range f {
		var alone T
		if runtime.DefaultUnstructuredConverter.FromUnstructured(map[string]any{name: value}, &alone) == nil {
			decodes[name] = value
		}
	}
	var item T
	_ = runtime.DefaultUnstructuredConverter.FromUnstructured(decodes, &item) // each field of it does
	return item
}

func templateOf(f whole.Fields) Template {
	var out Template
	if f == nil {
		return out
	}
	for _, one := range f.Objects("spec", "containers") {
		out.Containers = append(out.Containers, TemplateContainer{Name: one.Text("name"), Image: one.Text("image")})
	}
	var template corev1.PodTemplateSpec
	if runtime.DefaultUnstructuredConverter.FromUnstructured(f, &template) == nil {
		withoutValues(&template.Spec)
		out.Pod = template.Spec
	}
	return out
}

func statusOf(f whole.Fields) Status {
	return Status{
		State: f.Text("applicationState", "state"), Message: f.Text("applicationState", "errorMessage"),
		Submitted: f.When("lastSubmissionAttemptTime"), Ended: f.When("terminationTime"), Attempts: f.Count("executionAttempts"),
		DriverPod: f.Text("driverInfo", "podName"), SubmissionID: f.Text("submissionID"), ExecutorStates: executorStates(f),
	}
}

// executorStates names executors even where their state is none.
func executorStates(f whole.Fields) map[string]string {
	out := map[string]string{}
	states := f.Object("executorState")
	for name := range states {
		out[name] = states.Text(name)
	}
	return out
}

// connectStatus reads the status of a SparkConnect.
func connectStatus(f whole.Fields) Status {
	s := Status{State: f.Text("state"), Submitted: f.When("startTime"), ServerPod: f.Text("server", "podName"),
		ServerService: f.Text("server", "serviceName"), ExecutorCounts: map[string]int{}}
	executors := f.Object("executors")
	for phase := range executors {
		s.ExecutorCounts[phase] = executors.Count(phase)
	}
	for _, one := range f.Objects("conditions") {
		if one.Text("type") != "ServerPodReady" {
			continue
		}
		s.Since = one.When("lastTransitionTime")
		// The operator writes these words and, behind them, status.message of the pod, which is mostly empty.
		if text := strings.TrimSpace(strings.TrimPrefix(one.Text("message"), "Server pod is not ready:")); text != "Server pod is ready" {
			s.Message = text
		}
	}
	return s
}

func decodeSchedule(o *unstructured.Unstructured) *Schedule {
	f := whole.Fields(o.Object)
	s := &Schedule{
		Suspend: f.Flag("spec", "suspend"), ConcurrencyPolicy: f.Text("spec", "concurrencyPolicy"),
		Cron: f.Text("spec", "schedule"), TimeZone: f.Text("spec", "timeZone"),
		State: f.Text("status", "scheduleState"), Reason: f.Text("status", "reason"), LastRun: f.Text("status", "lastRunName"),
		LastRunAt: f.When("status", "lastRun"), NextRun: f.Text("status", "nextRun"), Next: f.When("status", "nextRun"),
		Failed: f.Texts("status", "pastFailedRunNames"), Succeeded: f.Texts("status", "pastSuccessfulRunNames"),
	}
	s.TypeMeta, s.ObjectMeta = metaOf(o)
	return s
}
