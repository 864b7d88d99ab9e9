package snapshot

import (
	"bytes"
	"slices"
	"strconv"

	corev1 "k8s.io/api/core/v1"
)

// podFeatures returns what a pod has of the fields that the webhook sets. The Spark container is found as the webhook
// finds it: by name, else it is the first one (findContainer, internal/webhook/sparkpod_defaulter.go@v2.1.1).
func (d *Decoder) podFeatures(spec *wirePodSpec, role string) (Features, error) {
	names := SparkContainers(role)
	if len(names) == 0 {
		return "", nil
	}
	has := featureSet{d.hashes[:0]}
	main := slices.IndexFunc(spec.Containers, func(c wireContainer) bool { return slices.Contains(names, string(c.Name)) })
	if main >= 0 {
		has.add(sparkContainerNamed, spec.Containers[main].Name)
	}
	if main = max(main, 0); len(spec.Containers) > 0 {
		if err := d.addContainer(&has, &spec.Containers[main]); err != nil {
			return "", err
		}
	}
	for i := range spec.Containers {
		if i != main {
			has.add(Sidecars, spec.Containers[i].Name)
		}
	}
	for i := range spec.InitContainers {
		has.add(InitContainers, spec.InitContainers[i].Name)
	}
	for i := range spec.Volumes {
		if isToken(spec.Volumes[i].Name) {
			continue
		}
		has.add(VolumeMounts, spec.Volumes[i].Name)
		if cm := &spec.Volumes[i].ConfigMap; cm.Set {
			has.add(RoleConfigMaps, cm.Value.Name)
		}
	}
	has.addPod(spec)
	has.addPlacement(spec)
	d.hashes = has.hashes
	return d.featuresOf(has), nil
}

// tokenVolume begins the name of the volume with the account's token, which the API server gives every pod. It ends in
// five random letters: with it no two pods would be alike (plugin/pkg/admission/serviceaccount/admission.go of Kubernetes).
const tokenVolume = "kube-api-access-"

func isToken(volume wireText) bool { return bytes.HasPrefix(volume, []byte(tokenVolume)) }

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

func (d *Decoder) addContainer(has *featureSet, c *wireContainer) error {
	for i := range c.Env {
		has.add(Env, c.Env[i].Name)
	}
	for i := range c.EnvFrom {
		if from := &c.EnvFrom[i].ConfigMap; from.Set {
			has.addJoined(EnvFrom, wireText("ConfigMap "), from.Value.Name)
		}
		if from := &c.EnvFrom[i].Secret; from.Set {
			has.addJoined(EnvFrom, wireText("Secret "), from.Value.Name)
		}
	}
	for i := range c.Ports {
		number := strconv.AppendInt(d.number[:0], int64(c.Ports[i].ContainerPort), 10)
		has.addJoined(Ports, c.Ports[i].Name, wireText(":"), number)
	}
	if c.SecurityContext {
		has.add(SecurityContext, nil)
	}
	if c.Lifecycle.Set {
		has.add(Lifecycle, nil)
	}
	for i := range c.Resources.Limits {
		has.add(GPU, c.Resources.Limits[i].Key)
	}
	// Spark makes limit and request equal; a limit of its own is what memoryLimit brings, or somebody else.
	limit, err := d.quantity(c.Resources.Limits.of("memory"))
	if err != nil {
		return err
	}
	request, err := d.quantity(c.Resources.Requests.of("memory"))
	if err != nil {
		return err
	}
	has.add(MemoryLimit, strconv.AppendInt(d.number[:0], limit.Value(), 10))
	if limit.Cmp(request) != 0 {
		has.add(MemoryLimit, wireText(touched))
	}
	return nil
}

func portName(name string, number int32) string { return name + ":" + strconv.Itoa(int(number)) }

func (s *featureSet) addPod(spec *wirePodSpec) {
	for i := range spec.HostAliases {
		s.add(HostAliases, spec.HostAliases[i].IP)
	}
	if spec.SecurityContext { // the API server itself makes it an empty object
		s.add(PodSecurityContext, nil)
	}
	if spec.HostNetwork {
		s.add(HostNetwork, nil)
	}
	if spec.DNSConfig.Set {
		s.add(DNSConfig, nil)
	}
	if spec.ShareProcesses {
		s.add(ShareProcessNamespace, nil)
	}
	if grace := spec.TerminationGrace; grace.Set && grace.Value != defaultGrace {
		s.add(TerminationGracePeriod, strconv.AppendInt(nil, grace.Value, 10))
		s.add(TerminationGracePeriod, wireText(touched))
	}
}

// What the API server sets where a pod says nothing (pkg/apis/core/v1/defaults.go of Kubernetes).
const (
	defaultGrace     = 30
	defaultScheduler = "default-scheduler"
)

func (s *featureSet) addPlacement(spec *wirePodSpec) {
	if spec.Affinity.Set {
		s.add(Affinity, nil)
	}
	for i := range spec.Tolerations {
		s.addToleration(&spec.Tolerations[i])
	}
	for i := range spec.NodeSelector {
		s.addJoined(NodeSelector, spec.NodeSelector[i].Key, wireText("="), spec.NodeSelector[i].Value)
		s.add(NodeSelector, spec.NodeSelector[i].Key)
	}
	if name := spec.SchedulerName; len(name) > 0 && string(name) != defaultScheduler {
		s.add(SchedulerName, name)
		s.add(SchedulerName, wireText(touched))
	}
	if name := spec.PriorityClassName; len(name) > 0 { // the cluster's default class, perhaps
		s.add(PriorityClassName, name)
		s.add(PriorityClassName, wireText(touched))
	}
}

// addToleration hashes what tolerationName writes.
func (s *featureSet) addToleration(t *wirePodToleration) {
	parts := [3]wireText{t.Key}
	if string(t.Operator) != string(corev1.TolerationOpExists) {
		parts[1] = wireText("=")
		parts[2] = t.Value
	}
	if len(t.Effect) == 0 {
		s.addJoined(Tolerations, parts[:]...)
		return
	}
	s.addJoined(Tolerations, parts[0], parts[1], parts[2], wireText(":"), t.Effect)
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
