package mutator

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	corev1 "k8s.io/api/core/v1"
	"k8s.io/apimachinery/pkg/api/resource"
	metav1 "k8s.io/apimachinery/pkg/apis/meta/v1"
	"k8s.io/apimachinery/pkg/types"
)

// submitted returns the pod of a role as the API server shows it to the webhook: what Spark makes of the template and of its own
// settings (running-on-kubernetes.html of Spark 3.5.5), with Kubernetes' defaults.
func submitted(t *testing.T, app object, role string) corev1.Pod {
	t.Helper()
	name := app["metadata"].(object)["name"].(string)
	spec := app["spec"].(object)
	of := spec[role].(object)
	var pod corev1.Pod
	if template, has := of["template"]; has {
		read(t, template, &pod)
	}
	pod.TypeMeta = metav1.TypeMeta{APIVersion: "v1", Kind: "Pod"}
	pod.Name, pod.Namespace, pod.UID = name+"-"+role, "jobs", types.UID("22222222-0000-4000-8000-00000000000"+role[:1])
	pod.CreationTimestamp = metav1.NewTime(time.Date(2026, 11, 20, 3, 1, 0, 0, time.UTC))
	pod.Labels = map[string]string{
		"sparkoperator.k8s.io/launched-by-spark-operator": "true", "sparkoperator.k8s.io/app-name": name,
		"sparkoperator.k8s.io/submission-id": "s-1",
		"spark-role":                         role, "spark-version": "3.5.5",
	}
	if len(pod.Spec.Containers) == 0 {
		pod.Spec.Containers = []corev1.Container{{}}
	}
	c := &pod.Spec.Containers[0]
	c.Name, c.Image = "spark-kubernetes-"+role, "spark:3.5.5"
	memory := resource.MustParse("1408Mi")
	c.Resources = corev1.ResourceRequirements{Requests: corev1.ResourceList{"cpu": resource.MustParse("1"), "memory": memory},
		Limits: corev1.ResourceList{"memory": memory}}
	c.Env = append(c.Env, corev1.EnvVar{Name: "SPARK_USER", Value: "spark"}, corev1.EnvVar{Name: "SPARK_CONF_DIR", Value: "/opt/spark/conf"})
	bySettings(&pod, spec, role)
	zero, grace := int64(0), int64(30)
	pod.Spec.TerminationGracePeriodSeconds, pod.Spec.SecurityContext = &grace, &corev1.PodSecurityContext{}
	pod.Spec.DNSPolicy, pod.Spec.RestartPolicy = corev1.DNSClusterFirst, corev1.RestartPolicyNever
	if pod.Spec.SchedulerName == "" {
		pod.Spec.SchedulerName = corev1.DefaultSchedulerName
	}
	for _, key := range []string{"node.kubernetes.io/not-ready", "node.kubernetes.io/unreachable"} {
		pod.Spec.Tolerations = append(pod.Spec.Tolerations, corev1.Toleration{Key: key, Operator: corev1.TolerationOpExists,
			Effect: corev1.TaintEffectNoExecute, TolerationSeconds: &zero})
	}
	pod.Spec.Volumes = append(pod.Spec.Volumes, corev1.Volume{Name: "spark-local-dir-1"}, corev1.Volume{Name: "kube-api-access-x7k2p"})
	pod.Status.Phase = corev1.PodRunning
	return pod
}

// bySettings adds what the application gives spark-submit.
func bySettings(pod *corev1.Pod, spec object, role string) {
	c := &pod.Spec.Containers[0]
	pod.Spec.NodeSelector = map[string]string{}
	selector, _ := spec["nodeSelector"].(object)
	for key, value := range selector {
		pod.Spec.NodeSelector[key] = value.(string)
	}
	vars, _ := spec[role].(object)["envVars"].(object)
	for key, value := range vars {
		c.Env = append(c.Env, corev1.EnvVar{Name: key, Value: value.(string)})
	}
	conf, _ := spec["sparkConf"].(object)
	for key, value := range conf {
		text := value.(string)
		switch {
		case key == "spark.kubernetes.scheduler.name":
			pod.Spec.SchedulerName = text
		case key == "spark.kubernetes.driverEnv.A" && role == "driver", key == "spark.executorEnv.A" && role == "executor":
			c.Env = append(c.Env, corev1.EnvVar{Name: "A", Value: text})
		case strings.HasPrefix(key, "spark.kubernetes."+role+".node.selector."):
			pod.Spec.NodeSelector[strings.TrimPrefix(key, "spark.kubernetes."+role+".node.selector.")] = text
		}
	}
}

func read(t *testing.T, from, into any) {
	t.Helper()
	text, err := json.Marshal(from)
	require.NoError(t, err)
	require.NoError(t, json.Unmarshal(text, into))
}

// carried reports whether the webhook brings a pod something in whose place it has nothing otherwise. Where it has another value, the
// pod does not tell who chose that.
func carried(t *testing.T, before, after corev1.Pod) bool {
	t.Helper()
	after = *after.DeepCopy()
	if before.Spec.SchedulerName != corev1.DefaultSchedulerName {
		after.Spec.SchedulerName = before.Spec.SchedulerName
	}
	for key, value := range before.Spec.NodeSelector {
		after.Spec.NodeSelector[key] = value
	}
	return what(t, before) != what(t, after)
}

// what is all of a pod that counts. Each thing counts once, and not at all where Spark or Kubernetes has put another of the same
// name there; owners are the controller's from 2.4.0 on.
func what(t *testing.T, pod corev1.Pod) string {
	t.Helper()
	pod = *pod.DeepCopy()
	pod.OwnerReferences = nil
	spec := &pod.Spec
	c := &spec.Containers[slices.IndexFunc(spec.Containers, func(c corev1.Container) bool {
		return strings.HasPrefix(c.Name,
			"spark-kubernetes-")
	})]
	c.Env = once(slices.DeleteFunc(c.Env, func(e corev1.EnvVar) bool { return strings.HasPrefix(e.Name, "SPARK_") }),
		func(e corev1.EnvVar) string { return e.Name })
	spec.Tolerations = once(slices.DeleteFunc(spec.Tolerations,
		func(t corev1.Toleration) bool { return strings.HasPrefix(t.Key, "node.kubernetes.io/") }), tolerated)
	spec.Volumes = once(spec.Volumes, func(v corev1.Volume) string { return v.Name })
	c.VolumeMounts = nil // go with their volumes
	spec.HostAliases = once(spec.HostAliases, func(a corev1.HostAlias) string { return a.IP })
	if blank(spec.Affinity) {
		spec.Affinity = nil
	}
	if blank(spec.DNSConfig) {
		spec.DNSConfig = nil
	}
	if blank(c.SecurityContext) {
		c.SecurityContext = nil
	}
	if blank(c.Lifecycle) {
		c.Lifecycle = nil
	}
	text, err := json.Marshal(pod)
	require.NoError(t, err)
	return string(text)
}

func blank(v any) bool {
	text, err := json.Marshal(v)
	return err == nil && string(text) == "{}"
}

// tolerated is what a toleration is about: the seconds of one that is there already are not compared.
func tolerated(t corev1.Toleration) string {
	if t.Operator == corev1.TolerationOpExists {
		return t.Key + ":" + string(t.Effect)
	}
	return t.Key + "=" + t.Value + ":" + string(t.Effect)
}

func once[T any](list []T, name func(T) string) []T {
	seen := map[string]bool{}
	return slices.DeleteFunc(list, func(one T) bool {
		known := seen[name(one)]
		seen[name(one)] = true
		return known
	})
}
