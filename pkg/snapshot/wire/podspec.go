package wire

import (
	"bytes"
	"slices"
	"strconv"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// podFeatures returns what a pod has of the fields that the webhook sets. The Spark container is found as the webhook
// finds it: by name, else it is the first one (findContainer, internal/webhook/sparkpod_defaulter.go@v2.1.1).
func (d *Decoder) podFeatures(spec *wirePodSpec, role string) (snapshot.Features, error) {
	names := snapshot.SparkContainers(role)
	if len(names) == 0 {
		return "", nil
	}
	has := &d.features
	has.Reset()
	main := slices.IndexFunc(spec.Containers, func(c wireContainer) bool { return slices.Contains(names, string(c.Name)) })
	if main >= 0 {
		has.Add(snapshot.SparkContainer, spec.Containers[main].Name)
	}
	if main = max(main, 0); len(spec.Containers) > 0 {
		if err := d.addContainer(has, &spec.Containers[main]); err != nil {
			return "", err
		}
	}
	for i := range spec.Containers {
		if i != main {
			has.Add(snapshot.Sidecars, spec.Containers[i].Name)
		}
	}
	for i := range spec.InitContainers {
		has.Add(snapshot.InitContainers, spec.InitContainers[i].Name)
	}
	for i := range spec.Volumes {
		if isToken(spec.Volumes[i].Name) {
			continue
		}
		has.Add(snapshot.VolumeMounts, spec.Volumes[i].Name)
		if cm := &spec.Volumes[i].ConfigMap; cm.Set {
			has.Add(snapshot.RoleConfigMaps, cm.Value.Name)
		}
	}
	addPod(has, spec)
	addPlacement(has, spec)
	return d.sharedFeatures(has), nil
}

// tokenVolume begins the name of the volume with the account's token, which the API server gives every pod. It ends in
// five random letters: with it no two pods would be alike (plugin/pkg/admission/serviceaccount/admission.go of Kubernetes).
const tokenVolume = "kube-api-access-"

func isToken(volume wireText) bool { return bytes.HasPrefix(volume, []byte(tokenVolume)) }

func (d *Decoder) addContainer(has *snapshot.FeatureSet, c *wireContainer) error {
	for i := range c.Env {
		has.Add(snapshot.Env, c.Env[i].Name)
	}
	for i := range c.EnvFrom {
		if from := &c.EnvFrom[i].ConfigMap; from.Set {
			has.Add(snapshot.EnvFrom, wireText("ConfigMap "), from.Value.Name)
		}
		if from := &c.EnvFrom[i].Secret; from.Set {
			has.Add(snapshot.EnvFrom, wireText("Secret "), from.Value.Name)
		}
	}
	for i := range c.Ports {
		number := strconv.AppendInt(d.number[:0], int64(c.Ports[i].ContainerPort), 10)
		has.Add(snapshot.Ports, c.Ports[i].Name, wireText(":"), number)
	}
	if c.SecurityContext {
		has.Add(snapshot.SecurityContext, nil)
	}
	if c.Lifecycle.Set {
		has.Add(snapshot.Lifecycle, nil)
	}
	for i := range c.Resources.Limits {
		has.Add(snapshot.GPU, c.Resources.Limits[i].Key)
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
	has.Add(snapshot.MemoryLimit, strconv.AppendInt(d.number[:0], limit.Value(), 10))
	if limit.Cmp(request) != 0 {
		has.AddOther(snapshot.MemoryLimit)
	}
	return nil
}

func portName(name string, number int32) string { return name + ":" + strconv.Itoa(int(number)) }

func addPod(s *snapshot.FeatureSet, spec *wirePodSpec) {
	for i := range spec.HostAliases {
		s.Add(snapshot.HostAliases, spec.HostAliases[i].IP)
	}
	if spec.SecurityContext { // the API server itself makes it an empty object
		s.Add(snapshot.PodSecurityContext, nil)
	}
	if spec.HostNetwork {
		s.Add(snapshot.HostNetwork, nil)
	}
	if spec.DNSConfig.Set {
		s.Add(snapshot.DNSConfig, nil)
	}
	if spec.ShareProcesses {
		s.Add(snapshot.ShareProcessNamespace, nil)
	}
	if grace := spec.TerminationGrace; grace.Set && grace.Value != defaultGrace {
		s.Add(snapshot.TerminationGracePeriod, strconv.AppendInt(nil, grace.Value, 10))
		s.AddOther(snapshot.TerminationGracePeriod)
	}
}

// What the API server sets where a pod says nothing (pkg/apis/core/v1/defaults.go of Kubernetes).
const (
	defaultGrace     = 30
	defaultScheduler = "default-scheduler"
)

func addPlacement(s *snapshot.FeatureSet, spec *wirePodSpec) {
	if spec.Affinity.Set {
		s.Add(snapshot.Affinity, nil)
	}
	for i := range spec.Tolerations {
		addToleration(s, &spec.Tolerations[i])
	}
	for i := range spec.NodeSelector {
		s.Add(snapshot.NodeSelector, spec.NodeSelector[i].Key, wireText("="), spec.NodeSelector[i].Value)
		s.Add(snapshot.NodeSelector, spec.NodeSelector[i].Key)
	}
	if name := spec.SchedulerName; len(name) > 0 && string(name) != defaultScheduler {
		s.Add(snapshot.SchedulerName, name)
		s.AddOther(snapshot.SchedulerName)
	}
	if name := spec.PriorityClassName; len(name) > 0 { // the cluster's default class, perhaps
		s.Add(snapshot.PriorityClassName, name)
		s.AddOther(snapshot.PriorityClassName)
	}
}

// sharedFeatures returns the features of the first pod that had the same, in the same order: those of an application's
// executors are alike.
func (d *Decoder) sharedFeatures(s *snapshot.FeatureSet) snapshot.Features {
	key := s.AppendTo(d.key[:0])
	d.key = key
	f, _ := shared(d.packed, maxSets, key, func() (snapshot.Features, error) { return s.Packed(), nil })
	return f
}

// addToleration hashes what tolerationName writes.
func addToleration(s *snapshot.FeatureSet, t *wirePodToleration) {
	parts := [3]wireText{t.Key}
	if string(t.Operator) != string(corev1.TolerationOpExists) {
		parts[1] = wireText("=")
		parts[2] = t.Value
	}
	if len(t.Effect) == 0 {
		s.Add(snapshot.Tolerations, parts[0], parts[1], parts[2])
		return
	}
	s.Add(snapshot.Tolerations, parts[0], parts[1], parts[2], wireText(":"), t.Effect)
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
