package snapshot

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"
)

// What follows reads a pod with the types of k8s.io/api, which decode all of it. It is what the narrow decoders are
// held to.

func typedPod(p *corev1.Pod, loc Location) Pod {
	out := Pod{
		Object: objectFrom("v1", "Pod", &p.ObjectMeta, loc),
		Phase:  string(p.Status.Phase), Requests: typedRequests(p.Spec.Containers),
		Features: typedFeatures(&p.Spec, p.Labels[RoleLabel]), Trouble: typedTrouble(p),
	}
	if p.Status.StartTime != nil {
		out.Started = p.Status.StartTime.UTC()
	}
	return out
}

func typedRequests(containers []corev1.Container) Requests {
	var r Requests
	for i := range containers {
		list := containers[i].Resources.Requests
		r.MilliCPU += list.Cpu().MilliValue()
		r.Memory += list.Memory().Value()
	}
	return r
}

// typedFeatures is podFeatures of a whole spec. The Spark container is found as the webhook
// finds it: by name, else it is the first one (findContainer, internal/webhook/sparkpod_defaulter.go@v2.1.1).
func typedFeatures(spec *corev1.PodSpec, role string) Features {
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
		if strings.HasPrefix(spec.Volumes[i].Name, "kube-api-access-") {
			continue
		}
		list = append(list, Feature{VolumeMounts, spec.Volumes[i].Name})
		if cm := spec.Volumes[i].ConfigMap; cm != nil {
			list = append(list, Feature{RoleConfigMaps, cm.Name})
		}
	}
	return featuresOf(appendPlacement(appendPod(list, spec), spec))
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

// typedTrouble says the same as the narrow decoder, in other words.
func typedTrouble(p *corev1.Pod) *Trouble {
	s, driver := &p.Status, p.Labels[RoleLabel] == "driver"
	if s.Phase == corev1.PodSucceeded && !driver {
		return nil
	}
	out := Trouble{}
	of := func(kind corev1.PodConditionType) corev1.PodCondition {
		i := slices.IndexFunc(s.Conditions, func(c corev1.PodCondition) bool { return c.Type == kind })
		if i < 0 {
			return corev1.PodCondition{}
		}
		return s.Conditions[i]
	}
	ready := of(corev1.PodReady)
	lost := driver && s.Phase != corev1.PodFailed && s.Phase != corev1.PodSucceeded &&
		(p.DeletionTimestamp != nil || (s.Phase == corev1.PodRunning || s.Phase == corev1.PodUnknown) && ready.Status != corev1.ConditionTrue)
	if c := of(corev1.DisruptionTarget); c.Status == corev1.ConditionTrue && (lost || s.Phase == corev1.PodFailed || s.Phase == corev1.PodUnknown) {
		out.Disruption = c.Reason
	}
	if lost {
		out.Node, out.Reason = p.Spec.NodeName, s.Reason
		if ready.Type != "" && ready.Status != corev1.ConditionTrue && ready.Reason == "" && of(corev1.ContainersReady).Status == corev1.ConditionTrue {
			out.LostSince = ready.LastTransitionTime.UTC()
		}
	}
	scheduled := slices.IndexFunc(s.Conditions, func(c corev1.PodCondition) bool { return c.Type == corev1.PodScheduled })
	switch {
	case s.Phase == corev1.PodFailed || s.Phase == corev1.PodUnknown:
		out.Reason, out.Message = s.Reason, cut(s.Message)
	case s.Phase == corev1.PodPending && scheduled >= 0:
		if c := s.Conditions[scheduled]; c.Status == corev1.ConditionFalse {
			out.Scheduling, out.Message = c.Reason, cut(c.Message)
		}
	case s.Phase == corev1.PodPending && s.InitContainerStatuses == nil && s.ContainerStatuses == nil:
		out.Scheduling = NoScheduler
	}
	if out.Scheduling != "" {
		for _, key := range slices.Sorted(maps.Keys(p.Annotations)) {
			if slices.Contains([]string{"scheduling.volcano.sh/queue-name", "volcano.sh/queue-name", "yunikorn.apache.org/queue"}, key) && out.Queue == "" {
				out.Queue = p.Annotations[key]
			}
		}
		if p.Spec.SchedulerName != "default-scheduler" {
			out.Scheduler = p.Spec.SchedulerName
		}
	}
	for i, c := range slices.Concat(s.InitContainerStatuses, s.ContainerStatuses) {
		one := ContainerTrouble{Name: c.Name, Image: Redact(c.Image), Init: i < len(s.InitContainerStatuses)}
		if end := c.State.Terminated; end != nil {
			one.Ended, one.ExitCode, one.Reason, one.Message = true, int(end.ExitCode), end.Reason, cut(end.Message)
			if one.Finished = end.FinishedAt.UTC(); !one.Init || end.ExitCode != 0 {
				out.Containers = append(out.Containers, one)
			}
		} else if wait := c.State.Waiting; wait != nil && !slices.Contains([]string{"", "ContainerCreating", "PodInitializing"}, wait.Reason) {
			one.Reason, one.Message = wait.Reason, cut(wait.Message)
			out.Containers = append(out.Containers, one)
		} else if wait == nil && c.State.Running != nil && one.Init && s.Phase == corev1.PodPending {
			one.Reason = StillRunning
			out.Containers = append(out.Containers, one)
		}
	}
	out.Queue = Redact(out.Queue)
	if out.Scheduling == "" && out.Reason == "" && out.Disruption == "" && out.Node == "" && out.LostSince.IsZero() && out.Containers == nil {
		return nil
	}
	return &out
}

func cut(text string) string {
	if len(text) > 512 {
		text = strings.ToValidUTF8(text[:512], "")
	}
	return Redact(text)
}
