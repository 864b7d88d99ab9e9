package wire

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

// other is the name under which a field is kept that has another value than the default.
const other = "*"

func typedPod(p *corev1.Pod, loc snapshot.Location) snapshot.Pod {
	out := snapshot.Pod{
		Object: objectFrom("v1", "Pod", &p.ObjectMeta, loc),
		Phase:  string(p.Status.Phase), Requests: typedRequests(p.Spec.Containers),
		Features: typedFeatures(&p.Spec, p.Labels[snapshot.RoleLabel]), Trouble: typedProblem(p),
	}
	if p.Status.StartTime != nil {
		out.Started = p.Status.StartTime.UTC()
	}
	return out
}

func typedRequests(containers []corev1.Container) snapshot.Requests {
	var r snapshot.Requests
	for i := range containers {
		list := containers[i].Resources.Requests
		r.MilliCPU += list.Cpu().MilliValue()
		r.Memory += list.Memory().Value()
	}
	return r
}

// typedFeatures is podFeatures of a whole spec. The Spark container is found as the webhook
// finds it: by name, else it is the first one (findContainer, internal/webhook/sparkpod_defaulter.go@v2.1.1).
func typedFeatures(spec *corev1.PodSpec, role string) snapshot.Features {
	names := snapshot.SparkContainers(role)
	if len(names) == 0 {
		return ""
	}
	main := slices.IndexFunc(spec.Containers, func(c corev1.Container) bool { return slices.Contains(names, c.Name) })
	var list []snapshot.Feature
	if main >= 0 {
		list = append(list, snapshot.Feature{Field: snapshot.SparkContainer, Name: spec.Containers[main].Name})
	}
	if main = max(main, 0); len(spec.Containers) > 0 {
		list = appendContainer(list, &spec.Containers[main])
	}
	for i := range spec.Containers {
		if i != main {
			list = append(list, snapshot.Feature{Field: snapshot.Sidecars, Name: spec.Containers[i].Name})
		}
	}
	for i := range spec.InitContainers {
		list = append(list, snapshot.Feature{Field: snapshot.InitContainers, Name: spec.InitContainers[i].Name})
	}
	for i := range spec.Volumes {
		if strings.HasPrefix(spec.Volumes[i].Name, "kube-api-access-") {
			continue
		}
		list = append(list, snapshot.Feature{Field: snapshot.VolumeMounts, Name: spec.Volumes[i].Name})
		if cm := spec.Volumes[i].ConfigMap; cm != nil {
			list = append(list, snapshot.Feature{Field: snapshot.RoleConfigMaps, Name: cm.Name})
		}
	}
	return snapshot.FeaturesOf(appendPlacement(appendPod(list, spec), spec))
}

func appendContainer(list []snapshot.Feature, c *corev1.Container) []snapshot.Feature {
	for i := range c.Env {
		list = append(list, snapshot.Feature{Field: snapshot.Env, Name: c.Env[i].Name})
	}
	for i := range c.EnvFrom {
		if from := c.EnvFrom[i].ConfigMapRef; from != nil {
			list = append(list, snapshot.Feature{Field: snapshot.EnvFrom, Name: "ConfigMap " + from.Name})
		}
		if from := c.EnvFrom[i].SecretRef; from != nil {
			list = append(list, snapshot.Feature{Field: snapshot.EnvFrom, Name: "Secret " + from.Name})
		}
	}
	for _, port := range c.Ports {
		list = append(list, snapshot.Feature{Field: snapshot.Ports, Name: portName(port.Name, port.ContainerPort)})
	}
	if c.SecurityContext != nil && c.SecurityContext.Size() > 0 {
		list = append(list, snapshot.Feature{Field: snapshot.SecurityContext, Name: ""})
	}
	if c.Lifecycle != nil {
		list = append(list, snapshot.Feature{Field: snapshot.Lifecycle, Name: ""})
	}
	for name := range c.Resources.Limits {
		list = append(list, snapshot.Feature{Field: snapshot.GPU, Name: string(name)})
	}
	// Spark makes limit and request equal; a limit of its own is what memoryLimit brings, or somebody else.
	limit := c.Resources.Limits.Memory()
	list = append(list, snapshot.Feature{Field: snapshot.MemoryLimit, Name: strconv.FormatInt(limit.Value(), 10)})
	if limit.Cmp(*c.Resources.Requests.Memory()) != 0 {
		list = append(list, snapshot.Feature{Field: snapshot.MemoryLimit, Name: other})
	}
	return list
}

