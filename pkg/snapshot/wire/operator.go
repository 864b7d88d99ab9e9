package wire

import (
	"cmp"
	"slices"
	"time"

	appsv1 "k8s.io/api/apps/v1"
	corev1 "k8s.io/api/core/v1"

	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/redact"
	"github.com/sparkdoctor/kubectl-sparkdoctor/pkg/snapshot"
)

func deploymentFrom(d *appsv1.Deployment, loc snapshot.Location) *snapshot.Deployment {
	out := snapshot.Deployment{Object: objectFrom("apps/v1", "Deployment", &d.ObjectMeta, loc), Replicas: 1, Ready: d.Status.ReadyReplicas}
	out.Helm = snapshot.HelmRelease{
		Namespace: d.Annotations["meta.helm.sh/release-namespace"], Name: d.Annotations["meta.helm.sh/release-name"],
	}
	out.TrackedBy = trackedBy(&d.ObjectMeta)
	if d.Spec.Replicas != nil {
		out.Replicas = *d.Spec.Replicas
	}
	out.Old = max(0, d.Status.Replicas-d.Status.UpdatedReplicas)
	for _, c := range d.Status.Conditions {
		// pkg/controller/deployment/util/deployment_util.go, TimedOutReason, in kubernetes.
		if c.Type == appsv1.DeploymentProgressing && c.Status == corev1.ConditionFalse && c.Reason == "ProgressDeadlineExceeded" {
			out.Stalled = c.LastUpdateTime.UTC()
		}
		for _, t := range []time.Time{c.LastTransitionTime.UTC(), c.LastUpdateTime.UTC()} {
			if c.Type != appsv1.DeploymentReplicaFailure && t.After(out.Changed) {
				out.Changed = t
			}
		}
	}
	if d.Spec.Selector != nil {
		out.Selector = d.Spec.Selector.MatchLabels
	}
	out.Account = snapshot.Account{
		Namespace: d.Namespace,
		Name:      cmp.Or(d.Spec.Template.Spec.ServiceAccountName, d.Spec.Template.Spec.DeprecatedServiceAccount, snapshot.DefaultAccount),
	}
	for _, c := range d.Spec.Template.Spec.Containers {
		one := snapshot.Container{Name: c.Name, Image: c.Image, Args: slices.Concat(c.Command, c.Args)}
		if sc := c.SecurityContext; sc != nil && sc.ReadOnlyRootFilesystem != nil {
			one.ReadOnlyRoot = *sc.ReadOnlyRootFilesystem
		}
		for _, m := range c.VolumeMounts {
			if !m.ReadOnly {
				one.MountPaths = append(one.MountPaths, m.MountPath)
			}
		}
		one.LowPorts = lowPorts(&d.Spec.Template.Spec, &c)
		if limit, limited := c.Resources.Limits[corev1.ResourceMemory]; limited {
			one.MemoryLimit = limit.String()
		}
		for _, p := range c.Ports {
			one.Ports = append(one.Ports, snapshot.ContainerPort{Name: p.Name, Port: p.ContainerPort})
		}
		out.Containers = append(out.Containers, one)
	}
	for _, v := range d.Spec.Template.Spec.Volumes {
		if v.Secret != nil {
			out.Mounts = append(out.Mounts, snapshot.SecretMount{Volume: v.Name, Secret: v.Secret.SecretName})
		}
	}
	out.Traits, out.Detailed = traitsOf(d), true
	return &out
}

// lowPorts returns what of a spec may let a container listen on a port below 1024. A capability may not be enough for a process
// that is not root (kubernetes/kubernetes#56374), but it may have been given to the program as well.
func lowPorts(spec *corev1.PodSpec, c *corev1.Container) string {
	var user *int64
	if spec.SecurityContext != nil {
		user = spec.SecurityContext.RunAsUser
		for _, s := range spec.SecurityContext.Sysctls {
			if s.Name == "net.ipv4.ip_unprivileged_port_start" {
				return "sysctl " + s.Name + "=" + s.Value
			}
		}
	}
	if sc := c.SecurityContext; sc != nil {
		user = cmp.Or(sc.RunAsUser, user)
		switch {
		case sc.Privileged != nil && *sc.Privileged:
			return "privileged"
		case sc.Capabilities != nil && slices.ContainsFunc(sc.Capabilities.Add, bindsLowPorts):
			return "capability NET_BIND_SERVICE"
		}
	}
	if user != nil && *user == 0 {
		return "runAsUser 0"
	}
	return ""
}

func bindsLowPorts(c corev1.Capability) bool { return c == "NET_BIND_SERVICE" || c == "ALL" }

func operatorPodFrom(p *corev1.Pod, loc snapshot.Location) *snapshot.OperatorPod {
	out := snapshot.OperatorPod{Object: objectFrom("v1", "Pod", &p.ObjectMeta, loc), Phase: string(p.Status.Phase)}
	for _, c := range p.Status.Conditions {
		out.Ready = out.Ready || c.Type == corev1.PodReady && c.Status == corev1.ConditionTrue
		if c.Type == corev1.PodScheduled && c.Status == corev1.ConditionFalse {
			out.Pending = redact.Excerpt(cmp.Or(c.Message, c.Reason), keptMessage)
		}
	}
	for _, c := range slices.Concat(p.Status.InitContainerStatuses, p.Status.ContainerStatuses) {
		if ill, is := illOf(&c); is {
			out.Ills = append(out.Ills, ill)
		}
	}
	for _, c := range p.Status.ContainerStatuses {
		if c.State.Running == nil {
			continue
		}
		if out.Started.IsZero() {
			out.Started = c.State.Running.StartedAt.UTC()
		}
		out.Runs = append(out.Runs, snapshot.ContainerRun{Name: c.Name, Started: c.State.Running.StartedAt.UTC()})
	}
	for _, ip := range p.Status.PodIPs {
		out.IPs = append(out.IPs, ip.IP)
	}
	return &out
}

// illOf reports what is wrong with a container; a container that has just been made waits for its turn.
func illOf(c *corev1.ContainerStatus) (snapshot.ContainerIll, bool) {
	out := snapshot.ContainerIll{Name: c.Name, Restarts: int(c.RestartCount)}
	if w := c.State.Waiting; w != nil && w.Reason != "ContainerCreating" && w.Reason != "PodInitializing" {
		out.Waiting = w.Reason
	}
	ended := c.LastTerminationState.Terminated
	if now := c.State.Terminated; now != nil && now.ExitCode != 0 {
		ended = now
	}
	if ended != nil {
		out.Ended = ended.Reason
		out.ExitCode = int(ended.ExitCode)
		out.EndedAt = ended.FinishedAt.UTC()
	}
	return out, out.Waiting != "" || out.Restarts > 0 || ended != nil
}

func serviceFrom(s *corev1.Service, loc snapshot.Location) *snapshot.Service {
	out := snapshot.Service{Object: objectFrom("v1", "Service", &s.ObjectMeta, loc), External: s.Spec.Type == corev1.ServiceTypeExternalName}
	for _, p := range s.Spec.Ports {
		out.Ports, out.Names = append(out.Ports, p.Port), append(out.Names, p.Name)
	}
	return &out
}
