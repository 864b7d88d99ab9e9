package snapshot

import (
	"slices"
	"strconv"

	corev1 "k8s.io/api/core/v1"
)

// podFeatures returns what a pod has of the fields that the webhook sets. The Spark container is found as the webhook
// finds it: by name, else it is the first one (findContainer, internal/webhook/sparkpod_defaulter.go@v2.1.1).
func podFeatures(spec *corev1.PodSpec, role string) Features {
	names := SparkContainers(role)
	if len(names) == 0 {
		return ""
	}
	main := slices.IndexFunc(spec.Containers, func(c corev1.Container) bool { return slices.Contains(names, c.Name) })
	var list []Feature
	if main >= 0 {
		list = append(list, Feature{sparkContainerNamed, spec.Containers[main].Name})
	}
	if main = max(main, 0); len(spec.Containers) > 0 {
		list = appendContainer(list, &spec.Containers[main])
	}
	for i := range spec.Containers {
		if i != main {
			list = append(list, Feature{Sidecars, spec.Containers[i].Name})
		}
	}
	for i := range spec.InitContainers {
		list = append(list, Feature{InitContainers, spec.InitContainers[i].Name})
	}
	for i := range spec.Volumes {
		list = append(list, Feature{VolumeMounts, spec.Volumes[i].Name})
		if cm := spec.Volumes[i].ConfigMap; cm != nil {
			list = append(list, Feature{RoleConfigMaps, cm.Name})
		}
	}
	return featuresOf(appendPlacement(appendPod(list, spec), spec))
}

// SparkContainers are the names of the Spark container; Spark 2 called an executor's just "executor"
// (pkg/common/spark.go@v2.5.2).
func SparkContainers(role string) []string {
	switch role {
	case "driver":
		return []string{"spark-kubernetes-driver"}
	case "executor":
		return []string{"spark-kubernetes-executor", "executor"}
	default:
		return nil
	}
}

func appendContainer(list []Feature, c *corev1.Container) []Feature {
	for i := range c.Env {
		list = append(list, Feature{Env, c.Env[i].Name})
	}
	for i := range c.EnvFrom {
		if from := c.EnvFrom[i].ConfigMapRef; from != nil {
			list = append(list, Feature{EnvFrom, "ConfigMap " + from.Name})
		}
		if from := c.EnvFrom[i].SecretRef; from != nil {
			list = append(list, Feature{EnvFrom, "Secret " + from.Name})
		}
	}
	for _, port := range c.Ports {
		list = append(list, Feature{Ports, portName(port.Name, port.ContainerPort)})
	}
	if c.SecurityContext != nil && c.SecurityContext.Size() > 0 {
		list = append(list, Feature{SecurityContext, ""})
	}
	if c.Lifecycle != nil {
		list = append(list, Feature{Lifecycle, ""})
	}
	for name := range c.Resources.Limits {
		list = append(list, Feature{GPU, string(name)})
	}
	// Spark makes limit and request equal; a limit of its own is what memoryLimit brings, or somebody else.
	limit := c.Resources.Limits.Memory()
	list = append(list, Feature{MemoryLimit, strconv.FormatInt(limit.Value(), 10)})
	if limit.Cmp(*c.Resources.Requests.Memory()) != 0 {
		list = append(list, Feature{MemoryLimit, touched})
	}
	return list
}

func portName(name string, number int32) string { return name + ":" + strconv.Itoa(int(number)) }

func appendPod(list []Feature, spec *corev1.PodSpec) []Feature {
	for _, alias := range spec.HostAliases {
		list = append(list, Feature{HostAliases, alias.IP})
	}
	if sc := spec.SecurityContext; sc != nil && sc.Size() > 0 { // the API server itself makes it an empty object
		list = append(list, Feature{PodSecurityContext, ""})
	}
	if spec.HostNetwork {
		list = append(list, Feature{HostNetwork, ""})
	}
	if spec.DNSConfig != nil {
		list = append(list, Feature{DNSConfig, ""})
	}
	if spec.ShareProcessNamespace != nil && *spec.ShareProcessNamespace {
		list = append(list, Feature{ShareProcessNamespace, ""})
	}
	if grace := spec.TerminationGracePeriodSeconds; grace != nil && *grace != defaultGrace {
		list = append(list, Feature{TerminationGracePeriod, strconv.FormatInt(*grace, 10)}, Feature{TerminationGracePeriod, touched})
	}
	return list
}

// What the API server sets where a pod says nothing (pkg/apis/core/v1/defaults.go of Kubernetes).
const (
	defaultGrace     = 30
	defaultScheduler = "default-scheduler"
)

func appendPlacement(list []Feature, spec *corev1.PodSpec) []Feature {
	if spec.Affinity != nil {
		list = append(list, Feature{Affinity, ""})
	}
	for i := range spec.Tolerations {
		t := &spec.Tolerations[i]
		list = append(list, Feature{Tolerations, tolerationName(t.Key, string(t.Operator), t.Value, string(t.Effect))})
	}
	for key, value := range spec.NodeSelector {
		list = append(list, Feature{NodeSelector, key + "=" + value}, Feature{NodeSelector, key})
	}
	if name := spec.SchedulerName; name != "" && name != defaultScheduler {
		list = append(list, Feature{SchedulerName, name}, Feature{SchedulerName, touched})
	}
	if name := spec.PriorityClassName; name != "" { // the cluster's default class, perhaps
		list = append(list, Feature{PriorityClassName, name}, Feature{PriorityClassName, touched})
	}
	return list
}

// tolerationName writes a toleration as "key=value:effect", or "key:effect" if it only must exist.
func tolerationName(key, operator, value, effect string) string {
	if operator != string(corev1.TolerationOpExists) {
		key += "=" + value
	}
	if effect == "" {
		return key
	}
	return key + ":" + effect
}