func appendPod(list []snapshot.Feature, spec *corev1.PodSpec) []snapshot.Feature {
	for _, alias := range spec.HostAliases {
		list = append(list, snapshot.Feature{Field: snapshot.HostAliases, Name: alias.IP})
	}
	if sc := spec.SecurityContext; sc != nil && sc.Size() > 0 { // the API server itself makes it an empty object
		list = append(list, snapshot.Feature{Field: snapshot.PodSecurityContext, Name: ""})
	}
	if spec.HostNetwork {
		list = append(list, snapshot.Feature{Field: snapshot.HostNetwork, Name: ""})
	}
	if spec.DNSConfig != nil {
		list = append(list, snapshot.Feature{Field: snapshot.DNSConfig, Name: ""})
	}
	if spec.ShareProcessNamespace != nil && *spec.ShareProcessNamespace {
		list = append(list, snapshot.Feature{Field: snapshot.ShareProcessNamespace, Name: ""})
	}
	if grace := spec.TerminationGracePeriodSeconds; grace != nil && *grace != defaultGrace {
		list = append(list, snapshot.Feature{Field: snapshot.TerminationGracePeriod, Name: strconv.FormatInt(*grace, 10)},
			snapshot.Feature{Field: snapshot.TerminationGracePeriod, Name: other})
	}
	return list
}

func appendPlacement(list []snapshot.Feature, spec *corev1.PodSpec) []snapshot.Feature {
	if spec.Affinity != nil {
		list = append(list, snapshot.Feature{Field: snapshot.Affinity, Name: ""})
	}
	for i := range spec.Tolerations {
		t := &spec.Tolerations[i]
		list = append(list, snapshot.Feature{Field: snapshot.Tolerations,
			Name: tolerationName(t.Key, string(t.Operator), t.Value, string(t.Effect))})
	}
	for key, value := range spec.NodeSelector {
		list = append(list, snapshot.Feature{Field: snapshot.NodeSelector, Name: key + "=" + value},
			snapshot.Feature{Field: snapshot.NodeSelector, Name: key})
	}
	if name := spec.SchedulerName; name != "" && name != defaultScheduler {
		list = append(list, snapshot.Feature{Field: snapshot.SchedulerName, Name: name},
			snapshot.Feature{Field: snapshot.SchedulerName, Name: other})
	}
	if name := spec.PriorityClassName; name != "" { // the cluster's default class, perhaps
		list = append(list, snapshot.Feature{Field: snapshot.PriorityClassName, Name: name},
			snapshot.Feature{Field: snapshot.PriorityClassName, Name: other})
	}
	return list
}

// typedProblem says the same as the narrow decoder, in other words.
func typedProblem(p *corev1.Pod) *snapshot.PodProblem {
	s, driver := &p.Status, p.Labels[snapshot.RoleLabel] == "driver"
	if s.Phase == corev1.PodSucceeded && !driver {
		return nil
	}
	out := snapshot.PodProblem{}
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
	if c := of(corev1.DisruptionTarget); c.Status == corev1.ConditionTrue &&
		(lost || s.Phase == corev1.PodFailed || s.Phase == corev1.PodUnknown) {
		out.Disruption = c.Reason
	}
	if lost {
		out.Node, out.Reason = p.Spec.NodeName, s.Reason
		if ready.Type != "" && ready.Status != corev1.ConditionTrue && ready.Reason == "" &&
			of(corev1.ContainersReady).Status == corev1.ConditionTrue {
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
		out.Scheduling = snapshot.NoScheduler
	}
	if out.Scheduling != "" {
		for _, key := range slices.Sorted(maps.Keys(p.Annotations)) {
			if slices.Contains([]string{"scheduling.volcano.sh/queue-name", "volcano.sh/queue-name", "yunikorn.apache.org/queue"}, key) &&
				out.Queue == "" {
				out.Queue = p.Annotations[key]
			}
		}
		if p.Spec.SchedulerName != "default-scheduler" {
			out.Scheduler = p.Spec.SchedulerName
		}
	}
	for i, c := range slices.Concat(s.InitContainerStatuses, s.ContainerStatuses) {
		one := snapshot.ContainerProblem{Name: c.Name, Image: snapshot.Redact(c.Image), Init: i < len(s.InitContainerStatuses)}
		if end := c.State.Terminated; end != nil {
			one.Ended, one.ExitCode, one.Reason, one.Message = true, int(end.ExitCode), end.Reason, cut(end.Message)
			if one.Finished = end.FinishedAt.UTC(); !one.Init || end.ExitCode != 0 {
				out.Containers = append(out.Containers, one)
			}
		} else if wait := c.State.Waiting; wait != nil && !slices.Contains([]string{"", "ContainerCreating", "PodInitializing"}, wait.Reason) {
			one.Reason, one.Message = wait.Reason, cut(wait.Message)
			out.Containers = append(out.Containers, one)
		} else if wait == nil && c.State.Running != nil && one.Init && s.Phase == corev1.PodPending {
			one.Reason = snapshot.StillRunning
			out.Containers = append(out.Containers, one)
		}
	}
	out.Queue = snapshot.Redact(out.Queue)
	if out.Scheduling == "" && out.Reason == "" && out.Disruption == "" && out.Node == "" && out.LostSince.IsZero() && out.Containers == nil {
		return nil
	}
	return &out
}

func cut(text string) string {
	if len(text) > 512 {
		text = strings.ToValidUTF8(text[:512], "")
	}
	return snapshot.Redact(text)
}
